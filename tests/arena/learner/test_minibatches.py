"""Mini-batches follow the unit of a loss: the mean of their gradients at fixed weights is that of the whole step."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.conformance.losses import check_loss
from arena.inference.models import LoadedModel
from arena.learner import LossConfig, OptimizerConfig, ReplayConfig, TrainerConfig
from arena.learner.losses import LOSSES, register
from arena.learner.losses.base import BaseLoss, policy_loss, unit_of
from arena.learner.replay import ReplayBuffer
from arena.learner.samples import units_of
from arena.learner.trainer import Trainer
from games.errors import PluginError
from tests.arena.learner.drawing import made_up, near_policy
from tests.arena.learner.loss_kinds import KINDS, UNITS

ADDITIVE = [id for id in KINDS if not getattr(LOSSES.make(id, config=LossConfig()), "step_statistics", False)]


def answers(count, seed):
    """Samples in groups of up to four trajectories of up to three turns."""
    out = []
    for i, sample in enumerate(made_up(count, seed)):
        group, trajectory = ("game", "role", "", f"g{i // 3 // 4}", f"task {i // 3 // 4}"), (f"m{i // 3}", "seat")
        earned = float(i // 3 * 7 % 5) / 4
        out.append(replace(sample, group=group, trajectory=trajectory, turn=i % 3, reward=earned, score=earned))
    return out


class Epoch:
    """The gradient of each optimizer step of an epoch whose optimizer does nothing."""

    def __init__(self, loss: str, model: LoadedModel, teacher: LoadedModel) -> None:
        replay = ReplayConfig(keep="temporal" if loss == "temporal" else "newest")
        name = "gtpo(threshold=100)" if loss == "gtpo" else loss  # else it ignores answers of an untrained model
        config = TrainerConfig(loss=LossConfig(name=name), replay=replay)
        self.trainer = Trainer(model.model, config, teacher.model)
        self.trainer._apply = self.hold  # type: ignore[method-assign]
        self.held: list[tuple[int, torch.Tensor]] = []
        self.size = 0
        self.update = self.trainer._update
        self.trainer._update = self.sized  # type: ignore[method-assign]

    def sized(self, data, part, meter, first):
        by_token = self.trainer.objective.reduction == "token"
        self.size = sum(len(data.samples[i].decided()) if by_token else 1 for i in part)
        self.update(data, part, meter, first)

    def hold(self, lr):
        masters = self.trainer.weights.masters.values()
        grads = [m.grad.flatten().double() for m in masters if m.grad is not None]
        self.held.append((self.size, torch.cat(grads)))
        return 0.0

    def gradient(self, samples, minibatches):
        """The mean of the gradients, each weighed by what its optimizer step divides by, and how many there are."""
        config = self.trainer.config
        optimizer = config.optimizer.model_copy(update={"minibatches": minibatches})
        self.trainer.config = config.model_copy(update={"optimizer": optimizer})
        self.trainer.steps, self.held = 0, []
        self.trainer.replay = ReplayBuffer(config.replay, 0)
        self.trainer.replay.add(samples)  # what `temporal` compares with
        self.trainer.step(samples)
        total = sum(size for size, _ in self.held)
        return torch.stack([size / total * grad for size, grad in self.held]).sum(0), len(self.held)


@pytest.mark.parametrize("id", ADDITIVE)
def test_the_minibatches_of_an_epoch_add_up_to_the_whole_step(id, fresh):
    teacher = fresh()
    with torch.no_grad():
        next(iter(teacher.model.parameters())).mul_(0.5)
    epoch = Epoch(id, fresh(), teacher)

    @settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(count=st.integers(14, 22), minibatches=st.integers(2, 9), seed=st.integers(0, 9))
    def check(count: int, minibatches: int, seed: int) -> None:
        samples = near_policy(epoch.trainer.model, answers(count, seed))
        expected, _ = epoch.gradient(samples, 1)
        found, parts = epoch.gradient(samples, minibatches)
        assert 1 < parts <= minibatches
        scale = float(expected.abs().max())
        assert scale > 0
        assert float((found - expected).abs().max()) <= 1e-4 * scale

    check()


@pytest.mark.parametrize("id", UNITS)
@pytest.mark.parametrize("minibatches", [2, 3, 50])
def test_no_unit_is_divided(id, minibatches, loaded):
    """With fewer units than mini-batches each unit is one."""
    replay = ReplayConfig(keep="temporal" if id == "temporal" else "newest")
    optimizer = OptimizerConfig(minibatches=minibatches)
    config = TrainerConfig(loss=LossConfig(name=id), optimizer=optimizer, replay=replay)
    trainer = Trainer(loaded.model, config, loaded.model)
    samples = answers(30, 1)
    units = units_of(samples, unit_of(trainer.objective.policy_loss))
    parts = trainer.minibatches(samples, 0)
    assert len(parts) == min(minibatches, len(units))
    assert sorted(i for part in parts for i in part) == list(range(30))
    assert all(sum(not set(unit).isdisjoint(part) for part in parts) == 1 for unit in units)
    assert max(map(len, parts)) <= math.ceil(len(units) / len(parts)) * max(map(len, units))


class Undeclared(BaseLoss):
    """A loss that prepares something and declares no unit."""

    def __init__(self, config: LossConfig) -> None:
        pass

    def prepare(self, tokens):
        return {"advantage": tokens.advantage}

    def __call__(self, tokens):
        return -tokens.prepared["advantage"] * tokens.logp, torch.zeros_like(tokens.logp, dtype=torch.bool)


def test_a_loss_that_prepares_something_sees_whole_groups_unless_it_declares_a_unit():
    assert unit_of(Undeclared(LossConfig())) == "group"
    assert unit_of(policy_loss(LossConfig(name="ppo"))) == "sample"
    assert unit_of(policy_loss(LossConfig(name="empg"))) == "trajectory"


def test_a_loss_of_single_samples_needs_no_whole_groups():
    """nft reads the success rates of the whole training step, chord counts tokens."""
    assert {unit_of(policy_loss(LossConfig(name=id))) for id in ("nft", "chord")} == {"sample"}


@pytest.mark.parametrize("id", [id for id in KINDS if id not in ADDITIVE])
def test_a_loss_that_declares_statistics_of_the_step_has_some(id, monkeypatch):
    monkeypatch.setattr(type(policy_loss(LossConfig(name=id))), "step_statistics", False)
    assert check_loss(id).status("minibatches") == "FAIL"


def test_a_unit_that_does_not_exist_is_refused_and_found_by_the_check():
    @register("test-unit")
    class Divided(Undeclared):
        unit = "batch"  # type: ignore[assignment]

    with pytest.raises(PluginError, match="unit is 'batch'; write one of 'sample', 'trajectory', 'group'"):
        policy_loss(LossConfig(name="test-unit"))
    assert any("unit is 'batch'" in f.message for f in check_loss("test-unit").findings)
