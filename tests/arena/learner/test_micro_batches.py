"""The gradient of an optimizer step does not depend on how memory divides it into micro-batches."""

from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.learner import LossConfig, ReplayConfig, Trainer, TrainerConfig
from tests.arena.learner.drawing import made_up, near_policy
from tests.arena.learner.loss_kinds import KINDS


class Gradients:
    """The gradient of an optimizer step at fixed weights, by token budget."""

    def __init__(self, model: Any, loss: LossConfig, teacher: Any) -> None:
        replay = ReplayConfig(keep="temporal" if loss.name == "temporal" else "newest")
        self.trainer = Trainer(model, TrainerConfig(loss=loss, replay=replay), teacher)
        self.start = self.trainer.state_dict().get("loss")
        self.held: list[torch.Tensor] = []
        self.trainer.optimizer.step = self.hold  # type: ignore[method-assign, assignment]

    def hold(self):
        grads = [m.grad for m in self.trainer.weights.masters.values() if m.grad is not None]
        self.held = [grad.flatten().clone() for grad in grads]

    def at(self, samples, budget):
        """The gradient, and the metrics of the step."""
        self.trainer.token_budget, self.trainer.steps = budget, 0
        if self.start is not None:
            self.trainer.objective.policy_loss.load_state_dict(self.start)  # type: ignore[attr-defined]
        stats = self.trainer.step(samples)
        return torch.cat(self.held), stats


@pytest.mark.parametrize("id", KINDS)
def test_the_gradient_does_not_depend_on_micro_batches(id, fresh):
    model = fresh().model
    samples = near_policy(model, made_up(24))
    loss = LossConfig(name=id, normaliser=3.0, kl=0.1, entropy=0.01)
    teacher = fresh().model
    with torch.no_grad():
        next(iter(teacher.parameters())).mul_(0.5)
    gradients = Gradients(model, loss, teacher)
    expected, whole = gradients.at(samples, 1 << 20)
    assert whole.micro_batches == 1
    scale = float(expected.abs().max())
    assert scale > 0

    @settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(budget=st.integers(1, 40))
    def check(budget: int) -> None:
        found, stats = gradients.at(samples, budget)
        assert stats.micro_batches > 1
        assert float((found - expected).abs().max()) < 1e-4 * scale
        assert stats.loss == pytest.approx(whole.loss, rel=1e-4, abs=1e-6)

    check()
