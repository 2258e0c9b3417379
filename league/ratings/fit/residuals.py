"""What a normal approximation misses of the log likelihood, pair by pair of players.

The fit replaces the log likelihood of a pair by a parabola in their gap. The residual is the rest: near 0 for pairs
with many mixed results, large for a pair in which one won everything. It depends on the gap alone, so a table per pair
holds it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.links import CURVES, TERMS, Array
from league.ratings.fit.posterior import Design, nodes, nodes_for
from league.ratings.fit.prior import Index

Singles = NDArray[np.float32]

_MOST = 150
"""Pairs that are corrected: those with the largest residuals. The others keep their parabola."""
_REACH = 8.0
"""Standard deviations of the gap that a table spans on either side."""
_POINTS = 129
_FAR = 2.0
"""Standard deviations at which residuals are compared."""


@dataclass(frozen=True)
class PairResiduals:
    """Residuals of B pairs: `a`, `b` (B,) places of the players, `first` (B,) gap of each table, `scale` (B,) its
    points per unit of gap, `table` (B, points), `slope` (B, points) to the next point.
    """

    a: Index
    b: Index
    first: Singles
    scale: Singles
    table: Singles
    slope: Singles

    def at(self, gaps: Singles) -> Array:
        """Returns the summed residual (D,) for gaps (B, D)."""
        size = self.table.shape[1]
        place = np.clip((gaps - self.first[:, None]) * self.scale[:, None], np.float32(0.0), np.float32(size - 1.01))
        left = place.astype(np.int32)
        place -= left
        left += np.arange(0, self.table.size, size, dtype=np.int32)[:, None]
        low = self.table.ravel().take(left)
        out: Array = (low + place * self.slope.ravel().take(left)).sum(0, dtype=np.float64)
        return out


def pair_residuals(design: Design, counts: Array, x: Array, spread: Array) -> PairResiduals:
    """Returns the residuals of a fit at `x` to weighted `counts` (3, C), with standard deviations `spread` (C,) of the
    gaps. Seats and draw margins stay at their means.
    """
    gap, margin = design.gaps(x)
    swap = design.a > design.b
    sign = np.where(swap, -1.0, 1.0)
    low, high = np.where(swap, design.b, design.a), np.where(swap, design.a, design.b)
    keys, pair = np.unique(low * design.size + high, return_inverse=True)
    first = np.unique(pair, return_index=True)[1]
    a, b, sd = low[first], high[first], np.maximum(spread[first], 1e-9)
    points, weights = nodes(nodes_for(spread))
    curve = CURVES[design.link](gap + points * spread, margin, *counts)
    slope = np.asarray(np.bincount(pair, sign * (weights @ curve.gap), len(keys)), np.float64)
    bend = np.asarray(np.bincount(pair, weights @ curve.gap2, len(keys)), np.float64)
    kept = _largest(design, counts, pair, sign, (gap, margin), sd, slope, bend)
    number = np.full(len(keys), -1)
    number[kept] = np.arange(len(kept))
    cells = np.flatnonzero(number[pair] >= 0)
    offsets = np.linspace(-_REACH, _REACH, _POINTS)[None, :] * sd[kept][:, None]
    moved = gap[cells][:, None] + sign[cells][:, None] * offsets[number[pair[cells]]]
    table = slope[kept][:, None] * -offsets + 0.5 * bend[kept][:, None] * offsets**2
    np.add.at(table, number[pair[cells]], _log(design, counts[:, cells], moved, margin[cells]))
    start = x[a[kept]] - x[b[kept]]
    scale = 1.0 / (offsets[:, 1] - offsets[:, 0])
    single = (values.astype(np.float32) for values in (start + offsets[:, 0], scale, table, _slopes(table)))
    return PairResiduals(a[kept], b[kept], *single)


def _slopes(table: Array) -> Array:
    return np.diff(table, axis=1, append=table[:, -1:])


def _largest(
    design: Design,
    counts: Array,
    pair: Index,
    sign: Array,
    at: tuple[Array, Array],
    sd: Array,
    slope: Array,
    bend: Array,
) -> Index:
    """Returns the pairs with the largest residuals, in their order."""
    gap, margin = at
    offsets = np.array([-_FAR, 0.0, _FAR])[None, :] * sd[:, None]
    values = 0.5 * bend[:, None] * offsets**2 - slope[:, None] * offsets
    np.add.at(values, pair, _log(design, counts, gap[:, None] + sign[:, None] * offsets[pair], margin))
    size = np.abs(values - values[:, 1:2]).max(1)
    out: Index = np.sort(np.argsort(-size, kind="stable")[:_MOST])
    return out


def _log(design: Design, counts: Array, gaps: Array, margin: Array) -> Array:
    """Returns the log likelihood of each cell (C,) at several gaps (C, M)."""
    shape = gaps.shape
    p = TERMS[design.link](gaps.ravel(), np.repeat(margin, shape[1])).p.reshape(*shape, 3)
    out: Array = (np.log(np.maximum(p, 1e-300)) * counts.T[:, None, :]).sum(2)
    return out
