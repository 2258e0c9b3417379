"""The bootstrap beside the model's own intervals: what the ratings would have been with other luck.

Pairings are drawn again, whole (their matches share a seed), with Poisson weights: given the number of pairings that is
the multinomial bootstrap, and it needs one draw per cell instead of a chain of them (Hanley and MacGibbon 2006).
Every replicate is the maximum a posteriori of its counts with the fit's prior; where there are many matches, all are
refitted at once with the curvature of the whole data, so that a step is one matrix product.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from league.ratings._link import CURVES, Array
from league.ratings._model import Constants, Model
from league.ratings._posterior import Design, Posterior, Prior, solve
from league.ratings.counts import Counts

_CHUNK = 25
"""Replicates refitted together; their tables of cells stay in the cache."""
_TOLERANCE = 0.02
"""The last step, in standard deviations of the unknown it changes."""
_STEPS = 20
_FEW = 200
"""Comparisons per player below which one curvature for all replicates is too rough, and each gets its own."""


def bootstrap(
    method: Constants,
    counts: Counts,
    replicates: int = 200,
    seed: int = 0,
    lineage: Mapping[str, str] | None = None,
    anchors: Mapping[str, float | tuple[float, float]] | None = None,
) -> Array:
    """(replicates, n) ratings on the board's scale, around those of `method.fit(counts, lineage, anchors)`.

    A pure function of its arguments. Percentiles of a column bound a rating by sampling variation alone: the prior's
    pull and a sparsely played player's unknown skill are not in them, so with few matches they are narrower than the
    model's intervals.
    """
    model = Model(method, counts, lineage or {}, anchors or {})
    found, spread = model.solve()
    weight = model.weight(spread)
    centre = solve(model.design, counts.n * weight, model.prior, found, spread=False, estimate=False)
    rng = np.random.default_rng(seed)
    parts = []
    for start in range(0, replicates, _CHUNK):
        drawn = resample(counts, min(_CHUNK, replicates - start), rng) * weight
        if counts.n.sum() < _FEW * len(counts.players):
            refits = [solve(model.design, one, model.prior, centre, spread=False, estimate=False) for one in drawn]
            parts.append(np.array([refit.x for refit in refits]))
        else:
            parts.append(_refit(model.design, drawn, model.prior, centre))
    n = len(counts.players)
    moved = np.concatenate(parts)[:, :n] - centre.x[:n]
    out: Array = method.mu + method.unit * model.gauge(found.x[:n] + moved)
    return out


def resample(counts: Counts, replicates: int, rng: np.random.Generator) -> Array:
    """(R, 3, C) counts, every pairing drawn again as a whole."""
    units, cells = counts.units, counts.n.shape[1]
    alone = counts.n.copy()
    if len(units.unit):
        np.subtract.at(alone, (units.outcome, units.cell), units.count[units.unit])
    out = rng.poisson(alone, (replicates, 3, cells)).astype(np.float64)
    if len(units.unit):
        times = rng.poisson(units.count, (replicates, len(units.count)))
        places = units.outcome * cells + units.cell
        for replicate in range(replicates):
            more = np.bincount(places, times[replicate][units.unit], 3 * cells)
            out[replicate] += more.reshape(3, cells)
    return out


def _refit(design: Design, drawn: Array, prior: Prior, centre: Posterior) -> Array:
    """(R, P) maxima for counts (R, 3, C), by Newton's method with one curvature for all."""
    precision, scale = prior.matrix(), np.sqrt(np.diag(centre.covariance))
    pulled = prior.gradient(np.zeros(design.size))
    x = np.tile(centre.x, (len(drawn), 1))
    collect = _collector(design)
    for _ in range(_STEPS):
        t = np.exp(np.append(x, np.full((len(x), 1), -np.inf), axis=1)[:, design.margin])
        d = x[:, design.a] - x[:, design.b] + x[:, design.seat_a] - x[:, design.seat_b]
        curve = CURVES[design.link](d, t, drawn[:, 0], drawn[:, 1], drawn[:, 2])
        gradient = (collect @ np.concatenate([curve.gap, t * curve.margin], axis=1).T).T + pulled - x @ precision
        step = gradient @ centre.covariance
        x += step
        if np.abs(step / scale).max() < _TOLERANCE:
            break
    return x


def _collector(design: Design) -> Any:
    """Sparse (P, 2 C): from derivatives by gap and by log margin to those by x."""
    from scipy.sparse import csr_array

    cells = len(design.a)
    here = np.arange(cells)
    rows = np.concatenate([design.a, design.b, design.seat_a, design.seat_b, design.margin])
    columns = np.concatenate([here, here, here, here, here + cells])
    signs = np.repeat([1.0, -1.0, 1.0, -1.0, 1.0], cells)
    return csr_array((signs, (rows, columns)), shape=(design.size + 1, 2 * cells))[: design.size]
