"""REINFORCE."""

from __future__ import annotations

import torch
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import BaseLoss
from arena.learner.losses.tokens import LossTokens


class Reinforce(BaseLoss):
    """REINFORCE with truncated importance weights: -min(w pi / old, cap) A log pi, the weight without gradient."""

    def __init__(self, config: LossConfig) -> None:
        self.cap = config.weight_cap

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """(K,) losses; no token is clipped."""
        ratio = (tokens.logp.detach() - tokens.old).exp()
        weight = (tokens.weight * ratio).clamp(max=self.cap)
        return -weight * tokens.advantage * tokens.logp, torch.zeros_like(ratio, dtype=torch.bool)
