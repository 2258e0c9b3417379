"""The settings that a training keeps in the store, and with which it resumes."""

from contextlib import ExitStack

import pytest

from games import InputError
from league.store import Store
from league.training.stored_runs import start_runs
from tests.league.training.runs import KUHN, config, plans


def started(folder, **more):
    c = config(folder, record=False, **more)
    with Store.open(c.db) as store, ExitStack() as stack:
        return start_runs(store, stack, plans(c)[0].runs).rated.spec.other["training"]  # type: ignore[no-any-return]


def test_where_an_engine_runs_may_change_between_two_starts(tmp_path):
    policy = {"model": "tiny(layers=1, hidden=32)", "engine": "vllm"}
    stored = started(tmp_path, policy=policy)
    assert started(tmp_path, policy=policy | {"vllm": {"gpus": [1], "max_rows": 8}}) == stored


def test_a_game_of_a_freeze_may_be_written_in_another_way(tmp_path):
    stored = started(tmp_path, freeze=[{"role": "first", "game": KUHN}])
    assert started(tmp_path, freeze=[{"role": "first", "game": f"{KUHN}()"}]) == stored


@pytest.mark.parametrize(
    ("more", "words"),
    [({"overlap": 1}, "overlap was 0, is 1"), ({"loss": {"tau": 0.4}}, r"loss\.tau was 0\.3, is 0\.4")],
)
def test_a_training_does_not_resume_with_other_settings(tmp_path, more, words):
    assert started(tmp_path) == started(tmp_path)
    with pytest.raises(InputError, match=f"another configuration: {words}"):
        started(tmp_path, **more)
