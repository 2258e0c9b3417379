"""An interval for the mean of scores that holds at every look, whatever the scores' distribution.

Whoever bets that the mean exceeds m multiplies a capital of 1 by 1 + b (x - m) with every score x from 0 to 1. If the
mean is m, or less, the capital is a supermartingale, so by Ville's inequality it ever reaches 1 / error with a
probability of at most `error` (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by
betting"). The capital is the mean of those of fixed stakes, so it does not depend on the order of the scores. An
interval contains every m against which neither direction has earned 2 / error.

Scores on one task share what the task is worth to each player: given the first ones, the next are not fair bets. A task
is therefore one score, the mean of its first 1, 2, 4, ... scores; each of these lengths has an interval of its own,
with half of the error of the one before, and the result is what they have in common.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_STAKES = np.geomspace(0.01, 0.95, 10)[:, None]
"""shares of the capital that one score can lose at most"""
_LENGTHS = 12
"""A task has up to 2^11 scores that count."""


class Interval(NamedTuple):
    """What scores say about their mean."""

    low: float = 0.0
    high: float = 1.0


def always_valid(scores: Floats, tasks: Ints, error: float) -> Interval:
    """Returns an interval that contains the mean at all looks together with a probability of at least 1 - `error`.

    `scores` (n,) from 0 to 1, and `tasks` (n,), in the order of play: equal positive numbers are one task, 0 is none.
    """
    if not tasks.any():
        return _betting(scores, error)
    low, high = 0.0, 1.0
    for length in range(_LENGTHS):
        error *= 0.5
        means = _first_of_tasks(scores, tasks, 1 << length)
        if not len(means):
            break
        one = _betting(means, error)
        low, high = max(low, one.low), min(high, one.high)
    return Interval(min(low, high), max(low, high))


def _first_of_tasks(scores: Floats, tasks: Ints, length: int) -> Floats:
    """Returns the mean of the first `length` scores of each task that has so many; a score without a task is one."""
    alone = np.flatnonzero(tasks == 0)
    names = tasks.copy()
    names[alone] = -1 - alone
    order = np.argsort(names, kind="stable")
    starts = np.flatnonzero(np.diff(names[order], prepend=names[order][0] - 1)) if len(order) else order
    starts = starts[np.diff(starts, append=len(order)) >= length]
    out: Floats = scores[order][starts[:, None] + np.arange(length)].mean(1)
    return out


def _betting(scores: Floats, error: float) -> Interval:
    values, times = np.unique(scores, return_counts=True)
    target = log(2.0 / error)
    return Interval(_lowest(values, times, target), 1.0 - _lowest(1.0 - values, times, target))


def _lowest(values: Floats, times: Ints, target: float) -> float:
    """Returns the largest m against which bets on a higher mean have earned the `target`, a log of capital."""
    below, above = 0.0, 1.0
    for _ in range(30):  # the capital falls with m
        middle = 0.5 * (below + above)
        logs = np.log1p(_STAKES * (values / middle - 1.0)) @ times
        earned = float(np.logaddexp.reduce(logs)) - log(len(_STAKES)) >= target
        below, above = (middle, above) if earned else (below, middle)
    return below
