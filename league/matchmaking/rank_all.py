"""A matchmaker that finds the order of all players."""

from __future__ import annotations

import numpy as np

from league.matchmaking.adaptive import BATCH, Batch, Greedy, Mirrored, Share
from league.matchmaking.arrays import Array
from league.matchmaking.bridging import SHARE
from league.matchmaking.skill_belief import SkillBelief, information

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

    def __init__(
        self, batch: Batch = BATCH, explore: Share = 0.0, mirrored: Mirrored = "auto", bridge: Share = SHARE
    ) -> None:
        super().__init__(batch, explore, mirrored, bridge)

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
