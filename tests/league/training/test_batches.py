"""Void matches of a training step: played again, told, and a step of nothing else pauses."""

from __future__ import annotations

import asyncio

import pytest

from arena.match import Decision, Episode, MatchPlan
from arena.players import Player, View
from arena.players.uniform import Uniform
from arena.runner import Runner
from games import register
from games.errors import InfrastructureError, RunPaused
from league.again import ATTEMPTS
from league.records import PlannedMatch
from league.training.batches import play_batch
from league.training.metrics import read
from league.training.run import run_training
from tests.arena.small_games import Race
from tests.league.training.runs import config

register("race-v0")(Race)


class Sick(Player):
    """Something under it fails so many times; then it plays."""

    def __init__(self, times: int) -> None:
        self.name, self.times, self.asked = "sick", times, 0
        self._well = Uniform()

    def act(self, view: View) -> Decision:
        self.asked += 1
        if self.asked <= self.times:
            raise InfrastructureError("the engine is gone")
        return self._well.act(view)


def batch(sick: Sick, *rivals: str) -> tuple[list[Episode], list[str]]:
    told: list[str] = []
    planned = [
        PlannedMatch(i, 0, str(i), MatchPlan(f"m{i}", "race-v0", i, {"player_0": rival, "player_1": "bot"}))
        for i, rival in enumerate(rivals)
    ]
    runner = Runner({"sick": sick, "bot": Uniform()}, concurrency=2)
    return asyncio.run(play_batch(runner, planned, 7, told.append)), told


def test_a_match_whose_engine_failed_is_played_again_with_the_same_seed() -> None:
    failed, told = batch(Sick(ATTEMPTS - 1), "sick", "bot", "bot")
    whole, silent = batch(Sick(0), "sick", "bot", "bot")
    assert [e.status for e in failed] == ["finished"] * 3
    assert [e.match for e in failed] == ["m0", "m1", "m2"]
    assert [[t.action for t in e.turns] for e in failed] == [[t.action for t in e.turns] for e in whole]
    assert told == ["m0 is played again: the engine is gone"]
    assert silent == []


def test_what_stays_void_is_told() -> None:
    sick = Sick(99)
    episodes, told = batch(sick, "sick", "bot")
    assert [e.status for e in episodes] == ["void", "finished"]
    assert sick.asked == ATTEMPTS
    assert told[-1] == "1 of the 2 matches of step 7 are void: the engine is gone"


def test_a_step_of_void_matches_pauses_with_the_reason() -> None:
    with pytest.raises(RunPaused, match="all 2 matches of step 7 are void: the engine is gone; mend that"):
        batch(Sick(99), "sick", "sick")


def test_a_training_that_was_paused_goes_on_as_if_never_stopped(tmp_path, monkeypatch) -> None:
    from league.training import run

    plain = {"steps": 3, "opponents": {"self": 0.0, "anchors": 1.0}, "snapshots": {"every": 3, "matches": 0}}
    plain |= {"evaluation": {"every": 3, "matches": 0}, "checkpoint": {"every": 1}}
    sick = Sick(0)
    monkeypatch.setattr(run, "_anchors", lambda config, stack: {"random": sick})
    for name in ("whole", "paused"):
        (tmp_path / name).mkdir()
    sick.name = "random"
    assert run_training(config(tmp_path / "whole", **plain), board="off").complete
    sick.asked, sick.times = 0, 10**9
    with pytest.raises(RunPaused, match="all 16 matches of step 1 are void"):
        run_training(config(tmp_path / "paused", **plain), board="off")
    sick.times = 0
    assert run_training(config(tmp_path / "paused", **plain), board="off").complete
    whole, paused = (read(config(tmp_path / name, **plain).place) for name in ("whole", "paused"))
    assert paused == whole
