"""What is believed of all skills together, for choosing who meets next: the board's own skill model, fitted to a game.

It is `league.ratings.SkillModel`, with its draw margin, seats and prior, so matchmakers plan with the ratings,
intervals and covariances that the board shows. Skills are in units of beta here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from league.matchmaking._arrays import Array
from league.ratings.counts import Counts
from league.ratings.skill_model import SkillModel

WIDTH = 2.0
"""The spread of skills before anything is known; TrueSkill's own, sigma = 2 beta."""
_MODEL = SkillModel(mu=0.0, beta=1.0)
_JITTER = 1e-9
"""Ratings are relative to their mean, so their covariance lacks one direction; with so much variance there it has a
root."""


class Posterior(NamedTuple):
    """Skills ~ N(mean, covariance), in units of beta."""

    mean: Array
    """(n,)"""
    covariance: Array
    """(n, n)"""
    width: float
    """the estimated standard deviation of skills"""

    def gaps(self) -> tuple[Array, Array]:
        """Mean and variance of every difference of two skills, row minus column: (n, n) each."""
        own = np.diag(self.covariance)
        spread = np.maximum(np.add.outer(own, own) - 2.0 * self.covariance, 0.0)
        return np.subtract.outer(self.mean, self.mean), spread

    def seen(self, i: int, j: int, information: float) -> Posterior:
        """After a match of i and j with this Fisher information, whatever its result: means as they are."""
        lean = self.covariance[:, i] - self.covariance[:, j]
        gain = information / (1.0 + information * max(lean[i] - lean[j], 0.0))
        return self._replace(covariance=self.covariance - gain * np.outer(lean, lean))


def fit(results: Counts | Array) -> Posterior:
    """The posterior after the comparisons of a game, or after `results` (n, n): wins, row over column.

    Self-meetings on the diagonal say nothing. The result is finite even for a player that won or lost everything, and
    the same bit for bit for the same comparisons.
    """
    counts = results if isinstance(results, Counts) else _of_wins(np.asarray(results, np.float64))
    found = _MODEL.fit(counts)
    n = len(counts.players)
    centre = np.eye(n) - 1.0 / n
    mean, covariance = centre @ found.ratings, centre @ found.covariance @ centre
    width = float(np.sqrt((mean @ mean + np.trace(covariance)) / max(n - 1, 1)))
    return Posterior(mean, (covariance + covariance.T) / 2.0 + _JITTER * np.eye(n), width)


def _of_wins(wins: Array) -> Counts:
    """Decided matches of one game without seats."""
    n = len(wins)
    a, b = np.triu_indices(n, 1)
    met = wins[a, b] + wins[b, a] > 0.0
    a, b = a[met], b[met]
    zero, two = np.zeros(len(a), np.int64), np.full(len(a), 2, np.int64)
    columns = np.stack([zero, a, b, zero, zero, zero, zero, two])
    won = np.stack([wins[a, b], np.zeros(len(a)), wins[b, a]])
    return Counts(tuple(f"{i:06d}" for i in range(n)), ("game",), ("player",), columns, won)


def information(posterior: Posterior) -> Array:
    """The Fisher information about a difference of skills that one match is expected to give: (n, n).

    phi(g)^2 / (Phi(g) Phi(-g)) / 2 at g = gap / sqrt 2, which exp(-gap^2 / 5) / pi follows within 0.007, averaged
    over the gap's posterior.
    """
    gap, spread = posterior.gaps()
    sharp = 2.5  # the variance of that bell
    width = sharp + spread
    bell: Array = np.sqrt(sharp / width) * np.exp(-0.5 * gap * gap / width) / np.pi
    return bell
