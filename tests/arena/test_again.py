"""Matches whose workers died."""

from __future__ import annotations

from arena.match import MatchPlan
from arena.workers.again import LOSSES, Again


def test_a_match_that_is_given_up_is_void_and_names_its_task() -> None:
    again = Again()
    plan = MatchPlan("m1", "openspiel/kuhn_poker", 7, {"player_0": "a", "player_1": "b"}, task="the task")
    for _ in range(LOSSES - 1):
        assert again.lost([plan]) == []
        again.clear()
    (episode,) = again.lost([plan])
    assert (episode.status, episode.task, episode.turns) == ("void", "the task", ())
    assert episode.reason == f"its worker died {LOSSES} times"
    assert set(episode.returns) == set(plan.seats)
    assert not any(episode.returns.values())
