"""The plan of a trainer's memory against whole steps on fake tensors, which have shapes and no values."""

from dataclasses import replace

import pytest

from arena.inference.shapes import FAMILIES
from arena.learner import LearnerConfig
from league.training.participants.policy_id import ONLY
from league.training.resolve import resolve
from league.training.resources.memory import learner_memory
from league.training.resources.resource_plan import Cards
from tests.arena.learner.fake_memory import step_peak
from tests.league.training.runs import config

pytestmark = pytest.mark.filterwarnings("ignore")  # torch's, of fake tensors


def planned_and_taken(tmp_path, monkeypatch, name, tokens, recompute, layers=None):
    shape = FAMILIES[name]
    shape = replace(shape, layers=layers or shape.layers)
    optimizer = {"token_budget": tokens, "gradient_checkpointing": recompute, "checkpoint_above": 10**9}
    optimizer["head_rows"] = 2048
    policy = {"model": "Qwen/Qwen3-0.6B", "dtype": "bf16", "device": "cuda"}
    plan = resolve(config(tmp_path, policy=policy, loss={}, optimizer=optimizer)).policies[ONLY]
    memory = list(learner_memory(shape, plan, LearnerConfig(), 2, Cards(1, 1)))
    always = sum(each.bytes for each in memory if each.phase == "always")
    return always, sum(each.bytes for each in memory), step_peak(monkeypatch, shape, plan.trainer, tokens)


def test_a_step_takes_what_is_planned(tmp_path, monkeypatch):
    always, most, taken = planned_and_taken(tmp_path, monkeypatch, "qwen3-0.6b", 4000, False, layers=2)
    assert taken["between"] == pytest.approx(always, rel=0.01)
    assert 0.7 * most < taken["most"] <= most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "tokens", "recompute"),
    [("qwen3-0.6b", 8000, False), ("qwen3-0.6b", 16_000, True), ("qwen3-4b", 8000, False), ("qwen3-8b", 16_000, True)],
)
def test_steps_of_whole_models_take_what_is_planned(tmp_path, monkeypatch, name, tokens, recompute):
    always, most, taken = planned_and_taken(tmp_path, monkeypatch, name, tokens, recompute)
    assert taken["between"] == pytest.approx(always, rel=0.01)
    assert 0.7 * most < taken["most"] <= most
