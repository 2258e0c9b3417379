"""The right check finds each planted bug of an advantage estimator or a loss."""

import dataclasses
import random
from typing import Any

import numpy as np
import pytest

from arena.conformance.learner import ADVANTAGE_CHECKS, check_advantage
from arena.conformance.losses import LOSS_CHECKS, check_loss
from arena.learner import LossConfig
from arena.learner.advantages import ESTIMATORS, Returns
from games import InputError, plugins

torch = pytest.importorskip("torch")

from arena.learner.losses import LOSSES, ClippedRatio, Reinforce  # noqa: E402


class Mean(Returns):
    """Reward minus the mean of all earlier rewards."""

    def __init__(self) -> None:
        self.total, self.n = 0.0, 0

    def advantages(self, credits):
        base = self.total / self.n if self.n else 0.0
        self.total, self.n = self.total + sum(c.reward for c in credits), self.n + len(credits)
        return np.array([c.reward - base for c in credits])

    def state_dict(self):
        return {"total": self.total, "n": self.n}

    def load_state_dict(self, state):
        self.total, self.n = state["total"], state["n"]


class WithoutConfig(Reinforce):
    def __init__(self, share: float = 1.0) -> None:
        self.share = share


def test_a_loss_without_config_is_told_what_to_write():
    with plugins.isolated():
        LOSSES.register("bare")(WithoutConfig)
        with pytest.raises(
            InputError, match=r"does not take 'config', .*; write `def __init__\(self, config, \.\.\.\)`"
        ):
            check_loss("bare(share=0.5)")


class OneTooFew(Mean):
    def advantages(self, credits):
        return super().advantages(credits)[:-1]


class Column(Mean):
    def advantages(self, credits):
        return super().advantages(credits)[:, None]


class DividesByTheDeviation(Mean):
    def advantages(self, credits):
        found = super().advantages(credits)
        with np.errstate(all="ignore"):
            return found / found.std() if len(found) else found


class FailsOnNothing(Mean):
    def advantages(self, credits):
        return super().advantages(credits) - max(c.reward for c in credits)


class Flipped(Mean):
    def advantages(self, credits):
        return -super().advantages(credits)


class ForgetsItsState(Mean):
    def state_dict(self):
        return {"n": self.n}

    def load_state_dict(self, state):
        self.n = state["n"]


class ArrayInState(Mean):
    def state_dict(self):
        return {"total": np.float32(self.total), "n": self.n}


class NoTurns(Mean):
    def turn_advantages(self, credits):
        return [() for _ in credits]


class Noisy(Mean):
    def advantages(self, credits):
        return super().advantages(credits) + random.random() * 1e-3


class Words(Mean):
    def advantages(self, credits):
        return ["good"] * len(credits)


class WithoutBase:
    def advantages(self, credits):
        return [c.reward for c in credits]

    def state_dict(self):
        return {}

    def load_state_dict(self, state):
        pass


class Misnamed(Returns):
    def advantage(self, credits):
        return [0.0 for _ in credits]


class Plain(Returns):
    pass


def test_an_estimator_that_overrides_nothing_is_noted():
    with plugins.isolated():
        ESTIMATORS.register("plain")(Plain)
        report = check_advantage("plain")
    assert report.ok
    assert "Plain overrides no advantages(self, credits)" in report.of("base")[0].message


@pytest.mark.parametrize("id", [*ESTIMATORS.ids(), "rae(decay=0.5)", "grpo(scale=false)"])
def test_built_in_estimators_pass(id):
    report = check_advantage(id)
    assert report.ok, str(report)
    assert [check.name for check in report.checks] == list(ADVANTAGE_CHECKS)


@pytest.mark.parametrize(
    ("faulty", "check", "words"),
    [
        (WithoutBase, "base", "class WithoutBase(Returns)"),
        (Misnamed, "base", "it has 'advantage', which nothing calls; did you mean 'advantages'?"),
        (OneTooFew, "shape", "shape (0,) for 1 credits"),
        (Column, "shape", "array of shape (0, 1) for 0 credits"),
        (DividesByTheDeviation, "shape", "returned nan at index 0"),
        (FailsOnNothing, "shape", "raised ValueError"),
        (Words, "shape", "it must return 1 finite numbers"),
        (Flipped, "direction", "rewards 1 and -1 have the advantages -1 and 1"),
        (ForgetsItsState, "state", "a resumed run would not continue exactly"),
        (ArrayInState, "state", "state_dict is not plain JSON"),
        (Noisy, "repeats", "global generator random"),
        (NoTurns, "turns", "must return 1 sequences of finite numbers"),
    ],
)
def test_the_right_check_names_a_faulty_estimator(faulty, check, words):
    plugins.register("arena.advantages", "tested")(faulty)
    report = check_advantage("tested")
    assert not report.ok
    assert any(words in f.message for f in report.of(check)), str(report)


class MeanLoss(Reinforce):
    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses / len(losses), clipped


class Normalised(Reinforce):
    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        scale = tokens.advantage.abs().mean()
        return losses / scale, clipped


