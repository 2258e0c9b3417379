"""On the CPU a training does not depend on when requests reach the engine and which come together."""

import random

from arena.inference.transformers.batcher import Batcher
from arena.inference.transformers.engine import TransformersEngine
from league.store import Store
from league.training.run import run_training
from tests.league.training.runs import config

GAME = "openspiel/mnk(m=4,n=4,k=3)"


def trained(folder):
    """The weights after two steps on a game whose actions part at several tokens, and all stored probabilities."""
    folder.mkdir()
    c = config(
        folder,
        steps=2,
        matches_per_step=5,
        games=[GAME],
        loss={"tau": 0.0},
        optimizer={"lr": 0.05},  # far from uniform after the first step, so that rounding shows
        opponents={"self": 1.0},
        anchors=[],
        snapshots={"every": 2, "matches": 0},
        evaluation={"every": 2, "exact": False},
        checkpoint={"every": 2},
    )
    run_training(c, board="off")
    with Store.open(c.db, read_only=True) as store:
        episodes = [episode for run in store.runs() for _, episode in store.episodes(run)]
    stored = [
        (turn.action, [a.sample.logprobs for a in turn.attempts if a.sample]) for e in episodes for turn in e.turns
    ]
    assert len(stored) > 50
    return (c.place / "checkpoints/step-00000002/weights.safetensors").read_bytes(), stored


def test_two_runs_with_different_timing_are_the_same_bit_for_bit(tmp_path, monkeypatch):
    calm = trained(tmp_path / "calm")
    rng, groups = random.Random(1), []
    turn, deliver = TransformersEngine.turn, Batcher._deliver

    def scattered(self, arrived):
        """What arrived, in another order and in small groups."""
        out, jobs = [], rng.sample(arrived, len(arrived))
        while jobs:
            groups.append(rng.randint(1, 3))
            out += turn(self, jobs[: groups[-1]])
            del jobs[: groups[-1]]
        return out

    def late(self, answers):
        """One answer after another, so that the matches run apart."""
        for answer in rng.sample(answers, len(answers)):
            deliver(self, [answer])

    monkeypatch.setattr(TransformersEngine, "turn", scattered)
    monkeypatch.setattr(Batcher, "_deliver", late)
    weights, stored = trained(tmp_path / "scattered")
    assert stored == calm[1]
    assert weights == calm[0]
    assert len(groups) > 30
