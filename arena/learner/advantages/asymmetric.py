"""Estimators that treat right and wrong answers differently."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray

from arena.learner.advantages.base import Returns, rewards_of
from arena.learner.advantages.groups import EPS, Grouped
from arena.learner.credit import Credit

NonNegative = Annotated[float, Ge(0)]


class SignedReward(Returns):
    """Weighted REINFORCE (arXiv 2506.01347, eq. 9): `positive` for a right answer, -`negative` for a wrong one.

    `positive=1, negative=0` is PSR, `positive=0, negative=1` NSR. There is no baseline; a draw has the advantage 0. The
    paper's lambda is 0.1.
    """

    needs_kind = "verdict"

    def __init__(self, positive: NonNegative = 0.1, negative: NonNegative = 1.0) -> None:
        self.positive, self.negative = float(positive), float(negative)

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) `positive`, -`negative`, or 0 for a draw."""
        side = rewards_of(credits) - 0.5
        return np.where(side > 0, self.positive, np.where(side < 0, -self.negative, 0.0))


class VirtualBest(Grouped):
    """NGRPO (arXiv 2509.18851): GRPO in a group with one more answer, which earned the reward `best`.

    A group of wrong answers then has a negative advantage instead of none. The standard deviation is that of the sample
    (ddof 1), as in the authors' code. `best` must be the largest possible reward. The paper clips the ratio at 0.16
    below and 0.24 above: `clip_low`, `clip_high`.
    """

    def __init__(self, best: float = 1.0) -> None:
        self.best = float(best)
        self.needs_range = -math.inf, self.best

    def within(self, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns (G,) (R - mean) / (std + EPS), mean and standard deviation with the virtual answer."""
        all = np.append(rewards, self.best)
        if np.ptp(all) == 0:
            return np.zeros(len(rewards))
        out: NDArray[np.float64] = (rewards - all.mean()) / (all.std(ddof=1) + EPS)
        return out
