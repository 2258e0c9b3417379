"""REINFORCE and its variants: losses whose gradient is a weight times that of log pi."""

from __future__ import annotations

from typing import Annotated, ClassVar

import torch
from annotated_types import Gt
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import BaseLoss, Reduction
from arena.learner.losses.ppo import Bound
from arena.learner.losses.tokens import LossTokens


class Reinforce(BaseLoss):
    """REINFORCE with truncated importance weights: -min(w pi / old, cap) A log pi, the weight without gradient."""

    def __init__(self, config: LossConfig) -> None:
        self.cap = config.weight_cap

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        ratio = (tokens.logp.detach() - tokens.old).exp()
        weight = (tokens.weight * ratio).clamp(max=self.cap)
        return -weight * tokens.advantage * tokens.logp, torch.zeros_like(ratio, dtype=torch.bool)


class ClippedWeight(BaseLoss):
    """CISPO (MiniMax-M1, arXiv 2506.13585, eq. 4 and 5): -clip(r, 1 - low, 1 + high) A log pi, r without gradient.

    Every token keeps its gradient. The paper has no lower bound (low = 1) and does not give `high`; 0.28 is DAPO's.
    TRL's `epsilon_high` is the upper bound itself: its 5.0 is `high=4` here.

    low, high: the ratio lies between 1 - low and 1 + high.
    """

    reduction: ClassVar[Reduction] = "token"

    def __init__(self, config: LossConfig, low: Bound = 1.0, high: Bound = 0.28) -> None:
        self.low, self.high = float(low), float(high)

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        ratio = (tokens.logp.detach() - tokens.old).exp().clamp(1 - self.low, 1 + self.high)
        return -tokens.weight * ratio * tokens.advantage * tokens.logp, torch.zeros_like(ratio, dtype=torch.bool)


class RewardOverBaseline(BaseLoss):
    """OPMD (Kimi k1.5, arXiv 2501.12599, eq. 3; Trinity-RFT's form, arXiv 2509.24203): -(R - b) log pi / (1 + tau).

    b is tau log mean exp(R / tau) over the group; eq. 3 and Trinity-RFT also have the mean. Eq. 3 subtracts tau / 2
    times the gradient of (log pi / pi_i)^2 where this form divides by 1 + tau. There is no importance ratio, so samples
    of an older policy are allowed; the advantage estimator is not used.

    tau: temperature of the baseline.
    """

    reduction: ClassVar[Reduction] = "token"
    compares: ClassVar[bool] = True
    follows_advantage: ClassVar[bool] = False

    def __init__(self, config: LossConfig, tau: Annotated[float, Gt(0)] = 1.0) -> None:
        self.tau = float(tau)

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        reward, step = tokens.step.reward, tokens.step
        # relative to the largest reward of the group, whose exponential could overflow or vanish
        top = torch.zeros_like(reward).scatter_reduce(0, step.group, reward, "amax", include_self=False)[step.group]
        base = self.tau * step.group_mean(((reward - top) / self.tau).exp()).log() + top
        advantage = (reward - base)[tokens.sample]
        return -advantage * tokens.logp / (1 + self.tau), torch.zeros_like(tokens.logp, dtype=torch.bool)


class ShiftedBaseline(BaseLoss):
    """AsymRE (arXiv 2506.20520, eq. 4): -(R - (mean of the group + shift)) log pi, without an importance ratio.

    A shift below 0, by the paper -0.1, makes right answers count more than wrong ones, which off-policy training needs
    to be stable. The advantage estimator is not used.

    shift: added to the mean of the group; below 0.
    """

    compares: ClassVar[bool] = True
    follows_advantage: ClassVar[bool] = False

    def __init__(self, config: LossConfig, shift: float = -0.1) -> None:
        self.shift = float(shift)

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        step = tokens.step
        advantage = (step.reward - step.group_mean(step.reward) - self.shift)[tokens.sample]
        return -advantage * tokens.logp, torch.zeros_like(tokens.logp, dtype=torch.bool)
