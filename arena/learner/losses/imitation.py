"""Losses that imitate: earlier good answers, or a teacher."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi
from typing import Annotated, ClassVar

import torch
from annotated_types import Ge, Gt, Interval
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import Reduction, Unit
from arena.learner.losses.ppo import ClippedRatio
from arena.learner.losses.reinforce import Reinforce
from arena.learner.losses.tokens import LossTokens

Share = Annotated[float, Interval(ge=0, le=1)]
Steps = Annotated[int, Ge(0)]


class ReplayMixture(ClippedRatio):
    """CHORD-phi (arXiv 2508.11408, eq. 3, 5 and 6): (1 - mu) PPO on new answers + mu times a loss on replayed ones.

    That loss is -p (1 - p) log p of each token. The weight p (1 - p), without gradient, spares tokens that the policy
    already knows and those it would never say.
    Each part is a mean over its own tokens. mu rises linearly to `peak` over `warmup` optimizer steps and falls along a
    cosine to `valley` over the next `decay`. CHORD's expert answers are given; here they are the policy's own good ones
    ([replay] in a training file, without which this is PPO as a mean over tokens).
    """

    reduction: ClassVar[Reduction] = "token"
    unit: ClassVar[Unit] = "sample"
    step_statistics: ClassVar[bool] = True
    follows_advantage: ClassVar[bool] = False

    def __init__(
        self, config: LossConfig, peak: Share = 0.1, valley: Share = 0.1, warmup: Steps = 0, decay: Steps = 0
    ) -> None:
        super().__init__(config)
        self.peak, self.valley, self.warmup, self.decay = float(peak), float(valley), warmup, decay

    def mu(self, step: int) -> float:
        """Returns the weight of imitation at step 0, 1, ..."""
        if step < self.warmup:
            return self.peak * step / self.warmup
        done = min(1.0, (step - self.warmup) / self.decay) if self.decay else 1.0
        return self.valley + (self.peak - self.valley) * 0.5 * (1 + cos(pi * done))

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns the weight of each token, in a mean over all of them."""
        old, count = tokens.replayed, len(tokens.replayed)
        replayed = int(old.sum())
        mu = self.mu(tokens.step.number) if replayed else 0.0
        mu = 1.0 if replayed == count else mu
        weights = torch.where(old, mu * count / max(replayed, 1), (1 - mu) * count / max(count - replayed, 1))
        return {"weight": weights}

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, and (K,) bool: whether clipping removed the gradient of a new token."""
        losses, clipped = super().__call__(tokens)
        p = tokens.logp.detach().exp()
        losses = torch.where(tokens.replayed, -p * (1 - p) * tokens.logp, losses)
        return losses * tokens.prepared["weight"], clipped & ~tokens.replayed


class Distillation(Reinforce):
    """On-policy distillation (arXiv 2602.12125, eq. 6): A = coefficient (log teacher - log policy) at every token.

    This is the gradient of KL(policy || teacher) at the positions that the policy reaches. `reward` adds that many
    times the estimator's advantage. A is cut off at `limit`. The teacher is `[loss] teacher`.

    coefficient: scale of the advantage.
    """

    reduction: ClassVar[Reduction] = "token"
    needs_teacher: ClassVar[bool] = True
    follows_advantage: ClassVar[bool] = False

    def __init__(
        self,
        config: LossConfig,
        coefficient: Annotated[float, Gt(0)] = 1.0,
        reward: Annotated[float, Ge(0)] = 0.0,
        limit: Annotated[float, Gt(0)] = 10.0,
    ) -> None:
        super().__init__(config)
        self.coefficient, self.reward, self.limit = float(coefficient), float(reward), float(limit)

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        closer = self.coefficient * (tokens.teacher - tokens.logp.detach())
        advantage = (closer + self.reward * tokens.advantage).clamp(-self.limit, self.limit)
        ratio = (tokens.logp.detach() - tokens.old).exp()
        weight = (tokens.weight * ratio).clamp(max=self.cap)
        return -weight * advantage * tokens.logp, torch.zeros_like(ratio, dtype=torch.bool)
