"""PPO with separate lower and upper clip bounds, and the losses that differ from it in bounds and reduction."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import torch
from annotated_types import Ge
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import BaseLoss, Reduction
from arena.learner.losses.tokens import LossTokens

Bound = Annotated[float, Ge(0)]


class ClippedRatio(BaseLoss):
    """PPO (arXiv 1707.06347, eq. 7) with the clip bounds of DAPO: -w min(r A, clip(r, 1 - low, 1 + high) A).

    w is the importance weight of an older sampler, at most `weight_cap`. If A < 0, the minimum puts no upper bound on
    r; `dual_clip` does.
    """

    dual_clips: ClassVar[bool] = True

    def __init__(self, config: LossConfig) -> None:
        self.low, self.high, self.dual = config.clip_low, config.clip_high, config.dual_clip

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, and (K,) bool: whether clipping removed the token's gradient."""
        return clipped_surrogate(tokens.ratio, tokens.weight, tokens.advantage, 1 - self.low, 1 + self.high, self.dual)


class TokenMean(ClippedRatio):
    """DAPO's loss (arXiv 2503.14476, eq. 8): PPO's with a higher upper bound, as a mean over all tokens of the step.

    Its dynamic sampling is `[loss] filter`, without sampling more in place of the groups that are dropped.

    low, high: the ratio is clipped at 1 - low and 1 + high.
    """

    reduction: ClassVar[Reduction] = "token"

    def __init__(self, config: LossConfig, low: Bound = 0.2, high: Bound = 0.28) -> None:
        super().__init__(config)
        self.low, self.high = float(low), float(high)


class DynamicClip(ClippedRatio):
    """DCPO's loss (arXiv 2509.02333, eq. 4): bounds that depend on the old probability q of the token.

    The ratio stays between 1/2 + sqrt(max(1 - 4 low / q, 0)) / 2 and 1/2 + sqrt(1 + 4 high / q) / 2, at most 10, so
    rare tokens may move further. `low` and `high` are those of the authors' code, which also has `dual_clip = 3`.
    """

    reduction: ClassVar[Reduction] = "sequence"

    def __init__(self, config: LossConfig, low: Bound = 0.2, high: Bound = 0.28) -> None:
        super().__init__(config)
        self.low, self.high = float(low), float(high)

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, and (K,) bool: whether clipping removed the token's gradient."""
        low, high = dynamic_bounds(tokens.old.exp(), self.low, self.high)
        return clipped_surrogate(tokens.ratio, tokens.weight, tokens.advantage, low, high, self.dual)


def dynamic_bounds(q: Tensor, low: float, high: float) -> tuple[Tensor, Tensor]:
    """Returns (K,) lower and upper bound of the ratio for tokens with the old probabilities `q` (K,)."""
    q = q.clamp(min=1e-30)
    return 0.5 + 0.5 * (1 - 4 * low / q).clamp(min=0).sqrt(), (0.5 + 0.5 * (1 + 4 * high / q).sqrt()).clamp(max=10)


def clipped_surrogate(
    ratio: Tensor, weight: Tensor, advantage: Tensor, low: Any, high: Any, dual_clip: float | None
) -> tuple[Tensor, Tensor]:
    """Returns (K,) -w min(r A, clip(r, low, high) A), and (K,) bool: whether clipping removed the gradient.

    `low` and `high` are ratios: numbers or (K,) tensors. With `dual_clip`, r counts as at most that for a negative A,
    without gradient above it (Ye et al. 2020, arXiv 1912.09729).
    """
    free, bound = ratio * advantage, torch.clamp(ratio, low, high) * advantage
    clipped = bound.detach() < free.detach()
    value = torch.where(clipped, bound, free)
    if dual_clip is not None:
        flat = dual_clip * advantage
        far = (advantage < 0) & (value.detach() < flat)
        value, clipped = torch.where(far, flat, value), clipped | far
    return -weight * value, clipped


class SequenceClip(BaseLoss):
    """GSPO (arXiv 2507.18071, eq. 5 and 7): PPO with one ratio per answer, s = exp(mean over its tokens of d).

    d is the log ratio of a token. s varies far less than a token's ratio, so its bounds are small: 3e-4 and 4e-4.

    low, high: s is clipped at 1 - low and 1 + high.
    """

    reduction: ClassVar[Reduction] = "sequence"
    dual_clips: ClassVar[bool] = True

    def __init__(self, config: LossConfig, low: Bound = 3e-4, high: Bound = 4e-4) -> None:
        self.low, self.high, self.dual = float(low), float(high), config.dual_clip

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, equal within an answer, and (K,) bool: whether its ratio was clipped."""
        ratio = tokens.sample_mean(tokens.drift).exp()
        return clipped_surrogate(ratio, tokens.weight, tokens.advantage, 1 - self.low, 1 + self.high, self.dual)
