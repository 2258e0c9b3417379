"""The interface of policy losses, their registry, and the check of what a plugin returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol, get_args, runtime_checkable

import torch
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.tokens import LossTokens
from games.errors import InputError
from games.plugins import Registry
from roles.reward_kind import NeededKind

Reduction = Literal["constant", "token", "sequence"]
Unit = Literal["sample", "trajectory", "group"]


@runtime_checkable
class PolicyLoss(Protocol):
    """A policy loss. Its factory takes `config: LossConfig` and then the parameters of its id.

    It may also have any attribute of `BaseLoss`, and these methods:

    - `prepare(tokens) -> Mapping[str, Tensor]`: called once before each optimizer step with all its tokens. It returns
      values (K,) by name, which `__call__` finds in `tokens.prepared`. Means, quantiles and random choices belong here,
      because a micro-batch holds only some samples of a step.
    - `state_dict() -> dict`, `load_state_dict(state)`: state as plain JSON, kept in checkpoints. Change it in `prepare`
      only: `__call__` is repeated if memory runs out.
    """

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, and (K,) bool: whether clipping removed the token's gradient."""
        ...


class BaseLoss:
    """The attributes of a loss, at their defaults; a loss may derive from it."""

    reduction: ClassVar[Reduction] = "constant"
    """how losses of tokens become that of the step. constant: their sum / (normaliser * samples), as in Dr. GRPO;
    token: their mean over all tokens of the step, as in DAPO; sequence: the mean over samples of each sample's mean, as
    in GRPO."""
    unit: ClassVar[Unit | None] = None
    """what mini-batches never divide, because `prepare` compares its parts: a sample, a trajectory (all turns of a seat
    in a match) or a group. Default: group for a loss with `prepare`, sample for others, which see no other sample"""
    step_statistics: ClassVar[bool] = False
    """whether `prepare` takes bounds, thresholds, means or counts over all tokens of the optimizer step, so that
    mini-batches, each with statistics of its own, do not add up to the whole step; `arena check` tests others"""
    needs_kind: NeededKind | None = None
    """the kind of reward it needs: with "verdict" rewards are 1 (right or won), 0 (wrong or lost) or 1/2 (a draw), with
    "preference" shares of wins from 0 to 1. A training refuses roles and games whose rewards do not say it"""
    dual_clips: ClassVar[bool] = False
    """whether it applies `[loss] dual_clip`; with other losses that setting is refused"""
    needs_policy: ClassVar[bool] = False
    """whether `prepare` reads `tokens.logp` and `tokens.entropy`, which takes another forward pass; otherwise
    reading them there raises RuntimeError"""
    needs_teacher: ClassVar[bool] = False
    """whether it reads `tokens.teacher`; a training then needs `[loss] teacher`"""
    needs_reference: ClassVar[bool] = False
    """whether it reads `tokens.reference`, which takes a copy of the weights and another forward pass"""
    keeps: ClassVar[int] = 0
    """n > 0: the trainer copies the policy before every n-th training step; `tokens.kept` is of the last copy"""
    needs_temporal: ClassVar[bool] = False
    """whether it compares with earlier answers to the same task; a training then needs `[replay] keep = "temporal"`"""
    compares: ClassVar[bool] = False
    """whether it compares the rewards of a group; a training then makes sure that there are groups of two or more"""
    follows_advantage: ClassVar[bool] = True
    """whether, on-policy, a token's gradient has the sign of its advantage; `arena check` tests it"""


LOSSES = Registry(
    "loss",
    "arena.losses",
    PolicyLoss,  # type: ignore[type-abstract]
    {
        "reinforce": "arena.learner.losses.reinforce:Reinforce",
        "ppo": "arena.learner.losses.ppo:ClippedRatio",
        "dapo": "arena.learner.losses.ppo:TokenMean",
        "dcpo": "arena.learner.losses.ppo:DynamicClip",
        "gspo": "arena.learner.losses.ppo:SequenceClip",
        "cispo": "arena.learner.losses.reinforce:ClippedWeight",
        "clip-cov": "arena.learner.losses.entropy:CovarianceClip",
        "kl-cov": "arena.learner.losses.entropy:CovariancePenalty",
        "high-entropy": "arena.learner.losses.entropy:HighEntropy",
        "empg": "arena.learner.losses.entropy:EntropyModulated",
        "gtpo": "arena.learner.losses.conflict:ConflictTokens",
        "bapo": "arena.learner.losses.adaptive:BalancedClip",
        "r2vpo": "arena.learner.losses.adaptive:RatioVariance",
        "mdpo": "arena.learner.losses.adaptive:MirrorDescent",
        "nft": "arena.learner.losses.nft:NegativeAware",
        "opmd": "arena.learner.losses.reinforce:RewardOverBaseline",
        "chord": "arena.learner.losses.imitation:ReplayMixture",
        "distill": "arena.learner.losses.imitation:Distillation",
        "asymre": "arena.learner.losses.reinforce:ShiftedBaseline",
        "sppo": "arena.learner.losses.preference:SelfPlayPreference",
        "inpo": "arena.learner.losses.preference:IterativeNash",
        "nash-mp": "arena.learner.losses.preference:NashMirrorProx",
        "dpo": "arena.learner.losses.pairwise:DirectPreference",
        "temporal": "arena.learner.losses.pairwise:TemporalPreference",
    },
)

