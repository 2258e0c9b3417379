"""A lower confidence bound for a mean that holds for every number of observations and every distribution on a range.

The bound of Waudby-Smith and Ramdas (2024, "Estimating means of bounded random variables by betting", predictable
plug-in): whoever bets that the mean exceeds m, multiplies a capital of 1 by 1 + b_t (x_t - m) at every observation.
The stake b_t depends on earlier observations only. If the mean is at most m, the capital is a supermartingale, so by
Ville's inequality it reaches 1 / (1 - confidence) with a probability of at most 1 - confidence. The bound is the
largest m at which the capital reached that. No normal approximation is involved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_LARGEST_STAKE = 0.75
"""share of the capital that one observation can lose at most"""


def mean_lower_bound(values: Sequence[float], low: float, high: float, confidence: float) -> float:
    """Returns a number that the mean exceeds with this confidence; `low` if the values show nothing.

    A value above `high` counts as `high`, which keeps the bound valid. Raises ValueError for one below `low`.
    """
    import numpy as np

    if not len(values) or high <= low:
        return low
    x = np.minimum((np.asarray(values, dtype=float) - low) / (high - low), 1.0)
    if x.min() < -1e-9:
        raise ValueError(f"{min(values):g} is below the lowest possible value {low:g}")
    x = np.maximum(x, 0.0)
    n = len(x)
    count = np.arange(1, n + 1)
    mean = (0.5 + np.cumsum(x)) / (count + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2)) / (count + 1)
    target = math.log(1 / (1 - confidence))
    stakes = np.sqrt(2 * target / (n * np.concatenate(([0.25], variance[:-1]))))

    def rejects(m: float) -> bool:
        stake = np.minimum(stakes, _LARGEST_STAKE / m)
        return bool(np.cumsum(np.log1p(stake * (x - m))).max() >= target)

    below, above = 0.0, 1.0
    for _ in range(40):  # the capital falls with m
        middle = (below + above) / 2
        below, above = (middle, above) if rejects(middle) else (below, middle)
    return low + below * (high - low)
