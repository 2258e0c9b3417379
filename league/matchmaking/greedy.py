"""A matchmaker that prefers the pairs whose results say most about the skills."""

from __future__ import annotations

import numpy as np

from league.matchmaking.adaptive import BATCH, Batch, Greedy, Mirrored, Share
from league.matchmaking.arrays import Array
from league.matchmaking.bridging import SHARE
from league.matchmaking.skill_belief import WIDTH, SkillBelief, information
from league.ratings import TrueSkill

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


_RULES = TrueSkill(mu=0.0, sigma=WIDTH, beta=1.0)
"""skills in units of beta, as in `SkillBelief`"""


class Uncertainty(Greedy):
    """Values a pair by (sigma_a + sigma_b) x match quality / (1 + times met).

    Match quality alone repeats the same neighbours and needs twice the matches of random pairing in a close league.
    A quarter of the pairings are bridging ones: without them 95% intervals covered 85% in such a league, with them 94%
    (scripts/bench/simulate.py --spread 0.5 --cover-at 20).
    """

    def __init__(self, batch: Batch = BATCH, mirrored: Mirrored = True, bridge: Share = 0.25) -> None:
        super().__init__(batch, mirrored, bridge)

    def value(self, belief: SkillBelief, meetings: Array) -> Array:
        """Returns the value of each pair, (n, n)."""
        sigma = np.sqrt(np.diag(belief.covariance))
        value: Array = np.add.outer(sigma, sigma) * _RULES.qualities(belief.mean, sigma) / (1.0 + meetings)
        return value


RESOLUTION = 0.3
"""The accuracy of skills to aim at, in standard deviations of the players' skills. At 0.3 their order is about 95%
correct: 1 - 0.3^2 = 0.95^2."""


class RankAll(Greedy):
    """Finds the order of all players with the fewest matches.

    Values a pair by how much its match is expected to reduce the variances of all ranks, summed over players. A rank
    changes as its player's skill changes against similar ones: sum over j of density_ij (ds_i - ds_j). The crowded
    middle therefore needs more accurate estimates than the ends, and whatever moves neighbours together says nothing.
    The density is that of the current belief about each gap, smoothed by the accuracy to aim at.

    In the opening, up to twice as many pairings of each player as a knockout takes, nobody is known well: all play
    equally often and nothing is bridged.
    """

    spare = 1

    def __init__(self, batch: Batch = BATCH, mirrored: Mirrored = "auto", bridge: Share = SHARE) -> None:
        super().__init__(batch, mirrored, bridge)

    def opening(self, players: int) -> int:
        """Returns the pairings of each player in the opening."""
        return 2 * players.bit_length()

    def value(self, belief: SkillBelief, meetings: Array) -> Array:
        """Returns the expected reduction of rank variance, (n, n)."""
        gap, spread = belief.gaps()
        near = nearness(gap, spread + (RESOLUTION * belief.width) ** 2)
        moved = np.diag(near.sum(1)) @ belief.covariance - near @ belief.covariance
        ranks = moved.T @ moved
        variances = np.diag(ranks)
        gain = np.add.outer(variances, variances) - 2.0 * ranks
        informed = self.evidence * information(belief)
        value: Array = np.maximum(gain, 0.0) * informed / (1.0 + informed * spread)
        return value


def nearness(gap: Array, variance: Array) -> Array:
    """Returns how many ranks player i gains on j per beta of its skill: the density at 0 of normal gaps, (n, n)."""
    density = np.exp(-0.5 * gap * gap / variance) / np.sqrt(2.0 * np.pi * variance)
    np.fill_diagonal(density, 0.0)
    return np.asarray(density, np.float64)
