"""The geometry of a report's charts. The templates draw it as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from league.board.standing_columns import unanswered
from league.metagame import PayoffMatrix
from league.records.leaderboard import Standing
from league.reports.columns import POINTS, RATING
from league.reports.content import TrainingCurve

WIDTH, HEIGHT = 300.0, 90.0
"""of the plot area of a curve"""
_POINTS = 400
"""points of a curve that are drawn; a longer one is thinned"""
_RED, _WHITE, _BLUE = (178, 24, 43), (247, 247, 247), (33, 102, 172)


@dataclass(frozen=True)
class CurveChart:
    """A curve as lines in a box of WIDTH x HEIGHT, y downwards."""

    label: str
    lines: tuple[str, ...]
    """coordinates of each unbroken piece, for the attribute `points`"""
    low: str
    high: str
    first: str
    last: str
    newest: str


@dataclass(frozen=True)
class HeatCell:
    """One cell of the heat map."""

    row: int
    column: int
    colour: str
    ink: str
    text: str
    title: str


@dataclass(frozen=True)
class IntervalBar:
    """A value with its interval, in percent of the width."""

    left: float
    width: float
    at: float


def curve_chart(curve: TrainingCurve) -> CurveChart | None:
    """Returns the chart of a curve; None without a finite value."""
    points = curve.points[:: max(1, len(curve.points) // _POINTS)]
    values = [value for _, value in points if math.isfinite(value)]
    if not values:
        return None
    low, high = min(values), max(values)
    first, last = points[0][0], points[-1][0]
    pieces: list[list[str]] = [[]]
    for step, value in points:
        if not math.isfinite(value):
            pieces.append([])
            continue
        x = WIDTH * (step - first) / max(1, last - first)
        y = HEIGHT * (1 - (value - low) / (high - low)) if high > low else HEIGHT / 2
        pieces[-1].append(f"{x:.1f},{y:.1f}")
    lines = tuple(" ".join(piece if len(piece) > 1 else piece * 2) for piece in pieces if piece)
    return CurveChart(
        curve.label, lines, f"{low:.4g}", f"{high:.4g}", f"{first:,}", f"{last:,}", f"{curve.points[-1][1]:.4g}"
    )


def heat_cells(payoff: PayoffMatrix) -> list[HeatCell]:
    """Returns a cell for each ordered pair of different players."""
    low, high = payoff.interval()
    share = payoff.share
    cells = []
    for i, player in enumerate(payoff.players):
        for j, other in enumerate(payoff.players):
            if i == j:
                continue
            if not payoff.games[i, j]:
                cells.append(HeatCell(i, j, "#dddddd", "#222222", "?", f"{player} and {other} never met"))
                continue
            s = float(share[i, j])
            interval = f"95% interval {100 * low[i, j]:.0f} to {100 * high[i, j]:.0f}"
            title = f"{player} against {other}: {100 * s:.1f} points of 100 in {payoff.games[i, j]:,.0f}, {interval}"
            ink = "#ffffff" if abs(s - 0.5) > 0.35 else "#222222"
            cells.append(HeatCell(i, j, _colour(s), ink, f"{100 * s:.0f}", title))
    return cells


def _colour(share: float) -> str:
    """Red for no point, white for half of them, blue for all."""
    end, t = (_BLUE, 2 * share - 1) if share >= 0.5 else (_RED, 1 - 2 * share)
    return "#" + "".join(f"{round(w + (c - w) * t):02x}" for w, c in zip(_WHITE, end, strict=True))


@dataclass(frozen=True)
class IntervalBars:
    """The bars of a table: of points from 0 to 100 if it has them, otherwise of ratings on one common scale."""

    column: str
    """heading of the column that they follow"""
    bars: tuple[IntervalBar | None, ...]

    def at(self, row: int) -> float | str:
        """Returns the value by which the page sorts a row."""
        bar = self.bars[row]
        return "" if bar is None else bar.at


def interval_bars(rows: Sequence[Standing]) -> IntervalBars:
    """Returns a bar for each row; None for rows without points or without a rating."""
    if any(row.points is not None for row in rows):
        return IntervalBars(POINTS, tuple(map(_points_bar, rows)))
    rated = [row for row in rows if row.rated and math.isfinite(row.low) and math.isfinite(row.high)]
    low, high = min((row.low for row in rated), default=0.0), max((row.high for row in rated), default=0.0)
    scale = 100.0 / (high - low or 1.0)
    bars = (
        IntervalBar((row.low - low) * scale, (row.high - row.low) * scale, (row.rating - low) * scale)
        if row in rated
        else None
        for row in rows
    )
    return IntervalBars(RATING, tuple(bars))


def _points_bar(row: Standing) -> IntervalBar | None:
    if row.points is None or unanswered(row):
        return None
    low, high = row.points_low or 0.0, 100.0 if row.points_high is None else row.points_high
    return IntervalBar(low, high - low, row.points)
