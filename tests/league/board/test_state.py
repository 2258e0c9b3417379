from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.board import Progress, RateMeter
from league.board.state import status_now, time_to_go
from league.records.leaderboard import MatchCounts
from tests.league.board.states import Clock, state


def test_rate_is_exact_for_a_steady_stream():
    clock = Clock()
    meter = RateMeter(window=30, clock=clock)
    assert meter.rate() is None
    for i in range(1000):
        meter.feed(5000 + 7 * i)
        clock.now += 0.1
    clock.now -= 0.1
    assert abs(meter.rate() - 70) < 1e-6


def test_what_was_played_before_a_resume_does_not_count():
    clock = Clock()
    meter = RateMeter(clock=clock)
    meter.feed(1_000_000)
    clock.now += 10
    meter.feed(1_000_050)
    assert meter.rate() == 5.0


def test_rate_falls_while_nothing_happens_and_forgets_the_past():
    clock = Clock()
    meter = RateMeter(window=10, clock=clock)
    for total in (0, 100):
        meter.feed(total)
        clock.now += 1
    assert meter.rate() == 50.0
    for _ in range(30):
        meter.feed(100)
        clock.now += 1
    assert meter.rate() == 0.0
    assert meter.mean() == 100 / 32


def test_a_total_that_fell_starts_again():
    clock = Clock()
    meter = RateMeter(clock=clock)
    for total in (100, 200, 10, 20):
        meter.feed(total)
        clock.now += 1
    assert meter.rate() == 5.0


@given(st.lists(st.tuples(st.floats(0, 50), st.integers(0, 1000)), min_size=2, max_size=300))
def test_meter_is_bounded_and_never_negative(steps):
    clock, total = Clock(), 0
    meter = RateMeter(window=10, clock=clock)
    for passed, more in steps:
        clock.now += passed
        total += more
        meter.feed(total)
        rate = meter.rate()
        assert rate is None or rate >= 0
        assert len(meter._points) <= 70


@pytest.mark.parametrize(("kind", "status"), [("tournament", "waiting"), ("training", "interrupted")])
def test_a_killed_training_may_have_rated_no_match(kind, status):
    run = SimpleNamespace(status="running", kind=kind)
    assert status_now(run, MatchCounts(), played=False) == status
    assert status_now(run, MatchCounts(), played=True) == "running"


def test_time_to_go():
    assert time_to_go(MatchCounts(100, 40, 10, 5, 100), 5.0) == 10.0
    assert time_to_go(MatchCounts(100, 40, 10, 5, None), 5.0) is None
    assert time_to_go(MatchCounts(100, 40, 10, 5, 100), 0.0) is None
    assert time_to_go(MatchCounts(100, 100, 10, 5, 100), 1.0) == 0.0


def test_progress_reports_the_last_seconds_then_the_whole_run():
    clock = Clock()
    progress = Progress(clock=clock, window=10)
    snapshot = state().snapshot

    def at(finished, status="running"):
        matches = MatchCounts(4000, finished, 0, 32, 4000)
        return progress.state(
            type(snapshot)("run", snapshot.standings, {}, {}, matches), status=status, tokens=finished * 10
        )

    first = at(0)
    assert (first.matches_per_second, first.to_go, first.elapsed) == (None, None, 0.0)
    clock.now += 90
    at(900)
    clock.now += 10
    shown = at(2900)
    assert shown.matches_per_second == 200.0
    assert shown.tokens_per_second == 2000.0
    assert shown.to_go == 5.5
    assert shown.title == "run"
    end = at(2900, "finished")
    assert (end.matches_per_second, end.to_go, end.elapsed) == (29.0, None, 100.0)
