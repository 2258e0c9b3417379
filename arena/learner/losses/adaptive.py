"""Losses whose bounds or penalties follow the ratios of the step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

import numpy as np
import torch
from annotated_types import Gt, Interval
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import BaseLoss, Reduction, Unit
from arena.learner.losses.ppo import Bound, clipped_surrogate
from arena.learner.losses.tokens import LossTokens


class BalancedClip(BaseLoss):
    """BAPO (arXiv 2510.18927, eq. 8): bounds that rise until positive advantages make up `share` of the update.

    From `low` and `high` (ratios), first the lower bound rises to `low_max`, then the upper one to `high_max`, in steps
    of `by`, until sum min(r, high) A over A >= 0 is at least `share` of itself plus sum max(r, low) |A| over A < 0.
    Then PPO's loss with these bounds and a dual clip at 3 (`dual_clip`). All of this is as in the authors' code. The
    paper raises the upper bound first (algorithm 1), until the share is 0.4, by 0.05 and the lower one by 0.02, weights
    the sums by the sampler's probabilities, and has no dual clip.
    """

    unit: ClassVar[Unit] = "sample"
    step_statistics: ClassVar[bool] = True
    needs_policy: ClassVar[bool] = True
    dual_clips: ClassVar[bool] = True

    def __init__(
        self,
        config: LossConfig,
        share: Annotated[float, Interval(gt=0, lt=1)] = 0.5,
        low: Bound = 0.6,
        low_max: Bound = 0.9,
        high: Bound = 1.2,
        high_max: Bound = 3.0,
        by: Annotated[float, Gt(0)] = 0.05,
    ) -> None:
        self.share, self.low, self.high = float(share), (float(low), float(low_max)), (float(high), float(high_max))
        self.by, self.dual = float(by), config.dual_clip or 3.0

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns the bounds, the same for all tokens of the step."""
        ratio = tokens.ratio.double()
        low, high = self.bounds(ratio, tokens.advantage.double())
        return {"low": torch.full_like(tokens.old, low), "high": torch.full_like(tokens.old, high)}

    def bounds(self, ratio: Tensor, advantage: Tensor) -> tuple[float, float]:
        """Returns the bounds for ratios (K,) and advantages (K,)."""
        lows, highs = rising(*self.low, self.by), rising(*self.high, self.by)
        up, down = advantage.clamp(min=0), -advantage.clamp(max=0)
        sums = [(ratio.clamp(max=high) * up).sum() for high in highs]
        sums += [(ratio.clamp(min=low) * down).sum() for low in lows]
        values = torch.stack(sums).tolist()  # all at once, because each number on the host waits for the GPU
        gains, losses = values[: len(highs)], values[len(highs) :]
        tries = [(n, 0) for n in range(len(lows))] + [(len(lows) - 1, n) for n in range(1, len(highs))]
        for low, high in tries:
            if gains[high] >= self.share * (gains[high] + losses[low]):
                break
        return lows[low], highs[high]

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, and (K,) bool: whether a bound or the dual clip removed the token's gradient."""
        ratio = tokens.ratio
        low, high = tokens.prepared["low"], tokens.prepared["high"]
        return clipped_surrogate(ratio, tokens.weight, tokens.advantage, low, high, self.dual)


class RatioVariance(BaseLoss):
    """R2VPO (arXiv 2601.03320): -r A + lambda ((r - 1)^2 - delta) without a clip.

    lambda follows dual ascent on the mean over the step: lambda <- max(0, lambda + rate (mean (r - 1)^2 - delta)). The
    formula was read from the abstract; the defaults are ours (a port has a constant lambda of 0.04). r is cut off at 10
    in the penalty.

    weight: lambda at the start.
    delta: the variance of the ratio that costs nothing.
    rate: step size of lambda.
    """

    reduction: ClassVar[Reduction] = "token"
    unit: ClassVar[Unit] = "sample"
    step_statistics: ClassVar[bool] = True
    needs_policy: ClassVar[bool] = True

    def __init__(self, config: LossConfig, weight: Bound = 0.5, delta: Bound = 0.01, rate: Bound = 0.1) -> None:
        self.weight, self.delta, self.rate = float(weight), float(delta), float(rate)

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns lambda, after its update with the step's ratios."""
        variance = float((_ratio(tokens) - 1).square().mean())
        self.weight = max(0.0, self.weight + self.rate * (variance - self.delta))
        return {"weight": torch.full_like(tokens.old, self.weight)}

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        ratio = tokens.ratio
        free = tokens.weight * ratio * tokens.advantage
        penalty = tokens.prepared["weight"] * ((_ratio(tokens) - 1).square() - self.delta)
        return penalty - free, torch.zeros_like(ratio, dtype=torch.bool)

    def state_dict(self) -> dict[str, Any]:
        """Returns lambda."""
        return {"weight": self.weight}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore lambda."""
        self.weight = float(state["weight"])


class MirrorDescent(BaseLoss):
    """MDPO (arXiv 2005.09814, eq. 5): -r A + KL(policy || policy at the start of the step) / t.

    The divergence is estimated at the sampled tokens by r log r - r + 1, whose gradient has the exact expectation. t is
    `rate`, or falls linearly to 0 over `horizon` optimizer steps as in the paper. It acts from the second optimizer
    step of a training step on: set `epochs` or `minibatches` above 1.
    """

    def __init__(
        self, config: LossConfig, rate: Annotated[float, Gt(0)] = 1.0, horizon: Annotated[int, Interval(ge=0)] = 0
    ) -> None:
        self.rate, self.horizon = float(rate), horizon

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        drift, ratio = tokens.drift, tokens.ratio
        free = tokens.weight * ratio * tokens.advantage
        left = max(1, self.horizon - tokens.step.number) / self.horizon if self.horizon else 1.0
        return (ratio * drift - ratio + 1) / (self.rate * left) - free, torch.zeros_like(ratio, dtype=torch.bool)


def rising(low: float, high: float, by: float) -> list[float]:
    """Returns the numbers from `low` to `high` in steps of `by`, which is shorter at the end."""
    return [*np.arange(low, high - 1e-9, by).tolist(), high]


def _ratio(tokens: LossTokens) -> Tensor:
    """Returns (K,) the ratio to the old policy, at most 10."""
    return tokens.ratio.clamp(max=10.0)
