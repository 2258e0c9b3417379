"""Pairs whose results tell most: about all skills, or about the ranking."""

from __future__ import annotations

import numpy as np

from league.matchmaking._arrays import Array
from league.matchmaking.adaptive import BATCH, Greedy
from league.matchmaking.bridging import SHARE
from league.matchmaking.posterior import Posterior, information

_BITS = np.pi * np.log(2.0) / 2.0
_EDGE = 1e-12
RESOLUTION = 0.3
"""How sharply skills shall be known, in spreads of the players: where their order is 95% right, 1 - 0.3^2 = 0.95^2."""


class Information(Greedy):
    """Worth of a pair: the bits that one result is expected to tell about the skills.

    The mutual information of result and skills, by the closed form of Houlsby, Huszar, Ghahramani and Lengyel,
    "Bayesian active learning for classification and preference learning", 2011, equation 3.
    """

    def worth(self, posterior: Posterior, met: Array) -> Array:
        """Bits, (n, n)."""
        return bits(posterior)


class RankAll(Greedy):
    """Declared goal: the order of all players, with the fewest matches.

    Worth of a pair: by how much its match is expected to shrink the sum over players of the variance of their rank. A
    rank moves as its player's skill moves against those near it, sum over j of density_ij (ds_i - ds_j): so the
    crowded middle needs sharper estimates than the ends, and what moves neighbours together tells nothing. The density
    is what is believed of each gap today, smoothed by the resolution aimed at.
    """

    spare = 1

    def __init__(
        self, batch: int = BATCH, explore: float = 0.0, mirrored: bool | str = "auto", bridge: float = SHARE
    ) -> None:
        super().__init__(batch, explore, mirrored, bridge)

    def worth(self, posterior: Posterior, met: Array) -> Array:
        """Expected reduction of rank variance, (n, n)."""
        gap, spread = posterior.gaps()
        near = nearness(gap, spread + (RESOLUTION * posterior.width) ** 2)
        moved = np.diag(near.sum(1)) @ posterior.covariance - near @ posterior.covariance
        ranks = moved.T @ moved
        own = np.diag(ranks)
        gain = np.add.outer(own, own) - 2.0 * ranks
        known = self.told * information(posterior)
        value: Array = np.maximum(gain, 0.0) * known / (1.0 + known * spread)
        return value


def nearness(gap: Array, variance: Array) -> Array:
    """How many ranks player i gains on j per beta of its skill: the density at 0 of normal gaps, (n, n)."""
    density = np.exp(-0.5 * gap * gap / variance) / np.sqrt(2.0 * np.pi * variance)
    np.fill_diagonal(density, 0.0)
    return np.asarray(density, np.float64)


def bits(posterior: Posterior) -> Array:
    """Mutual information of one result of each pair and their skills, in bits: (n, n)."""
    from scipy.special import ndtr

    gap, spread = posterior.gaps()
    mean, variance = gap / np.sqrt(2.0), spread / 2.0
    p = np.clip(ndtr(mean / np.sqrt(1.0 + variance)), _EDGE, 1.0 - _EDGE)
    surprise = -(p * np.log2(p) + (1.0 - p) * np.log2(1.0 - p))
    noise = np.sqrt(_BITS / (variance + _BITS)) * np.exp(-0.5 * mean * mean / (variance + _BITS))
    told: Array = np.maximum(surprise - noise, 0.0)
    return told
