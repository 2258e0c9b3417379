"""A start of a training has one object of its settings, from which one plan is made."""

import gc
from typing import Any

from league import TrainingConfig, run_training
from league.training import run
from league.training.loop import Training
from tests.league.training.runs import KUHN, config


def alive():
    return [each for each in gc.get_objects() if type(each) is TrainingConfig]


def test_one_start_makes_one_plan_and_no_further_settings(tmp_path, monkeypatch):
    """With two policies, a freeze and an anchor, which once made eight objects of the settings."""
    c = config(
        tmp_path,
        steps=1,
        matches_per_step=2,
        freeze=[{"role": "first", "game": KUHN, "start": 1}],
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
