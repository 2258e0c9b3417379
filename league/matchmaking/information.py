"""A matchmaker that prefers the pairs whose results say most about the skills."""

from __future__ import annotations

import numpy as np

from league.matchmaking.adaptive import Greedy
from league.matchmaking.arrays import Array
from league.matchmaking.skill_belief import SkillBelief

_BITS = np.pi * np.log(2.0) / 2.0
_MARGIN = 1e-12


class Information(Greedy):
    """Values a pair by the information that one result is expected to give about the skills.

    This is the mutual information of result and skills in the closed form of Houlsby, Huszar, Ghahramani and Lengyel,
    "Bayesian active learning for classification and preference learning", 2011, equation 3.
    """

    def value(self, belief: SkillBelief, meetings: Array) -> Array:
        """Returns bits, (n, n)."""
        return bits(belief)


def bits(belief: SkillBelief) -> Array:
    """Returns mutual information of the skills and one result of each pair, in bits: (n, n)."""
    from scipy.special import ndtr

    gap, spread = belief.gaps()
    mean, variance = gap / np.sqrt(2.0), spread / 2.0
    p = np.clip(ndtr(mean / np.sqrt(1.0 + variance)), _MARGIN, 1.0 - _MARGIN)
    surprise = -(p * np.log2(p) + (1.0 - p) * np.log2(1.0 - p))
    noise = np.sqrt(_BITS / (variance + _BITS)) * np.exp(-0.5 * mean * mean / (variance + _BITS))
    gain: Array = np.maximum(surprise - noise, 0.0)
    return gain
