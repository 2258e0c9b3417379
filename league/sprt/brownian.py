"""Distributions of a Brownian motion that starts at 0 and stops at barriers low < 0 < high.

The log likelihood ratio of a sequential test is nearly such a motion, and its estimates need these distributions. Each
has two series for the same number (Cox and Miller 1965, section 5.7). The Fourier series of the first passage converges
fast once the motion has had time to cross from one barrier to the other; before, the images of its start in both
barriers do. Outside of its range, each series loses all digits or overflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

_K = np.arange(1, 7)
_IMAGES = np.arange(-6, 7)
"""With the series that `_crossed` chooses, the first omitted term is below e^-60."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Passage:
    """Drift and standard deviation per unit of time, and the barriers."""

    drift: float
    sd: float
    low: float
    high: float

    def leaves_high(self, time: float) -> float:
        """Returns the probability of reaching `high` first, and before `time`."""
        return self._leaves(self.drift, -self.low, self.high, time)

    def leaves_low(self, time: float) -> float:
        """Returns the probability of reaching `low` first, and before `time`."""
        return self._leaves(-self.drift, self.high, -self.low, time)

    def stays_above(self, level: float, time: float) -> float:
        """Returns the probability of reaching no barrier before `time` and being above `level` at `time`."""
        if level >= self.high:
            return 0.0
        level = max(level, self.low)
        return _probability(self._kept(level, time) if self._crossed(time) else self._mirrored(level, time))

    def _crossed(self, time: float) -> bool:
        return self.sd * self.sd * time >= (self.high - self.low) ** 2

    def _leaves(self, drift: float, below: float, above: float, time: float) -> float:
        """Returns the probability of reaching `above` before `below`, both distances from 0, and before `time`."""
        variance, width = self.sd * self.sd, below + above
        if self._crossed(time):
            rate = 0.5 * (drift * drift / variance + (_K * pi / width) ** 2 * variance)
            waves = _K * np.where(_K % 2, 1.0, -1.0) * np.sin(_K * pi * below / width)
            later = variance * pi / width**2 * (waves * np.exp(drift * above / variance - rate * time) / rate).sum()
            return _probability(_ever(2.0 * drift / variance, below, above) - float(later))
        at = above + 2.0 * width * _IMAGES
        far, spread = np.abs(at), self.sd * sqrt(time)
        toward = np.exp(drift * (above - far) / variance + log_ndtr((drift * time - far) / spread))
        back = np.exp(drift * (above + far) / variance + log_ndtr(-(drift * time + far) / spread))
        return _probability(float((np.sign(at) * (toward + back)).sum()))

    def _kept(self, level: float, time: float) -> float:
        """Returns `stays_above` by Fourier series: the integral of its terms from `level` to `high`."""
        variance, width = self.sd * self.sd, self.high - self.low
        k, tilt = _K * pi / width, self.drift / variance

        def up_to(x: float) -> Floats:
            wave = tilt * np.sin(k * (x - self.low)) - k * np.cos(k * (x - self.low))
            decay = np.exp(tilt * x - 0.5 * (tilt * self.drift + k * k * variance) * time)
            out: Floats = wave * decay / (tilt * tilt + k * k)
            return out

        return float((2.0 / width * np.sin(-k * self.low) * (up_to(self.high) - up_to(level))).sum())

    def _mirrored(self, level: float, time: float) -> float:
        """`stays_above` by images of the start: even ones are added, odd ones subtracted."""
        width, spread, total = self.high - self.low, self.sd * sqrt(time), 0.0
        for start, sign in ((2.0 * width * _IMAGES, 1.0), (2.0 * (self.high + width * _IMAGES), -1.0)):
            weight = self.drift * start / (self.sd * self.sd)
            top, bottom = ((x - self.drift * time - start) / spread for x in (self.high, level))
            upper = bottom > 0.0  # use the smaller of two tails, so that a large weight does not multiply 1 - 1
            more, less = np.where(upper, -bottom, top), np.where(upper, -top, bottom)
            total += sign * float((np.exp(weight + log_ndtr(more)) - np.exp(weight + log_ndtr(less))).sum())
        return total


def _ever(lean: float, below: float, above: float) -> float:
    """Returns the probability of ever reaching `above` before `below`; `lean` is 2 drift / variance."""
    if abs(lean * (below + above)) < 1e-9:
        return below / (below + above)
    if lean > 0.0:
        return expm1(-lean * below) / expm1(-lean * (below + above))
    return exp(lean * above) * expm1(lean * below) / expm1(lean * (below + above))


def _probability(value: float) -> float:
    return min(1.0, max(0.0, value))
