"""Playing while learning: overlap and updates in flight."""

import asyncio
import signal
import threading
import time
from typing import Any

import pytest
import torch

from arena.inference.transformers.trainable import TrainableEngine
from arena.players.player import View
from games import InputError, make
from league.records.metrics_file import METRICS, read_metrics
from league.store import Store
from league.training.participants.policy_id import ONLY
from league.training.policy_trainer import PolicyTrainer
from league.training.replicas import ReplicaSet
from league.training.rollout_batch import RolloutBatch
from league.training.run import run_training
from tests.league.training.kills import TRAINING, in_child
from tests.league.training.runs import KUHN, config, plans

PLAIN = {"snapshots": {"every": None, "matches": 0}, "opponents": {"self": 1.0}, "anchors": []}


@pytest.mark.parametrize("overlap", [0, 1, 2])
def test_the_weights_that_play_are_as_old_as_allowed_and_metrics_say_so(tmp_path, overlap):
    settings = config(tmp_path, steps=5, overlap=overlap, **PLAIN)
    run_training(settings, board="off")
    rows = [row for row in read_metrics(settings.place) if "staleness" in row]
    assert [row["staleness_max"] for row in rows] == [min(step, overlap) for step in range(5)]
    assert [row["staleness"] for row in rows] == [min(step, overlap) for step in range(5)]
    with Store.open(settings.db, read_only=True) as store:
        run = store.run("kuhn.training")
        found = {(r.round, t.sample.version) for r, e in store.episodes(run) for t in e.turns if t.sample}
    assert found == {(step, max(0, step - overlap)) for step in range(5)}


def test_old_samples_are_weighted_by_the_probabilities_of_the_trainer(tmp_path):
    assert not plans(config(tmp_path))[1].trainer.recompute_old
    assert plans(config(tmp_path, overlap=1))[1].trainer.recompute_old


def test_the_next_batch_is_played_while_the_learner_works(tmp_path, monkeypatch):
    played = {step: threading.Event() for step in range(5)}
    end, learn, load, threads = RolloutBatch.end, PolicyTrainer.learn, ReplicaSet.load, set()

    def ended(self, log):
        end(self, log)
        played[self.step].set()

    def learning(self, *given):
        if self.version < 3:
            assert played[self.version + 1].wait(240), "nothing was played in the meantime"
        return learn(self, *given)

    def loading(self, published):
        threads.add(threading.current_thread().name.rpartition("_")[0])
        load(self, published)

    monkeypatch.setattr(ReplicaSet, "load", loading)
    monkeypatch.setattr(RolloutBatch, "end", ended)
    monkeypatch.setattr(PolicyTrainer, "learn", learning)
    assert run_training(config(tmp_path, steps=4, overlap=1, **PLAIN), board="off").complete
    assert threads == {"arena-publisher"}  # the board and other matches do not wait for a publication


def test_a_replica_has_the_weights_that_the_trainer_published(tmp_path):
    settings = config(tmp_path, overlap=1)
    game = make(KUHN)
    game.reset(3)
    view = View(game, "player_0", "first", game.legal("player_0"), 3, 0)
    noise = torch.Generator().manual_seed(1)
    plan, policy = plans(settings)
    learner, replicas = PolicyTrainer(plan, policy), ReplicaSet(plan)
    (replica,) = replicas.replicas[ONLY].values()

    def both():
        players = learner.models[""].player, replica.player
        return tuple(asyncio.run(p.probabilities(view)) for p in players)  # type: ignore[return-value]

    try:
        with learner.models[""].engine.updating():
            for param in learner.models[""].trainer.weights.params.values():
                param.data.add_(torch.randn(param.shape, generator=noise), alpha=0.3)
        trainers, before = both()
        assert trainers != before
        replicas.load({ONLY: (7, learner.weights())})
        trainers, after = both()
        assert trainers == after
        assert replica.engine.version == 7
    finally:
        replicas.close()
        learner.close()


