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
from tests.toys.faults import having, returning

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


class ForgetsItsState(Mean):
    def state_dict(self):
        return {"n": self.n}

    def load_state_dict(self, state):
        self.n = state["n"]


def giving(change):
    """Returns the mean with `change(advantages, credits)` for its advantages."""
    return returning(Mean, advantages=lambda found, self, credits: change(found, credits))


def divided(found, credits):
    with np.errstate(all="ignore"):
        return found / found.std() if len(found) else found


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
        (giving(lambda found, _: found[:-1]), "shape", "shape (0,) for 1 credits"),
        (giving(lambda found, _: found[:, None]), "shape", "array of shape (0, 1) for 0 credits"),
        (giving(divided), "shape", "returned nan at index 0"),
        (giving(lambda found, credits: found - max(c.reward for c in credits)), "shape", "raised ValueError"),
        (giving(lambda found, _: ["good"] * len(found)), "shape", "it must return 1 finite numbers"),
        (giving(lambda found, _: -found), "direction", "rewards 1 and -1 have the advantages -1 and 1"),
        (ForgetsItsState, "state", "a resumed run would not continue exactly"),
        (
            returning(Mean, state_dict=lambda state, self: state | {"total": np.float32(self.total)}),
            "state",
            "state_dict is not plain JSON",
        ),
        (giving(lambda found, _: found + random.random() * 1e-3), "repeats", "global generator random"),
        (
            having(Mean, turn_advantages=lambda self, credits: [() for _ in credits]),
            "turns",
            "must return 1 sequences of finite numbers",
        ),
    ],
)
def test_the_right_check_names_a_faulty_estimator(faulty, check, words):
    plugins.register("arena.advantages", "tested")(faulty)
    report = check_advantage("tested")
    assert not report.ok
    assert any(words in f.message for f in report.of(check)), str(report)


def answering(change):
    """Returns the loss with `change(losses, clipped, tokens)` for its answer."""
    return returning(Reinforce, __call__=lambda found, self, tokens: change(*found, tokens))


class Explodes(ClippedRatio):
    def __call__(self, tokens):
        ratio = (tokens.logp - tokens.old).exp() ** 4
        return -ratio * ratio * tokens.advantage, torch.zeros_like(ratio, dtype=torch.bool)


class InPlace(Reinforce):
    def __call__(self, tokens):
        tokens.advantage.mul_(0.5)
        return super().__call__(tokens)


class BatchMean(Reinforce):
    step_statistics = True

    def prepare(self, tokens):
        return {"mean": torch.full_like(tokens.advantage, float(tokens.advantage.mean()))}

    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses * tokens.prepared["mean"].exp(), clipped


class GroupMean(Reinforce):
    def prepare(self, tokens):
        of = (tokens.group[:, None] == tokens.group[None, :]).float()
        return {"mean": of @ tokens.advantage / of.sum(1)}

    def __call__(self, tokens):
        losses, clipped = super().__call__(tokens)
        return losses * tokens.prepared["mean"].exp(), clipped


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
        (
            answering(lambda losses, clipped, _: (losses / len(losses), clipped)),
            "split",
            "a loss must be a sum over tokens, not a mean",
        ),
        (
            answering(lambda losses, clipped, tokens: (losses / tokens.advantage.abs().mean(), clipped)),
            "split",
            "a loss must be a sum over tokens, not a mean",
        ),
        (
            answering(lambda losses, clipped, _: (losses.sum(), torch.zeros_like(losses, dtype=torch.bool))),
            "answers",
            "returned shapes () and (2,)",
        ),
        (answering(lambda losses, clipped, _: losses), "answers", "returned Tensor; it must return losses"),
        (answering(lambda losses, clipped, _: (losses, clipped.float())), "answers", "torch.float32 and torch.float32"),
        (answering(lambda losses, clipped, _: (losses.detach(), clipped)), "answers", "do not depend on tokens.logp"),
        (answering(lambda losses, clipped, _: (-losses, clipped)), "gradient", "has the wrong sign"),
        (Explodes, "gradient", "not finite for log ratios within 30"),
        (InPlace, "answers", "it modified tokens.advantage"),
        (
            answering(lambda losses, clipped, _: (losses * (1 + 0.01 * torch.rand(len(losses))), clipped)),
            "repeats",
            "global generator torch",
        ),
        (
            having(Reinforce, prepare=lambda self, tokens: {"mean": float(tokens.advantage.mean())}),
            "answers",
            "prepare returned float under 'mean'; it must return a dict of tensors",
        ),
        (
            having(
                Reinforce,
                prepare=lambda self, tokens: {"low": tokens.entropy.mean().clamp(min=0.0).expand_as(tokens.entropy)},
            ),
            "answers",
            "computed before it only for a loss with `needs_policy = True`",
        ),
        (
            having(Reinforce, reduction="mean"),
            "answers",
            "reduction is 'mean'; write one of 'constant', 'token', 'sequence'",
        ),
        (
            having(BatchMean, step_statistics=False),
            "minibatches",
            "its unit is group: set unit to the smallest of sample, trajectory and group",
        ),
        (having(GroupMean, unit="trajectory"), "minibatches", "its unit is trajectory"),
        (having(Counts, load_state_dict=lambda self, state: None), "state", "state_dict differs after load_state_dict"),
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
