"""How strong a candidate is, told after a sequential test: without the bias of having stopped when it looked good.

Outcomes are ordered: accepted, the earlier the stronger; open, by the ratio; rejected, the later the stronger; and at
the first look, before which nothing can stop, by the ratio alone. The median-unbiased estimate is the strength under
which what happened lies in the middle of that order; the ends of the interval have it at 2.5% and 97.5%.

The ratio is taken for a Brownian motion with the drift and variance that it has per pair under a strength, the other
parameters of the five probabilities as likely as they can be. In simulations, 60 to 100 each, of candidates up to ten
times nelo1, 93% to 98% of the intervals held the truth, 88% to 95% where about a dozen pairs decided.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import NamedTuple

from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from league.decisions import pentanomial
from league.decisions.brownian import Passage

_OVERSHOOT = 0.583
"""Mean distance past a barrier where a walk with normal steps is stopped, in standard deviations of a step; barriers
moved out by it make the continuous theory fit (Siegmund 1985)."""
_WIDEST = 3.0
"""Strengths per pair, (mean - 1/2) / sd, between which estimates are sought."""
WIDEST = _WIDEST * pentanomial.NELO / sqrt(2.0)
"""The same as normalised Elo, 737. A bound there is open: of a candidate that lost nothing, the data set no limit."""
_FARTHEST = 9.0
"""Standard normal quantiles beyond are taken for this one."""


class Estimate(NamedTuple):
    """Normalised Elo, median-unbiased, and its 95% interval, both corrected for having stopped when it looked good.

    `WIDEST` and -`WIDEST` stand for everything beyond.
    """

    nelo: float
    low: float
    high: float

    def __str__(self) -> str:
        """`+82 [+13, +141]`, with > and < for values beyond +-`WIDEST`."""
        nelo, low, high = map(_told, self)
        return f"{nelo} [{low}, {high}]"


class Outcome(NamedTuple):
    """How far a test has come: its five counts and its settings, as in `Gate`."""

    counts: Sequence[int]
    nelo0: float
    nelo1: float
    bounds: tuple[float, float]
    min_pairs: int

    def estimate(self) -> Estimate:
        """Of at least one pair."""
        value, shares = pentanomial.llr(self.counts, self.nelo0, self.nelo1), pentanomial.shares(self.counts)

        @functools.cache
        def quantile(strength: float) -> float:
            """Normal quantile of the probability of an outcome at least as good: nearly a straight line."""
            z = float(ndtri(self._at_least(value, *self._per_pair(shares, strength))))
            return min(_FARTHEST, max(-_FARTHEST, z))

        return Estimate(*(_solve(quantile, target) * WIDEST / _WIDEST for target in (0.5, 0.025, 0.975)))

    def _per_pair(self, shares: Sequence[float], strength: float) -> tuple[float, float]:
        """Drift and standard deviation of the ratio per pair under a strength.

        The two constrained fits move with the shares, but at their maximum that changes nothing at first order: a pair
        adds the log of the two probabilities of its category.
        """
        p = pentanomial.constrained(shares, strength)
        p0, p1 = (pentanomial.constrained(p, pentanomial.per_pair(nelo)) for nelo in (self.nelo0, self.nelo1))
        steps = [log(b / a) for a, b in zip(p0, p1, strict=True)]
        drift = sum(q * step for q, step in zip(p, steps, strict=True))
        return drift, sqrt(sum(q * (step - drift) ** 2 for q, step in zip(p, steps, strict=True)))

    def _at_least(self, value: float, drift: float, sd: float) -> float:
        """The probability of an outcome at least as good as a ratio of `value` after these pairs."""
        low, high = self.bounds
        time = float(sum(self.counts))
        if time <= self.min_pairs:
            return float(ndtr((drift * time - value) / (sd * sqrt(time))))
        walk = Passage(drift, sd, low - _OVERSHOOT * sd, high + _OVERSHOOT * sd)
        if value >= high:
            return walk.leaves_high(time)
        if value <= low:
            return 1.0 - walk.leaves_low(time)
        return walk.leaves_high(time) + walk.stays_above(value, time)


def _solve(quantile: Callable[[float], float], target: float) -> float:
    """The strength per pair under which an outcome at least as good has probability `target`."""
    wanted = float(ndtri(target))
    if quantile(-_WIDEST) >= wanted:
        return -_WIDEST
    if quantile(_WIDEST) <= wanted:
        return _WIDEST
    return float(brentq(lambda strength: quantile(strength) - wanted, -_WIDEST, _WIDEST, xtol=1e-5))


def _told(nelo: float) -> str:
    beyond = ">" if nelo >= WIDEST else "<" if nelo <= -WIDEST else ""
    return f"{beyond}{nelo:+.0f}"
