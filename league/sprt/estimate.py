"""The strength of a candidate after a sequential test, without the bias of stopping when it looked good.

Outcomes are ordered: accepted tests, where earlier means stronger; open tests, by their ratio; rejected tests, where
later means stronger. At the first check, before which no test can stop, only the ratio counts. The median-unbiased
estimate is the strength under which the observed outcome is the median of this order. At the ends of the interval it
is at 2.5% and at 97.5%.

The ratio is treated as a Brownian motion with the drift and variance that it has per pair under a strength, with the
other parameters of the five probabilities at their most likely values. In simulations, 60 to 100 each, of candidates
up to ten times nelo1, 93% to 98% of the intervals contained the truth; 88% to 95% if about a dozen pairs decided.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import NamedTuple

from scipy.special import ndtr, ndtri

from league.sprt import pentanomial
from league.sprt.brownian import Passage

FIRST = 8
"""The number of pairs, or of tasks where pairs share them, before the first decision of a test."""
_OVERSHOOT = 0.583
"""The mean distance by which a walk with normal steps passes a barrier, in standard deviations of a step. Moving the
barriers out by it corrects the continuous theory (Siegmund 1985)."""
_WIDEST = 3.0
"""Estimates are searched between these strengths per pair, (mean - 1/2) / sd."""
WIDEST = _WIDEST * pentanomial.NELO / sqrt(2.0)
"""The same in normalised Elo, 737. A bound of this value is open: data without a loss set no upper limit."""
_FARTHEST = 9.0
"""Standard normal quantiles are clipped to this value."""


class Estimate(NamedTuple):
    """Median-unbiased normalised Elo and its 95% interval, both corrected for the early stop.

    `WIDEST` and -`WIDEST` also represent everything beyond.
    """

    nelo: float
    low: float
    high: float

    def __str__(self) -> str:
        """Returns `+82 [+13, +141]`; > and < mark values beyond +-`WIDEST`."""
        nelo, low, high = map(_nelo, self)
        return f"{nelo} [{low}, {high}]"


class TestOutcome(NamedTuple):
    """The state of a test: its five counts and its settings, as in `Gate`."""

    counts: Sequence[float]
    nelo0: float
    nelo1: float
    bounds: tuple[float, float]

    def estimate(self) -> Estimate:
        """Returns the estimate; needs at least one pair."""
        value, shares = pentanomial.llr(self.counts, self.nelo0, self.nelo1), pentanomial.shares(self.counts)

        @functools.cache
        def quantile(strength: float) -> float:
            """Returns the normal quantile of the chance of an outcome at least as good; nearly linear in `strength`."""
            z = float(ndtri(self._at_least(value, *self._per_pair(shares, strength))))
            return min(_FARTHEST, max(-_FARTHEST, z))

        return Estimate(*(_solve(quantile, target) * WIDEST / _WIDEST for target in (0.5, 0.025, 0.975)))

    def _per_pair(self, shares: Sequence[float], strength: float) -> tuple[float, float]:
        """Returns drift and standard deviation of the ratio per pair under a strength.

        The two constrained fits change with the shares, but at their maximum this has no first-order effect: a pair
        adds the log ratio of the two probabilities of its category.
        """
        p = pentanomial.constrained(shares, strength)
        p0, p1 = (pentanomial.constrained(p, pentanomial.per_pair(nelo)) for nelo in (self.nelo0, self.nelo1))
        steps = [log(b / a) for a, b in zip(p0, p1, strict=True)]
        drift = sum(q * step for q, step in zip(p, steps, strict=True))
        return drift, sqrt(sum(q * (step - drift) ** 2 for q, step in zip(p, steps, strict=True)))

    def _at_least(self, value: float, drift: float, sd: float) -> float:
        """Returns the probability of an outcome at least as good as a ratio of `value` after these pairs."""
        low, high = self.bounds
        time = float(sum(self.counts))
        if time <= FIRST:
            return float(ndtr((drift * time - value) / (sd * sqrt(time))))
        walk = Passage(drift, sd, low - _OVERSHOOT * sd, high + _OVERSHOOT * sd)
        if value >= high:
            return walk.leaves_high(time)
        if value <= low:
            return 1.0 - walk.leaves_low(time)
        return walk.leaves_high(time) + walk.stays_above(value, time)


def _solve(quantile: Callable[[float], float], target: float) -> float:
    """Returns the strength per pair under which an outcome at least as good has probability `target`."""
    from scipy.optimize import brentq

    z = float(ndtri(target))
    if quantile(-_WIDEST) >= z:
        return -_WIDEST
    if quantile(_WIDEST) <= z:
        return _WIDEST
    return float(brentq(lambda strength: quantile(strength) - z, -_WIDEST, _WIDEST, xtol=1e-5))


def _nelo(nelo: float) -> str:
    beyond = ">" if nelo >= WIDEST else "<" if nelo <= -WIDEST else ""
    return f"{beyond}{nelo:+.0f}"
