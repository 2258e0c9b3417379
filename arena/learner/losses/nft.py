"""NFT: supervised learning from wrong answers too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

import torch
from annotated_types import Gt
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import BaseLoss, Reduction, Unit
from arena.learner.losses.ppo import Bound
from arena.learner.losses.tokens import LossTokens
from roles.reward_kind import NeededKind

_RATES = (0.02, 0.98)  # success rates outside are moved here, as in the authors' code


class NegativeAware(BaseLoss):
    """NFT (arXiv 2505.18116, eq. 10): -log r on right answers, -log((1 - c r) / (1 - c)) on wrong ones.

    c is the share of right answers in the group; a draw counts half there and has no loss. A value below `floor` is
    replaced by it, with the gradient of the value (straight through). `weighting` scales groups by sqrt((1 - c) / c)
    or, as in the paper and its scripts, by 1 - c (`linear`). Groups with c = 0 or 1 have no gradient. The advantage
    estimator is not used.

    negative: weight of wrong answers.
    """

    reduction: ClassVar[Reduction] = "token"
    unit: ClassVar[Unit] = "sample"  # the success rate of a group is that of the whole training step
    needs_kind: NeededKind | None = "verdict"
    compares: ClassVar[bool] = True
    follows_advantage: ClassVar[bool] = False

    def __init__(
        self,
        config: LossConfig,
        floor: Annotated[float, Gt(0)] = 1.0,
        negative: Bound = 1.0,
        weighting: Literal["sqrt", "linear"] = "sqrt",
    ) -> None:
        self.floor, self.negative, self.weighting = float(floor), float(negative), weighting

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns whether the answer of a token is right, the success rate of its group, and its weight."""
        right = tokens.step.reward
        share = tokens.step.group_mean(right)
        rate = share.clamp(*_RATES)
        weight = ((1 - rate) / rate).sqrt() if self.weighting == "sqrt" else 1 - rate
        weight = torch.where((share > 0) & (share < 1), weight, 0.0)
        weight = torch.where(right > 0.5, weight, self.negative * weight)
        weight = torch.where(right == 0.5, 0.0, weight)
        return {name: v[tokens.sample] for name, v in (("right", right), ("rate", rate), ("weight", weight))}

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        right, rate = tokens.prepared["right"] > 0.5, tokens.prepared["rate"]
        drift = tokens.logp - tokens.old
        implied = (1 - rate * drift.clamp(max=20.0).exp()) / (1 - rate)
        value = implied.detach().clamp(min=self.floor)
        wrong = -value.log() - (implied - implied.detach()) / value  # the second term is 0 and has the gradient
        losses = tokens.prepared["weight"] * torch.where(right, -drift, wrong)
        return losses, torch.zeros_like(right)
