"""What is believed of all skills together, for choosing who meets next: TrueSkill's model, fitted in one piece.

A beats B with probability Phi((s_A - s_B) / sqrt 2), skills in units of beta (Thurstone's case V, the model behind
TrueSkill), a level result being half a win for each. The prior is N(0, width^2) with the width estimated: in a close
league a wide prior would take noise for skill. Unlike the online ratings this does not depend on the order of matches
and keeps the covariances, without which the difference of two neighbours is misjudged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from league.matchmaking._arrays import Array, Ints

WIDTH = 2.0
"""The prior's width before anything is known; TrueSkill's own, sigma = 2 beta."""

PRIOR_PLAYERS = 4.0
"""How many players' worth of evidence WIDTH counts for."""

_STEPS, _LARGEST, _SMALL = 100, 2.0, 1e-5


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


def fit(wins: Array) -> Posterior:
    """The posterior mode and its Gaussian approximation, by Newton's method; the width by expectation-maximisation.

    `wins`: float (n, n), row over column. Self-meetings on the diagonal say nothing. The log-likelihood is concave,
    so the answer is unique for a given width; it is finite even for a player that won or lost everything.
    """
    n = len(wins)
    rows, columns = np.nonzero(wins * (1.0 - np.eye(n)))
    played = _Played(rows, columns, wins[rows, columns])
    mean, covariance, variance = np.zeros(n), np.eye(n) * WIDTH**2, WIDTH**2
    for _ in range(_STEPS):
        slope, curvature = _likelihood(mean, played)
        precision = curvature + np.eye(n) / variance
        covariance = np.asarray(np.linalg.inv(precision), np.float64)
        step = np.clip(covariance @ (slope - mean / variance), -_LARGEST, _LARGEST)
        mean = mean + step
        size = mean @ mean + np.trace(covariance)
        variance = float((size + PRIOR_PLAYERS * WIDTH**2) / (n + PRIOR_PLAYERS))
        if np.abs(step).max() < _SMALL:
            break
    return Posterior(mean, (covariance + covariance.T) / 2.0, variance**0.5)


class _Played(NamedTuple):
    """Pairs of winner and loser, (C,) each, and how often."""

    winner: Ints
    loser: Ints
    times: Array


def _likelihood(mean: Array, played: _Played) -> tuple[Array, Array]:
    """The gradient (n,) of the log-likelihood and its information (n, n)."""
    from scipy.special import log_ndtr

    n = len(mean)
    gap = (mean[played.winner] - mean[played.loser]) / np.sqrt(2.0)
    hazard = np.exp(-0.5 * gap * gap - 0.5 * np.log(2.0 * np.pi) - log_ndtr(gap))
    pull = played.times * hazard / np.sqrt(2.0)
    bend = played.times * hazard * (hazard + gap) / 2.0
    slope = np.asarray(np.bincount(played.winner, pull, n) - np.bincount(played.loser, pull, n), np.float64)
    pairs = np.bincount(played.winner * n + played.loser, bend, n * n).reshape(n, n)
    pairs = pairs + pairs.T
    return slope, np.diag(pairs.sum(1)) - pairs


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
