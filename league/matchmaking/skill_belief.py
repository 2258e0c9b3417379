"""What results say about the skills of all players together, from which matchmakers choose the next pairings.

The belief is the board's own skill model `league.ratings.SkillModel`, with its draw margin, seats and prior, fitted to
one game. Matchmakers therefore plan with the ratings, intervals and covariances that the board shows. Skills are in
units of beta.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from league.matchmaking.arrays import Array
from league.ratings.comparisons import Counts
from league.ratings.fit.skill_draws import LIVE
from league.ratings.fit.skill_model import SkillModel
from league.ratings.one_thread import one_thread

WIDTH = 2.0
"""Standard deviation of skills under the prior, as in TrueSkill: sigma = 2 beta."""
_MODEL = SkillModel(mu=0.0, beta=1.0)
_JITTER = 1e-9
"""Ratings are relative to their mean, so their covariance is singular in one direction. This variance there gives it a
Cholesky root."""


class SkillBelief(NamedTuple):
    """Skills ~ N(mean, covariance), in units of beta."""

    mean: Array
    """(n,)"""
    covariance: Array
    """(n, n)"""
    width: float
    """the estimated standard deviation of skills"""

    def gaps(self) -> tuple[Array, Array]:
        """Returns mean and variance of the difference of every two skills, row minus column: (n, n) each."""
        variances = np.diag(self.covariance)
        variance = np.maximum(np.add.outer(variances, variances) - 2.0 * self.covariance, 0.0)
        return np.subtract.outer(self.mean, self.mean), variance

    def after_match(self, i: int, j: int, information: float) -> SkillBelief:
        """Returns the belief after a match of i and j of this Fisher information, result unknown: the means stay."""
        lean = self.covariance[:, i] - self.covariance[:, j]
        gain = information / (1.0 + information * max(lean[i] - lean[j], 0.0))
        return self._replace(covariance=self.covariance - gain * np.outer(lean, lean))


@one_thread
def fit(results: Counts | Array) -> SkillBelief:
    """Returns the posterior after the comparisons of a game, or after `results` (n, n): wins, row over column.

    Matches of a player with itself, on the diagonal, do not count. The result is finite even for a player that won or
    lost everything, and identical bit for bit for identical comparisons.
    """
    counts = results if isinstance(results, Counts) else _of_wins(np.asarray(results, np.float64))
    posterior = _MODEL.fit(counts)
    n = len(counts.players)
    centre = np.eye(n) - 1.0 / n
    mean, covariance = centre @ posterior.ratings, centre @ posterior.covariance @ centre
    squares = (mean * mean + np.diag(covariance))[posterior.played]  # others are as unsure as the prior's width is
    width = float(np.sqrt(squares.sum() / max(len(squares) - 1, 1))) if len(squares) else WIDTH
    return SkillBelief(mean, (covariance + covariance.T) / 2.0 + _JITTER * np.eye(n), width)


@one_thread
def drawn_skills(counts: Counts) -> Array:
    """Returns draws (n, D) of all skills from the posterior after the comparisons of a game, as a live board has."""
    return replace(_MODEL.fit(counts), number=LIVE).posterior.skills


def _of_wins(wins: Array) -> Counts:
    """Returns the counts of decided matches of one game without seats."""
    n = len(wins)
    a, b = np.triu_indices(n, 1)
    pairs = wins[a, b] + wins[b, a] > 0.0
    a, b = a[pairs], b[pairs]
    zero, two = np.zeros(len(a), np.int64), np.full(len(a), 2, np.int64)
    columns = np.stack([zero, a, b, zero, zero, zero, zero, two])
    won = np.stack([wins[a, b], np.zeros(len(a)), wins[b, a]])
    return Counts(tuple(f"{i:06d}" for i in range(n)), ("game",), ("player",), columns, won)


def information(belief: SkillBelief) -> Array:
    """Returns the expected Fisher information of one match about the difference of two skills: (n, n).

    It is phi(g)^2 / (Phi(g) Phi(-g)) / 2 at g = gap / sqrt 2, averaged over the belief about the gap. The code uses
    exp(-gap^2 / 5) / pi, which differs from it by at most 0.007.
    """
    gap, variance = belief.gaps()
    bell = 2.5  # the variance of exp(-gap^2 / 5)
    width = bell + variance
    expected: Array = np.sqrt(bell / width) * np.exp(-0.5 * gap * gap / width) / np.pi
    return expected
