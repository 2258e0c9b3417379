"""Rollouts of workers, and pauses."""

import asyncio
import pickle

import pytest
import torch

from arena.players.by_role import WHOLE
from arena.players.player import View
from arena.runner.ray import scratch
from games import make
from games.errors import RunPaused
from league.records.metrics_file import read_metrics
from league.training.participants.policy_id import ONLY
from league.training.policy_trainer import PolicyTrainer
from league.training.rollouts import RayRollouts, TrainingPlayers
from league.training.run import run_training
from tests.league.training.runs import KUHN, config, plans
from tests.toys.players import Flaky


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
