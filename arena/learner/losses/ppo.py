"""PPO with separate lower and upper clip bounds."""

from __future__ import annotations

import torch
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import BaseLoss
from arena.learner.losses.tokens import LossTokens


class ClippedRatio(BaseLoss):
    """PPO (arXiv 1707.06347, eq. 7) with the clip bounds of DAPO: -w min(r A, clip(r, 1 - low, 1 + high) A).

    The product w r, which scales a token's gradient, is capped at `weight_cap`: if A < 0, the minimum puts no upper
    bound on r, and with an older sampler w multiplies it.
    """

    def __init__(self, config: LossConfig) -> None:
        self.low, self.high, self.cap = config.clip_low, config.clip_high, config.weight_cap

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """(K,) losses, and (K,) bool: whether clipping removed the token's gradient."""
        ratio = (tokens.logp - tokens.old).exp()
        free = ratio * torch.minimum(tokens.weight, self.cap / ratio.detach()) * tokens.advantage
        bound = ratio.clamp(1 - self.low, 1 + self.high) * tokens.advantage
        clipped = bound < ratio.detach() * tokens.advantage
        return -torch.where(clipped, tokens.weight * bound, free), clipped
