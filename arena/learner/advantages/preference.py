"""SPO: self-play preference optimisation, whose baseline is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.learner.advantages.groups import Grouped


class WinShare(Grouped):
    """SPO (Swamy et al. 2024, arXiv 2401.04056): the share of the policy's samples that one is preferred to, less 1/2.

    A policy is preferred to itself half the time, so 1/2 is the exact baseline, whatever the preferences. The
    reward is that share already, as `prefer` pays it, or a match between two sides of which one wins. The paper
    compares with a queue of recent samples; here it is the group.
    """

    needs_kind = "preference"

    def within(self, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns (G,) shares of wins - 1/2."""
        return rewards - 0.5