class OneNumber(Reinforce):
    def __call__(self, tokens):
        return super().__call__(tokens)[0].sum(), torch.zeros(len(tokens.logp), dtype=torch.bool)


class LossAlone(Reinforce):
    def __call__(self, tokens):
        return super().__call__(tokens)[0]


class FloatMask(Reinforce):
    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses, clipped.float()


class NoGradient(Reinforce):
    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses.detach(), clipped


class FlippedLoss(Reinforce):
    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return -losses, clipped


class Explodes(ClippedRatio):
    def __call__(self, tokens):
        ratio = (tokens.logp - tokens.old).exp() ** 4
        return -ratio * ratio * tokens.advantage, torch.zeros_like(ratio, dtype=torch.bool)


class InPlace(Reinforce):
    def __call__(self, tokens):
        tokens.advantage.mul_(0.5)
        return super().__call__(tokens)


class NoisyLoss(Reinforce):
    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses * (1 + 0.01 * torch.rand(len(losses))), clipped


class BatchMean(Reinforce):
    step_statistics = True

    def prepare(self, tokens):
        return {"mean": torch.full_like(tokens.advantage, float(tokens.advantage.mean()))}

    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses * tokens.prepared["mean"].exp(), clipped


class UndeclaredMean(BatchMean):
    step_statistics = False


class GroupMean(Reinforce):
    def prepare(self, tokens):
        of = (tokens.group[:, None] == tokens.group[None, :]).float()
        return {"mean": of @ tokens.advantage / of.sum(1)}

    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses * tokens.prepared["mean"].exp(), clipped


class DividedGroupMean(GroupMean):
    unit = "trajectory"


class PreparesNumbers(Reinforce):
    def prepare(self, tokens):
        return {"mean": float(tokens.advantage.mean())}


class PreparesFromThePolicy(Reinforce):
    """It does not say that it needs the policy."""

    def prepare(self, tokens):
        return {"low": torch.full_like(tokens.entropy, max(0.0, float(tokens.entropy.mean())))}


class Averaged(Reinforce):
    reduction = "mean"  # type: ignore[assignment]


class LooksAtTheForm(Reinforce):
    """It reads no value of the policy."""

    def prepare(self, tokens):
        assert len(tokens.logp) == tokens.entropy.shape[0] == tokens.logp.numel()
        same = dataclasses.replace(tokens, advantage=-tokens.advantage)
        return {"one": torch.ones_like(same.logp)}


class Counts(Reinforce):
    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.steps = 0

    def prepare(self, tokens):
        self.steps += 1
        return {"steps": torch.full_like(tokens.advantage, self.steps)}

    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses * tokens.prepared["steps"], clipped

    def state_dict(self):
        return {"steps": self.steps}

    def load_state_dict(self, state):
        self.steps = state["steps"]


class ForgetsItsCount(Counts):
    def load_state_dict(self, state):
        pass


@pytest.mark.parametrize("id", LOSSES.ids())
def test_built_in_losses_pass(id):
    report = check_loss(id)
    assert report.ok, str(report)
    assert [check.name for check in report.checks] == list(LOSS_CHECKS)
    declared = getattr(LOSSES.make(id, config=LossConfig(name=id)), "step_statistics", False)
    assert report.status("minibatches") == ("not verifiable" if declared else "pass")


@pytest.mark.parametrize(
    ("faulty", "check", "words"),
    [
        (MeanLoss, "split", "a loss must be a sum over tokens, not a mean"),
        (Normalised, "split", "a loss must be a sum over tokens, not a mean"),
        (OneNumber, "answers", "returned shapes () and (2,)"),
        (LossAlone, "answers", "returned Tensor; it must return losses"),
        (FloatMask, "answers", "torch.float32 and torch.float32"),
        (NoGradient, "answers", "do not depend on tokens.logp"),
        (FlippedLoss, "gradient", "has the wrong sign"),
        (Explodes, "gradient", "not finite for log ratios within 30"),
        (InPlace, "answers", "it modified tokens.advantage"),
        (NoisyLoss, "repeats", "global generator torch"),
        (PreparesNumbers, "answers", "prepare returned float under 'mean'; it must return a dict of tensors"),
        (PreparesFromThePolicy, "answers", "computed before it only for a loss with `needs_policy = True`"),
        (Averaged, "answers", "reduction is 'mean'; write one of 'constant', 'token', 'sequence'"),
        (UndeclaredMean, "minibatches", "its unit is group: set unit to the smallest of sample, trajectory and group"),
        (DividedGroupMean, "minibatches", "its unit is trajectory"),
        (ForgetsItsCount, "state", "state_dict differs after load_state_dict"),
    ],
)
def test_the_right_check_names_a_faulty_loss(faulty, check, words):
    plugins.register("arena.losses", "tested")(faulty)
    report = check_loss("tested")
    assert not report.ok
    assert any(words in f.message for f in report.of(check)), str(report)


@pytest.mark.parametrize("good", [BatchMean, GroupMean, Counts, LooksAtTheForm])
def test_means_over_a_step_and_state_are_allowed_in_prepare(good):
    plugins.register("arena.losses", "tested")(good)
    report = check_loss("tested")
    assert report.ok, str(report)
