"""The time to the end of a run: by how long the matches of its players take, not by the rate of the last seconds."""

import pytest

from arena.match import MatchPlan
from league.records.matches import PlannedMatch, Result, SeatResult
from league.tournament.remaining_time import Remaining


def planned(n, a, b, start=0):
    seats = {"x": a, "y": b}
    return [PlannedMatch(start + i, 0, "p", MatchPlan(f"m{start + i}", "g", 1, seats)) for i in range(n)]


def ended(n, a, b, seconds):
    seats = tuple(SeatResult(s, s, p, 0.0) for s, p in (("x", a), ("y", b)))
    return [Result(i, 0, "p", f"m{i}", "g", 1, "finished", "", seats, seconds) for i in range(n)]


def test_nothing_is_said_while_long_matches_have_not_ended_once():
    now = [0.0]
    left = Remaining(lambda: now[0])
    left.plan(planned(900, "bot", "bot2") + planned(100, "bot", "model", 900))
    now[0] = 1.0
    left.ended(ended(900, "bot", "bot2", 0.001))
    assert left.seconds(1000) is None
    now[0] = 21.0
    left.ended(ended(10, "bot", "model", 20.0))  # ten at a time
    assert left.seconds(1000) == pytest.approx(90 * 20 / 10, rel=0.1)
    assert left.seconds(None) is None
    assert left.seconds(2000) > 3 * left.seconds(1000)


def test_what_ended_before_tells_how_long_matches_are_but_not_how_fast_they_are_played_now():
    now = [0.0]
    left = Remaining(lambda: now[0])
    left.plan(planned(100, "a", "b"))
    left.ended(ended(50, "a", "b", 4.0), before=True)
    assert left.seconds(100) is None
    now[0] = 10.0
    left.ended(ended(10, "a", "b", 4.0))
    assert left.seconds(100) == pytest.approx(40 * 4 * 10 / 40)
