"""The interface of policy losses, their registry, and the check of what a plugin returns.

Shapes: K decision tokens. A loss is a sum over tokens; the trainer divides it by normaliser * samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from arena.learner.config import LossConfig
from games.plugins import Registry


@dataclass(frozen=True, slots=True)
class LossTokens:
    """The input of a policy loss: K decision tokens; all fields are (K,) float32."""

    logp: Tensor
    """log probability under the current policy, with gradient"""
    old: Tensor
    """log probability that ratios are taken against: the sampler's, or the trainer's at the start of the step"""
    weight: Tensor
    """capped importance weight between the sampler and `old`; 1 if `old` is the sampler's. A loss multiplies its own
    ratio to `old` by it and caps the product too."""
    advantage: Tensor


@runtime_checkable
class PolicyLoss(Protocol):
    """A policy loss. Its factory takes `config: LossConfig` and then the parameters of its id."""

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """(K,) losses, and (K,) bool: whether clipping removed the token's gradient."""
        ...


LOSSES = Registry(
    "loss",
    "arena.losses",
    PolicyLoss,  # type: ignore[type-abstract]
    {
        "reinforce": "arena.learner.losses.reinforce:Reinforce",
        "ppo": "arena.learner.losses.ppo:ClippedRatio",
    },
)

ids = LOSSES.ids
register = LOSSES.register


def policy_loss(config: LossConfig) -> PolicyLoss:
    """The loss named by `config.name`. Raises InputError."""
    made = LOSSES.make(config.name, config=config)
    return _CheckedLoss(made, config.name) if LOSSES.is_plugin(config.name) else made


class _CheckedLoss:
    """A plugin's loss with a check of each result. Raises PluginError with the plugin's name."""

    def __init__(self, inner: PolicyLoss, id: str) -> None:
        self._inner, self._id = inner, id

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        with LOSSES.blamed(self._id):
            found = self._inner(tokens)
        if problem := problem_with_loss(found, tokens.logp):
            raise LOSSES.broken(self._id, problem)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def problem_with_loss(found: object, logp: Tensor) -> str:
    """Why the result of a loss cannot be minimised; "" if it can."""
    count = len(logp)
    wanted = f"it must return losses ({count},) with a gradient, and bools ({count},): which tokens were clipped"
    if not isinstance(found, tuple) or len(found) != 2 or not all(isinstance(t, Tensor) for t in found):
        return f"returned {type(found).__name__}; {wanted}"
    losses, clipped = found
    if losses.shape != logp.shape or clipped.shape != logp.shape:
        return f"returned shapes {tuple(losses.shape)} and {tuple(clipped.shape)} for {count} tokens; {wanted}"
    if not losses.dtype.is_floating_point or clipped.dtype != torch.bool:
        return f"returned {losses.dtype} and {clipped.dtype}; {wanted}"
    if logp.requires_grad and not losses.requires_grad:
        return f"returned losses that do not depend on tokens.logp; {wanted}"
    if not bool(torch.isfinite(losses.detach()).all()):
        return f"returned a loss that is not finite; {wanted}"
    return ""
