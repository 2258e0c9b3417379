"""From a training's file to its plan, and from a stored run."""

import gc
from contextlib import ExitStack
from typing import Any

import pytest

from games import InputError
from league import TrainingConfig, run_training
from league.store import Store
from league.training import run
from league.training.loop import Training
from league.training.stored_runs import start_runs
from tests.league.training.runs import config, plans


def alive():
    return [each for each in gc.get_objects() if type(each) is TrainingConfig]


def test_one_start_makes_one_plan_and_no_further_settings(tmp_path, monkeypatch):
    """With two policies, a phase and an anchor, which once made eight objects of the settings."""
    c = config(
        tmp_path,
        steps=1,
        matches_per_step=2,
        phases=[{"roles": ["first"]}],
        policies=[{"name": "main"}, {"name": "other", "kind": "main-exploiter"}],
        snapshots={"every": 9, "matches": 0},
        evaluation={"matches": 0, "exact": False},
    )
    made: list[str] = []
    for name in ("model_copy", "model_construct", "model_validate", "__copy__", "__deepcopy__"):
        monkeypatch.setattr(TrainingConfig, name, lambda *args, name=name, **more: made.append(name))
    before = alive()  # held, so that none of them disappears meanwhile
    during: list[int] = []
    steps = Training._steps
    monkeypatch.setattr(Training, "_steps", lambda self: during.append(len(alive())) or steps(self))
    plans: list[Any] = []
    resolve = run.resolve
    monkeypatch.setattr(run, "resolve", lambda *args, **more: plans.append(resolve(*args, **more)) or plans[-1])
    assert run_training(c, board="off").complete
    assert made == []
    assert during == [len(before)]
    (plan,) = plans
    assert [policy.ref.policy for policy in plan.policies.values()] == ["kuhn.main", "kuhn.other"]
    assert all("Config" not in type(policy).__name__ for policy in (plan, *plan.policies.values()))


def started(folder, **more):
    c = config(folder, record=False, **more)
    with Store.open(c.db) as store, ExitStack() as stack:
        return start_runs(store, stack, plans(c)[0].runs).rated.spec.training_file()


def test_where_an_engine_runs_may_change_between_two_starts(tmp_path):
    policy = {"model": "tiny(layers=1, hidden=32)", "engine": "vllm"}
    stored = started(tmp_path, policy=policy)
    assert started(tmp_path, policy=policy | {"vllm": {"gpus": [1], "max_rows": 8}}) == stored


@pytest.mark.parametrize(
    ("more", "words"),
    [({"overlap": 1}, "overlap was 0, is 1"), ({"loss": {"tau": 0.4}}, r"loss\.tau was 0\.3, is 0\.4")],
)
def test_a_training_does_not_resume_with_other_settings(tmp_path, more, words):
    assert started(tmp_path) == started(tmp_path)
    with pytest.raises(InputError, match=f"another configuration: {words}"):
        started(tmp_path, **more)
