"""Pairs whose results tell most: about all skills, or about the ranking."""

from __future__ import annotations

import numpy as np

from league.matchmaking._arrays import Array
from league.matchmaking.adaptive import Greedy
from league.matchmaking.posterior import Posterior, information

_BITS = np.pi * np.log(2.0) / 2.0
_EDGE = 1e-12
RESOLUTION = 0.6
"""How sharply differences of skill shall be known, in spreads of the players: where their order is 95% right."""


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

    Worth of a pair: by how much its match is expected to shrink the sum over players of the variance of their rank.
    A player's rank moves with its skill as fast as there are others near it, so its variance is about
    density^2 x variance of skill: the crowded middle needs sharper estimates than the ends. The density is taken at
    the resolution aimed at, not at today's: nearly all of it is unknown at first.
    """

    def worth(self, posterior: Posterior, met: Array) -> Array:
        """Expected reduction of rank variance, (n, n)."""
        gap, spread = posterior.gaps()
        covariance = posterior.covariance
        spread_of_ranks = (covariance * crowding(gap, RESOLUTION * posterior.width) ** 2) @ covariance
        own = np.diag(spread_of_ranks)
        gain = np.add.outer(own, own) - 2.0 * spread_of_ranks
        known = self.told * information(posterior)
        value: Array = np.maximum(gain, 0.0) * known / (1.0 + known * spread)
        return value


def crowding(gap: Array, sd: float) -> Array:
    """The density of the others' skills at each player's own, per beta: (n, n) gaps, smoothed by `sd`, to (n,)."""
    density = np.exp(-0.5 * np.square(gap / sd)) / (np.sqrt(2.0 * np.pi) * sd)
    np.fill_diagonal(density, 0.0)
    return np.asarray(density.sum(1), np.float64)


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
