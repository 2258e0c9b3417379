"""What plugins of the learner answered, checked before it reaches a gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.learner.advantage import ESTIMATORS, Estimator
from arena.learner.credit import Credit

if TYPE_CHECKING:
    from arena.learner.loss import PolicyLoss


def advantages_of(id: str, estimator: Estimator, credits: Sequence[Credit]) -> list[float]:
    """(N,) advantages of N credits. Raises PluginError where a plugin's are of another shape or not finite."""
    with ESTIMATORS.blamed(id, "advantages"):
        found: object = estimator.advantages(credits)
        values = np.asarray(found)
    if ESTIMATORS.is_plugin(id) and (problem := problem_with(found, values, len(credits))):
        raise ESTIMATORS.broken(id, problem)
    return [float(value) for value in values]


def problem_with(found: object, values: np.ndarray[Any, Any], count: int) -> str:
    """Why advantages cannot be taken, in words; "" if they can."""
    wanted = f"it returns {count} finite numbers, one for each credit, in order"
    if values.dtype.kind not in "fiu":
        return f"advantages returned {found!r:.80}; {wanted}"
    if values.shape != (count,):
        return f"advantages returned an array of shape {values.shape} for {count} credits; {wanted}"
    if strange := np.flatnonzero(~np.isfinite(values)).tolist():
        return f"advantages returned {values[strange[0]]} at {strange[0]}; {wanted}"
    return ""


class GuardedLoss:
    """A plugin's loss behind a face that names it where it fails or answers something else than losses."""

    def __init__(self, inner: PolicyLoss, id: str) -> None:
        self._inner, self._id = inner, id

    def __call__(self, tokens: Any) -> Any:
        """(K,) losses, and (K,) bool. Raises PluginError."""
        from arena.learner.loss import LOSSES

        with LOSSES.blamed(self._id):
            found: object = self._inner(tokens)
        if problem := problem_with_loss(found, tokens.logp):
            raise LOSSES.broken(self._id, problem)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def problem_with_loss(found: object, logp: Any) -> str:
    """Why an answer of a loss cannot be minimised, in words; "" if it can."""
    import torch

    count = len(logp)
    wanted = f"it returns losses ({count},) with a gradient, and ({count},) bool: whose gradient was clipped away"
    if not isinstance(found, tuple) or len(found) != 2 or not all(isinstance(t, torch.Tensor) for t in found):
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
