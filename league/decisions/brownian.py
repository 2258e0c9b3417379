"""A Brownian motion from 0 with drift m, variance s^2 per unit of time, stopped at barriers low < 0 < high.

The log likelihood ratio of a sequential test is one, nearly: these are the distributions that its estimates need.
Fourier series of the first passage (Darling and Siegert 1953; Cox and Miller 1965, section 5.7).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_TERMS = 400
_GRID = 801
_NOTHING = 40.0
"""A term of exp(-_NOTHING) is not summed."""


@dataclass(frozen=True)
class Passage:
    """Drift, standard deviation per unit of time, barriers."""

    drift: float
    sd: float
    low: float
    high: float

    def leaves_high(self, time: float | None = None) -> float:
        """The probability to reach `high` first, and before `time` where one is given."""
        return self._leaves(self.drift, -self.low, self.high, time)

    def leaves_low(self, time: float | None = None) -> float:
        """The probability to reach `low` first, and before `time` where one is given."""
        return self._leaves(-self.drift, self.high, -self.low, time)

    def _leaves(self, drift: float, below: float, above: float, time: float | None) -> float:
        """To reach `above` before falling `below` (both distances from 0)."""
        width, variance = below + above, self.sd * self.sd
        lean = 2.0 * drift / variance
        ever = below / width if abs(lean * width) < 1e-9 else float(np.expm1(-lean * below) / np.expm1(-lean * width))
        if time is None:
            return ever
        k = np.arange(1, _TERMS + 1)
        rate = 0.5 * (drift * drift / variance + (k * np.pi / width) ** 2 * variance)
        signs = np.where(k % 2, 1.0, -1.0)
        terms = k * signs * np.sin(k * np.pi * below / width) * np.exp(drift * above / variance - rate * time) / rate
        later = variance * np.pi / width**2 * terms.sum()
        return float(min(1.0, max(0.0, ever - later)))

    def stays_above(self, level: float, time: float) -> float:
        """The probability to reach no barrier before `time` and to be above `level` then."""
        if level >= self.high:
            return 0.0
        grid = np.linspace(max(level, self.low), self.high, _GRID)
        return float(np.trapezoid(self._density(grid, time), grid))

    def _density(self, at: NDArray[np.float64], time: float) -> NDArray[np.float64]:
        width, variance = self.high - self.low, self.sd * self.sd
        terms = min(_TERMS, int(width / (np.pi * self.sd) * (2.0 * _NOTHING / time) ** 0.5) + 2)
        k = np.arange(1, terms + 1)[:, None] * np.pi / width
        decay = np.exp(-0.5 * k * k * variance * time)
        series = (np.sin(-k * self.low) * np.sin(k * (at - self.low)) * decay).sum(0)
        tilt = np.exp((self.drift * at - 0.5 * self.drift * self.drift * time) / variance)
        out: NDArray[np.float64] = np.maximum(2.0 / width * series * tilt, 0.0)
        return out
