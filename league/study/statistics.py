"""Compares two arms over the same seeds; fixed in code, so that no file chooses a test after the results are in.

A run contributes one value, or one value for each item (task) of its endpoint. Differences are paired by seed, and by
item. A bootstrap of two levels draws seeds, and draws items, the same for all seeds, because every run answers the same
ones. The variance of single answers is in both levels and is counted once: drawing items inside the drawn seeds would
count it three times. The standard error is corrected for n seeds by sqrt(n / (n - 1)) and read on Student's t with
n - 1 degrees of freedom: percentiles of so few seeds are too narrow. Without items this is the paired t-test.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import chi2, norm, t

DRAWS = 4000
"""bootstrap draws of a comparison"""
LEVEL = 0.05
"""two-sided error level of an interval, and of all contrasts of an endpoint together"""
_CHUNK = 500
"""draws at once, so that many items need little memory"""
_GRID = 4000
"""points of the integral in `detectable`"""
_NO_SPREAD = 1e-12

Values = NDArray[np.float64]
"""(n, items): a row for each seed, a column for each item, or a single one"""


class PairedDifference(msgspec.Struct, frozen=True):
    """The mean of one arm less that of another, paired by seed."""

    mean: float
    low: float
    high: float
    spread: float
    """standard deviation of the seeds' differences"""
    p: float | None
    """two-sided; None if no seed differs from another, so that there is no spread to test against"""


def compare(first: Values, second: Values, seed: int = 0) -> PairedDifference:
    """Returns the difference of two arms with equal seeds and items in equal order; `seed` draws the bootstrap."""
    if first.shape != second.shape or len(first) < 2:
        raise ValueError(f"two arms of equal shape and at least 2 seeds, not {first.shape} and {second.shape}")
    pairs = first - second
    seeds = len(pairs)
    mean, spread = float(pairs.mean()), float(pairs.mean(axis=1).std(ddof=1))
    error = standard_error(pairs, seed)
    if error < _NO_SPREAD:
        return PairedDifference(mean, mean, mean, 0.0, 1.0 if abs(mean) < _NO_SPREAD else None)
    half = float(t.ppf(1 - LEVEL / 2, seeds - 1)) * error
    return PairedDifference(mean, mean - half, mean + half, spread, float(2 * t.sf(abs(mean) / error, seeds - 1)))


def standard_error(pairs: Values, seed: int) -> float:
    """Returns the standard error of the mean over new seeds and, if there are several, new items."""
    generator = np.random.default_rng(seed)
    seeds, items = pairs.shape
    error = _drawn_error(pairs.mean(axis=1), generator) ** 2
    if items > 1:
        rest = pairs - pairs.mean(axis=1, keepdims=True) - pairs.mean(axis=0, keepdims=True) + pairs.mean()
        single = float((rest**2).sum()) / ((seeds - 1) * (items - 1)) / pairs.size
        error += max(0.0, _drawn_error(pairs.mean(axis=0), generator) ** 2 - single)
    return sqrt(error)


def _drawn_error(values: Values, generator: np.random.Generator) -> float:
    """Returns the standard deviation of the mean over bootstrap draws, corrected for the number of values."""
    n = len(values)
    means = [values[generator.integers(n, size=(_CHUNK, n))].mean(axis=1) for _ in range(DRAWS // _CHUNK)]
    return float(np.concatenate(means).std()) * sqrt(n / (n - 1))


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Returns the p values of several contrasts, corrected so that one error in any of them has the level of one."""
    ordered = sorted((p, i) for i, p in enumerate(values) if p is not None)
    corrected: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (p, i) in enumerate(ordered):
        largest = max(largest, min(1.0, p * (len(values) - rank)))
        corrected[i] = largest
    return corrected


def detectable(seeds: int, contrasts: int = 1, power: float = 0.95) -> float:
    """Returns the difference, in standard deviations of the seeds' differences, that a study finds in 95% of cases.

    It is for an endpoint without items and for the smallest p value of Holm's correction.
    """
    limit = float(t.ppf(1 - LEVEL / contrasts / 2, seeds - 1))
    # scipy's noncentral t is not a number for few seeds; this integrates over the spread that the seeds show instead
    limits = limit * np.sqrt(chi2.ppf((np.arange(_GRID) + 0.5) / _GRID, seeds - 1) / (seeds - 1))

    def lacking(size: float) -> float:
        shift = size * sqrt(seeds)
        return float(np.mean(norm.sf(limits - shift) + norm.cdf(-limits - shift))) - power

    return float(brentq(lacking, 0.0, (4 * limit + 6) / sqrt(seeds)))
