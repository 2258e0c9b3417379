"""Losses whose ratio is that of a whole answer."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import BaseLoss, Reduction
from arena.learner.losses.ppo import Bound, clipped_surrogate
from arena.learner.losses.tokens import LossTokens


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