ids = LOSSES.ids
register = LOSSES.register


def policy_loss(config: LossConfig) -> PolicyLoss:
    """Returns the loss named by `config.name`. Raises InputError."""
    made = LOSSES.make(config.name, config=config)
    if problem := problem_with_reduction(made) or problem_with_unit(made):
        raise LOSSES.broken(config.name, problem)
    if config.dual_clip is not None and not getattr(made, "dual_clips", False):
        raise InputError(
            f"[loss] dual_clip = {config.dual_clip:g}, but loss {config.name!r} has no such clip; remove dual_clip, or "
            "use a loss with a clipped ratio, such as ppo or gspo"
        )
    return _CheckedLoss(made, config.name) if LOSSES.is_plugin(config.name) else made


class _CheckedLoss:
    """A plugin's loss with a check of each result. Raises PluginError with the plugin's name."""

    def __init__(self, inner: PolicyLoss, id: str) -> None:
        self._inner, self._id = inner, id
        if hasattr(inner, "prepare"):
            self.prepare = self._checked_prepare

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        with LOSSES.blamed(self._id):
            result = self._inner(tokens)
        if problem := problem_with_loss(result, tokens.logp):
            raise LOSSES.broken(self._id, problem)
        return result

    def _checked_prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        with LOSSES.blamed(self._id, "prepare"):
            prepared: Mapping[str, Tensor] = self._inner.prepare(tokens)  # type: ignore[attr-defined]
            if problem := problem_with_prepared(prepared, len(tokens.sample)):
                raise LOSSES.broken(self._id, problem)
        return prepared

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def problem_with_reduction(loss: PolicyLoss) -> str:
    """Returns why the losses of tokens cannot become that of a step; "" if they can."""
    reduction, allowed = getattr(loss, "reduction", "constant"), get_args(Reduction)
    return (
        "" if reduction in allowed else f"reduction is {reduction!r:.40}; write one of {', '.join(map(repr, allowed))}"
    )


def unit_of(loss: PolicyLoss) -> Unit:
    """Returns what mini-batches never divide: see `BaseLoss.unit`."""
    declared: Unit | None = getattr(loss, "unit", None)
    return declared or ("group" if hasattr(loss, "prepare") else "sample")


def problem_with_unit(loss: PolicyLoss) -> str:
    """Returns why mini-batches cannot follow the unit of a loss; "" if they can."""
    unit, allowed = getattr(loss, "unit", None), get_args(Unit)
    return "" if unit in (None, *allowed) else f"unit is {unit!r:.40}; write one of {', '.join(map(repr, allowed))}"


def problem_with_loss(result: object, logp: Tensor) -> str:
    """Returns why the result of a loss cannot be minimised; "" if it can."""
    count = len(logp)
    requirement = f"it must return losses ({count},) with a gradient, and bools ({count},): which tokens were clipped"
    if not isinstance(result, tuple) or len(result) != 2 or not all(isinstance(t, Tensor) for t in result):
        return f"returned {type(result).__name__}; {requirement}"
    losses, clipped = result
    if losses.shape != logp.shape or clipped.shape != logp.shape:
        return f"returned shapes {tuple(losses.shape)} and {tuple(clipped.shape)} for {count} tokens; {requirement}"
    if not losses.dtype.is_floating_point or clipped.dtype != torch.bool:
        return f"returned {losses.dtype} and {clipped.dtype}; {requirement}"
    if logp.requires_grad and not losses.requires_grad:
        return f"returned losses that do not depend on tokens.logp; {requirement}"
    if not bool(torch.isfinite(losses.detach()).all()):
        return f"returned a loss that is not finite; {requirement}"
    return ""


def problem_with_prepared(prepared: object, count: int) -> str:
    """Returns why the result of `prepare` cannot be divided among micro-batches; "" if it can."""
    requirement = f"it must return a dict of tensors ({count},), one value for each token"
    if not isinstance(prepared, Mapping):
        return f"prepare returned {type(prepared).__name__}; {requirement}"
    for name, values in prepared.items():
        if not isinstance(values, Tensor) or values.shape != (count,):
            shape = tuple(values.shape) if isinstance(values, Tensor) else type(values).__name__
            return f"prepare returned {shape} under {name!r:.40}; {requirement}"
        if values.requires_grad or not bool(torch.isfinite(values).all()):
            return f"prepare returned values under {name!r:.40} that are not finite or have a gradient; {requirement}"
    return ""