@pytest.mark.slow
def test_killed_and_resumed_is_the_same_bit_for_bit(tmp_path):
    """Killed after the row of step 5, it resumes from the checkpoint of step 4, which holds the queued episodes."""
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    assert in_child(TRAINING, tmp_path / "whole", 2) == 0
    assert in_child(TRAINING, tmp_path / "killed", 2, 5) == -signal.SIGKILL
    assert in_child(TRAINING, tmp_path / "killed", 2) == 0
    whole, killed = (tmp_path / name / "run" for name in ("whole", "killed"))
    assert (killed / METRICS).read_bytes() == (whole / METRICS).read_bytes()
    for part in ("checkpoints/step-00000006/weights.safetensors", "snapshots/kuhn@6/model.safetensors"):
        assert (killed / part).read_bytes() == (whole / part).read_bytes()


FREE: dict[str, Any] = {
    "policy": {"model": "tiny(layers=1, hidden=32)", "decode": "free", "max_tokens": 12},
    "illegal": {"retries": 0},
    "evaluation": {"every": 100, "matches": 0, "exact": False},
    "snapshots": {"every": None, "matches": 0},
    "opponents": {"self": 1.0},
    "anchors": [],
    "loss": {},
    "overlap": 1,
    "in_flight": True,
    "concurrency": 4,
}


@pytest.fixture
def held(monkeypatch):
    """The matches of step 1 wait in the middle of an answer until the learner has taken step 0."""
    end, turn, done = RolloutBatch.end, TrainableEngine.turn, set()

    def ended(self, log):
        end(self, log)
        done.add(self.step)

    def held_turn(self, arrived):
        answers = turn(self, arrived)
        until = time.monotonic() + 240
        while done == {0} and any(len(row.ids) == 3 for row in self._free._active) and self.version == 0:
            assert time.monotonic() < until, "the new weights did not arrive"
            time.sleep(0.001)
        return answers

    monkeypatch.setattr(RolloutBatch, "end", ended)
    monkeypatch.setattr(TrainableEngine, "turn", held_turn)


def test_answers_go_on_with_new_weights_and_a_run_resumes(tmp_path, held):
    settings = config(tmp_path, steps=2, **FREE)
    run_training(settings, board="off")
    first, second = (row for row in read_metrics(settings.place) if "token_staleness" in row)
    assert (first["mixed_versions"], first["token_staleness"], first["staleness_max"]) == (0.0, 0.0, 0)
    assert 0.0 < second["mixed_versions"] < 1.0
    assert 0.0 < second["token_staleness"] < second["staleness_max"] == 1  # most answers are newer than the plan
    with Store.open(settings.db, read_only=True) as store:
        run = store.run("kuhn.training")
        turns = [t for r, e in store.episodes(run) if r.round == 1 for t in e.turns]
        samples = [a.sample for t in turns for a in t.attempts if a.sample]
        failed = [a.sample for r, e in store.episodes(run) if r.round == 1 for a in e.failure if a.sample]
    mixed = [s for s in samples + failed if s.versions is not None]
    assert mixed
    for sample in mixed:
        assert len(sample.token_versions()) == len(sample.completion_ids)
        assert set(sample.token_versions()) == {0, 1}
        assert sample.version == 1
    assert run_training(config(tmp_path, steps=3, **FREE), board="off").complete


def test_a_run_that_failed_while_steps_overlap_resumes_and_learns_each_match_once(tmp_path, monkeypatch):
    settings = config(tmp_path, steps=4, **FREE | {"checkpoint": {"every": 1}})
    learn = PolicyTrainer.learn

    def failing(self, *given):
        if self.version == 2:
            raise RuntimeError("the learner is gone")
        return learn(self, *given)

    with monkeypatch.context() as patched:
        patched.setattr(PolicyTrainer, "learn", failing)
        with pytest.raises(RuntimeError, match="the learner is gone"):
            run_training(settings, board="off")
    assert run_training(settings, board="off").complete
    rows = [row for row in read_metrics(settings.place) if "staleness" in row]
    assert [row["matches"] for row in rows] == [16.0] * 4
    assert all(row["staleness_max"] <= 1 for row in rows)
    with Store.open(settings.db, read_only=True) as store:
        rounds = [result.round for result, _ in store.episodes(store.run("kuhn.training"))]
    assert [rounds.count(step) for step in range(3)] == [16] * 3  # step 2 was planned before the checkpoint
    assert rounds.count(3) >= 16  # step 3 after it: what the failure lost is planned anew


def test_in_flight_needs_matches_that_are_played_ahead(tmp_path):
    with pytest.raises(InputError, match="set overlap = 1"):
        config(tmp_path, in_flight=True)
