"""The lines of a panel: its text, and its curves with their scales, as wide as the board."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len

from league.board.cells import clean, cut, fit, pad
from league.board.lines import Line, SameObject, styled
from league.board.state import CurveLine, Panel

_NARROW, _SCALED = 8, 24
"""cells of a curve at least, without and with its scale"""


def panel_lines(panel: Panel, width: int, tall: int = 1) -> list[Line]:
    """Returns the lines of a panel without its title; curves are `tall` lines high if their scales fit."""
    lines = [clean(line) for line in panel.lines]
    if panel.wraps or panel.warns:
        lines = [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ")]
    return [*((fit(line, width), []) for line in lines), *_curves(panel, width, tall)]


def _curves(panel: Panel, width: int, tall: int) -> list[Line]:
    """Returns for each curve: label, newest value, and the curve between its smallest and its largest value.

    With less room the scale is omitted, then labels are cut, then the curve is omitted.
    """
    if not panel.curves:
        return []
    labels = [clean(curve.label) for curve in panel.curves]
    values = [clean(curve.value) for curve in panel.curves]
    value = max(map(cell_len, values))
    scales = [_scale(curve.values) for curve in panel.curves]
    low, high = (max(len(word), *(len(scale[end]) for scale in scales)) for end, word in enumerate(("low", "high")))
    label = max(map(cell_len, labels))
    room = width - label - value - low - high - 5
    if room >= _SCALED:
        heads = [_heads(panel.axis, label, value, low, room)] if any(panel.axis) else []
        rows = zip(labels, values, scales, panel.curves, strict=True)
        return heads + [line for row in rows for line in _scaled(*row, (label, value, low), room, tall)]
    label = min(label, max(_NARROW, width - value - _NARROW - 2))
    room = width - label - value - 2
    return [_plain(*row, value, room, width) for row in zip(labels, values, panel.curves, strict=True)]


def _scale(values: Sequence[float]) -> tuple[str, str]:
    """Returns the smallest and the largest value, in as many figures as tell them apart."""
    low, high = extent(values)
    digits = next((n for n in (3, 4, 5) if low == high or f"{low:.{n}g}" != f"{high:.{n}g}"), 6)
    return f"{low:.{digits}g}", f"{high:.{digits}g}"


def _heads(axis: tuple[str, str], label: int, value: int, low: int, room: int) -> Line:
    first, last = (fit(clean(text), room // 2) for text in axis)
    gap = " " * max(1, room - cell_len(first) - cell_len(last))
    before = " " * (label + 1) + pad("now", value, right=True) + "  " + pad("low", low, right=True)
    return styled(f"{before} {first}{gap}{last} high", "dim")


def _scaled(
    label: str, value: str, scale: Sequence[str], curve: CurveLine, widths: tuple[int, int, int], room: int, tall: int
) -> list[Line]:
    """Returns the first line has the label, the newest and the largest value; the last one the smallest."""
    first = f"{pad(cut(label, widths[0]), widths[0])} {pad(value, widths[1], right=True)}"
    lines: list[Line] = []
    for number, line in enumerate(_drawn(SameObject(curve.values), room, tall)):
        before = first if number == 0 else " " * len(first)
        low = f"  {pad(scale[0] if number == tall - 1 else '', widths[2], right=True)} "
        start, end = len(before) + len(low), len(before) + len(low) + len(line)
        text = f"{before}{low}{line}" + (f" {scale[1]}" if number == 0 else "")
        lines.append((text, [(len(before), start, "dim"), (start, end, "cyan"), (end, len(text), "dim")]))
    return lines


@lru_cache(256)
def _drawn(of: SameObject[tuple[float, ...]], room: int, tall: int) -> list[str]:
    return chart(of.value, room, tall) if tall > 1 else [sparkline(resampled(of.value, room), room)]


def _plain(label: str, value: str, curve: CurveLine, value_width: int, room: int, width: int) -> Line:
    """Without a scale; without the curve if `room` is less than _NARROW."""
    if room < _NARROW:
        left = width - len(value) - 1
        return (f"{pad(cut(label, left), left)} {value}" if left >= 4 else fit(value, width)), []
    (line,) = _drawn(SameObject(curve.values), room, 1)
    names = width - value_width - room - 2
    text = f"{pad(cut(label, names), names)} {pad(value, value_width, right=True)} {line}"
    return text, [(len(text) - len(line), len(text), "cyan")]


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
