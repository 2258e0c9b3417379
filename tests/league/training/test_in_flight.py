"""New weights in the middle of answers: what is stored, what the metrics say, and that such a run resumes."""

import time
from typing import Any

import pytest

from arena.inference.transformers.trainable import TrainableEngine
from games import InputError
from league.records.metrics_file import read_metrics
from league.store import Store
from league.training.loop import Training
from league.training.run import run_training
from tests.league.training.runs import config

FREE: dict[str, Any] = {
    "policy": {"model": "tiny(layers=1, hidden=32)", "decode": "free", "max_tokens": 12},
    "illegal": {"retries": 0},
    "evaluation": {"every": 100, "matches": 0, "exact": False},
    "snapshots": {"every": None, "win_rate": None, "matches": 0},
    "opponents": {"self": 1.0},
    "anchors": [],
    "loss": {},
    "overlap": 1,
    "in_flight": True,
}


@pytest.fixture
def held(monkeypatch):
    """The matches of step 1 wait in the middle of an answer until the learner has taken step 0."""
    play, turn, playing = Training._play, TrainableEngine.turn, [0]

    async def batch(self, given):
        playing.append(given.step)
        return await play(self, given)

    def held_turn(self, arrived):
        answers = turn(self, arrived)
        until = time.monotonic() + 240
        while playing[-1] == 1 and any(len(row.ids) == 3 for row in self._free._active) and self.version == 0:
            assert time.monotonic() < until, "the new weights did not arrive"
            time.sleep(0.001)
        return answers

    monkeypatch.setattr(Training, "_play", batch)
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


def test_in_flight_needs_matches_that_are_played_ahead(tmp_path):
    with pytest.raises(InputError, match="set overlap = 1"):
        config(tmp_path, in_flight=True)
