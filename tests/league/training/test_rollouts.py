"""Rollouts of workers, and their queue."""

import asyncio
import base64
import pickle
import zlib

import pytest
import torch

from arena.match import MatchPlan, decode, encode
from arena.players import Player
from arena.players.bots.random import RandomPlayer
from arena.players.by_role import WHOLE
from arena.players.player import View
from arena.runner.local import LocalRunner
from arena.runner.packing import PackedEpisode
from arena.runner.ray import scratch
from arena.runner.retries import ATTEMPTS
from games import make
from games.errors import InfrastructureError, RunPaused
from league.records.matches import PlannedMatch
from league.records.metrics_file import read_metrics
from league.training.participants.policy_id import ONLY
from league.training.policy_trainer import PolicyTrainer
from league.training.rollout_queue import RolloutBatch, RolloutQueue, play_batch
from league.training.rollouts import RayRollouts, TrainingPlayers
from league.training.run import run_training
from tests.league.training.runs import KUHN, config, plans


class Wire:
    """Stands for the runner: keeps what it sends, pickled as Ray does."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def publish(self, channel, message, names):
        self.sent.append(pickle.dumps((channel, message)))


def test_a_worker_plays_the_weights_and_the_snapshots_that_it_receives(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch, "folder", lambda: tmp_path / "worker")
    settings = config(tmp_path)
    game = make(KUHN)
    game.reset(3)
    view = View(game, "player_0", "first", game.legal("player_0"), 3, 0)
    noise = torch.Generator().manual_seed(1)

    def policy(player):
        return asyncio.run(player.probabilities(view))

    driver = RayRollouts.__new__(RayRollouts)
    driver.runner, driver._live = Wire(), ["kuhn"]  # type: ignore[assignment]
    plan, policy_plan = plans(settings)
    learner, worker = PolicyTrainer(plan, policy_plan), TrainingPlayers(plan)
    try:
        untrained = policy(learner.models[WHOLE].player)
        driver.add_snapshot(learner.save_snapshot("kuhn@0"))
        with learner.models[WHOLE].engine.updating():
            for param in learner.models[WHOLE].trainer.weights.params.values():
                param.data.add_(torch.randn(param.shape, generator=noise), alpha=0.3)
        driver.publish({ONLY: (7, learner.weights())})
        for data in driver.runner.sent:  # type: ignore[attr-defined]
            worker.update(*pickle.loads(data))
        assert (tmp_path / "worker/snapshots/kuhn@0/model.safetensors").is_file()
        assert policy(worker.players["kuhn"]) == policy(learner.models[WHOLE].player) != untrained
        assert policy(worker.players["kuhn@0"]) == untrained
    finally:
        worker._replicas.close()
        worker._snapshots.close()
        learner.close()


class Flaky(Player):
    """Its engine fails the first `times` times; then it plays at random."""

    def __init__(self, times: int) -> None:
        self.name, self.times, self.asked = "flaky", times, 0
        self._inner = RandomPlayer()

    def act(self, view):
        self.asked += 1
        if self.asked <= self.times:
            raise InfrastructureError("the engine is gone")
        return self._inner.act(view)


def batch(flaky, *rivals):
    lines: list[str] = []
    planned = [
        PlannedMatch(i, 0, str(i), MatchPlan(f"m{i}", "race-v0", i, {"player_0": rival, "player_1": "bot"}))
        for i, rival in enumerate(rivals)
    ]
    runner = LocalRunner({"flaky": flaky, "bot": RandomPlayer()}, concurrency=2)
    return asyncio.run(play_batch(runner, planned, 7, lines.append)), lines


def test_a_match_whose_engine_failed_is_played_again_with_the_same_seed():
    failed, lines = batch(Flaky(ATTEMPTS - 1), "flaky", "bot", "bot")
    whole, silent = batch(Flaky(0), "flaky", "bot", "bot")
    assert [e.status for e in failed] == ["finished"] * 3
    assert [e.match for e in failed] == ["m0", "m1", "m2"]
    assert [[t.action for t in e.turns] for e in failed] == [[t.action for t in e.turns] for e in whole]
    assert lines == ["m0 is played again: the engine is gone"]
    assert silent == []


def test_a_step_that_is_stored_is_packed_in_plan_order_and_learned_from_as_it_was_played():
    planned = [
        PlannedMatch(i, 0, str(i), MatchPlan(f"m{i}", "race-v0", i, {"player_0": "flaky", "player_1": "bot"}))
        for i in range(4)
    ]
    stored: list[tuple[PlannedMatch, PackedEpisode]] = []
    runner = LocalRunner({"flaky": Flaky(1), "bot": RandomPlayer()}, concurrency=2)
    episodes = asyncio.run(play_batch(runner, planned, 7, lambda line: None, stored.extend))
    assert [match for match, _ in stored] == planned
    assert [decode(zlib.decompress(packed.data)) for _, packed in stored] == episodes


def test_what_stays_void_is_logged():
    flaky = Flaky(99)
    episodes, lines = batch(flaky, "flaky", "bot")
    assert [e.status for e in episodes] == ["void", "finished"]
    assert flaky.asked == ATTEMPTS
    assert lines[-1] == "1 of the 2 matches of step 7 are void: the engine is gone"


def test_a_step_of_void_matches_pauses_with_the_reason():
    with pytest.raises(RunPaused, match="all 2 matches of step 7 are void: the engine is gone; fix the cause"):
        batch(Flaky(99), "flaky", "flaky")


def test_a_checkpoint_holds_the_queued_episodes_also_one_of_an_older_version(tmp_path):
    episodes, _ = batch(Flaky(0), "bot", "bot")

    async def play(batch):
        return episodes

    async def saved():
        queue = RolloutQueue(play)
        queue.add(RolloutBatch(3, (), None))
        queue.add(RolloutBatch(4, (), None))
        assert queue.next_step(3) == 5
        return await queue.files()

    new, old = RolloutQueue(play), RolloutQueue(play)
    for name, data in asyncio.run(saved()).items():
        (tmp_path / name).write_bytes(data)
    new.restore(tmp_path, {})
    text = [base64.b85encode(zlib.compress(encode(episode), 1)).decode() for episode in episodes]
    old.restore(tmp_path / "older", {"ahead": {"3": text, "4": text}})
    for queue in (new, old):
        assert queue.next_step(3) == 5
        assert asyncio.run(queue.take(3)) == asyncio.run(queue.take(4)) == episodes


def test_a_paused_training_resumes_as_if_it_never_stopped(tmp_path, monkeypatch):
    from league.training import run

    plain = {"steps": 3, "opponents": {"self": 0.0, "anchors": 1.0}, "snapshots": {"every": 3, "matches": 0}}
    plain |= {"evaluation": {"every": 3, "matches": 0}, "checkpoint": {"every": 1}}
    flaky = Flaky(0)
    monkeypatch.setattr(run, "open_anchors", lambda config, stack: {"random": flaky})
    for name in ("whole", "paused"):
        (tmp_path / name).mkdir()
    flaky.name = "random"
    assert run_training(config(tmp_path / "whole", **plain), board="off").complete
    flaky.asked, flaky.times = 0, 10**9
    with pytest.raises(RunPaused, match="all 16 matches of step 1 are void"):
        run_training(config(tmp_path / "paused", **plain), board="off")
    flaky.times = 0
    assert run_training(config(tmp_path / "paused", **plain), board="off").complete
    whole, paused = (read_metrics(config(tmp_path / name, **plain).place) for name in ("whole", "paused"))
    assert paused == whole
