"""Curves in text: one line (`sparkline`) or several (`chart`), with their scales."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int) -> str:
    """Returns a curve as a line of at most `width` cells, from its smallest value to its largest; NaN is blank.

    >>> sparkline([0, 1, 2, 3, 4, 5, 6, 7], 8)
    '▁▂▃▄▅▆▇█'
    """
    points = resampled(values, min(width, len(values)))
    low, high = extent(points)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((v - low) * scale)] if math.isfinite(v) else " " for v in points)


def chart(values: Sequence[float], width: int, height: int) -> list[str]:
    """Returns a curve as `height` lines of `width` cells, filled below, scaled as `sparkline`.

    >>> chart([0, 4, 8, 16], 4, 2)
    ['  ▁█', '▁▅██']
    """
    points = resampled(values, width)
    low, high = extent(points)
    steps = height * len(_BARS)
    scale = (steps - 1) / (high - low) if high > low else 0.0
    levels = [round((v - low) * scale) + 1 if math.isfinite(v) else 0 for v in points]
    lines = []
    for row in reversed(range(height)):
        filled = (min(len(_BARS), level - row * len(_BARS)) for level in levels)
        lines.append("".join(_BARS[n - 1] if n > 0 else " " for n in filled))
    return lines


def extent(values: Sequence[float]) -> tuple[float, float]:
    """Returns the smallest and the largest finite value; (0, 0) if there is none."""
    finite = [v for v in values if math.isfinite(v)]
    return (min(finite), max(finite)) if finite else (0.0, 0.0)


def resampled(values: Sequence[float], width: int) -> list[float]:
    """`width` values: means of intervals of equal length, or each value repeated if there are fewer."""
    n = len(values)
    if not n or width <= 0:
        return []
    if n <= width:
        return [values[i * n // width] for i in range(width)]
    edges = [round(i * n / width) for i in range(width + 1)]
    intervals = [[v for v in values[a:b] if math.isfinite(v)] for a, b in itertools.pairwise(edges)]
    return [sum(s) / len(s) if s else math.nan for s in intervals]
