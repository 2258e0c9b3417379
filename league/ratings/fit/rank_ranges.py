"""Ranks from draws of all skills: ranges that hold together, and what the same draws say for sure.

The ranges are those of a credible set: a share of the draws, chosen once, in which every statement of the table holds.
So a range contradicts neither the probability of the best nor that of being above the next row. Of the rest of the
draws, the set leaves out those with the most extreme ranks (Besag, Green, Higdon and Mengersen, "Bayesian computation
and stochastic systems", Statistical Science 10, 1995: simultaneous credible regions).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.links import Array

Mask = NDArray[np.bool_]
Ranks = NDArray[np.uint16]

_RARE = 0.01
"""A player that is the best with less than this probability has no range from 1, as far as the level allows."""


def ranks_of(skills: Array) -> Ranks:
    """Returns (n, D): the rank of each player in each draw (n, D)."""
    order = np.argsort(np.ascontiguousarray(-skills.T, np.float32), axis=1)
    out = np.empty(order.shape, np.uint16)
    np.put_along_axis(out, order, np.arange(1, len(skills) + 1, dtype=np.uint16)[None, :], 1)
    return np.ascontiguousarray(out.T)


def in_place(ranks: Ranks) -> Mask:
    """Returns (n, D): whether the players of the first 1, 2, ... rows are the best, in the order of the rows."""
    out: Mask = np.logical_and.accumulate(ranks == np.arange(1, len(ranks) + 1, dtype=np.uint16)[:, None], axis=0)
    return out


def _cuts(ranks: Ranks) -> Mask:
    """Returns (n - 1, D): whether the first 1, 2, ... rows are above all later ones."""
    out: Mask = np.maximum.accumulate(ranks, axis=0)[:-1] == np.arange(1, len(ranks), dtype=np.uint16)[:, None]
    return out


def rank_ranges(ranks: Ranks, level: float = 0.95) -> tuple[Ranks, Ranks]:
    """Returns best and worst rank (n,), which contain the ranks of all players together in a share `level` of draws.

    `ranks` (n, D): from the first row of the table to the last.
    """
    n, draws = ranks.shape
    if n < 2:
        return np.ones(n, np.uint16), np.ones(n, np.uint16)
    kept = _stated(_cuts(ranks), ranks, level)
    extreme = _extremes(ranks, n)
    spare = int(kept.sum()) - int(np.ceil(level * draws))
    if spare > 0:
        inside = np.flatnonzero(kept)
        kept[inside[np.argsort(extreme[inside], kind="stable")[:spare]]] = False
    rows = np.arange(1, n + 1, dtype=np.uint16)  # by the mean skill, which may be rarer than by the draws
    inside_ranks = ranks[:, kept]
    return np.minimum(inside_ranks.min(1), rows), np.maximum(inside_ranks.max(1), rows)


def _stated(cut: Mask, ranks: Ranks, level: float) -> Mask:
    """Returns (D,) the draws in which the likeliest statements hold, as many as the level allows: the best player, cuts
    of the table, and players that are not the best.
    """
    first = ranks == 1
    shares, best = cut.mean(1), first.mean(1)
    kept = np.ones(ranks.shape[1], bool)
    sure = [0, *(k for k in np.argsort(-shares, kind="stable").tolist() if k)]
    statements = [cut[k] for k in sure if shares[k] >= level]
    statements += [~first[i] for i in np.argsort(best, kind="stable").tolist() if best[i] < _RARE]
    for statement in statements:
        both = kept & statement
        if both.sum() >= level * len(kept):
            kept = both
    return kept


def _extremes(ranks: Ranks, n: int) -> NDArray[np.int64]:
    """Returns (D,) how central each draw is: the least number of draws at or beyond the rank of any player in it."""
    out = np.full(ranks.shape[1], ranks.shape[1])
    for row in ranks:
        times = np.bincount(row, minlength=n + 1)
        reach = np.minimum(times.cumsum(), times[::-1].cumsum()[::-1])
        np.minimum(out, reach[row], out=out)
    return out
