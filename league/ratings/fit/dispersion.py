"""Dependence between the matches of a task or a pairing: overdispersion of the counts, and the sandwich covariance.

The matches of a pairing share their seed. If luck decides (cards), the second match partly repeats or partly cancels
the first, and counting both as independent makes the intervals too narrow or too wide. A task that some players happen
to know moves all their matches on it the same way: ten tasks are few, however often they are played.
"""

from __future__ import annotations

from math import fsum

import numpy as np

from league.ratings.comparisons import Counts, Units
from league.ratings.fit.links import TERMS, Array
from league.ratings.fit.posterior import Design

_PSEUDO = 10.0
"""Independent pairings added to the estimate of a game's dispersion, since few say little about it. Measured, 8
players, 12 leagues: for pairings whose second match repeats the first (dispersion 2), 30, 100 and 400 pairings give
1.60, 1.86 and 1.96 (with 50: 1.30, 1.63, 1.87); independent pairings give at most 1.01 on average."""

ALIKE = 1.3
"""A game's dispersion from which the board says that matches on a task are alike."""


def few_tasks(tasks: int, comparisons: int, spread: float) -> str:
    """Returns the warning for a game whose matches on a task are alike."""
    return (
        f"some players know some of the {tasks:,} tasks: {comparisons:,} comparisons tell as much as "
        f"{comparisons / spread:,.0f} independent ones; only more tasks narrow the intervals"
    )


def scores(design: Design, x: Array) -> tuple[Array, Array]:
    """Returns for each cell and outcome, (C, 3), the probability, and the score by the skill gap."""
    terms = TERMS[design.link](*design.gaps(x))
    return terms.p, terms.score


def dispersion(counts: Counts, design: Design, x: Array, freedom: float) -> Array:
    """(G,) per game: variance of a set's summed scores divided by that of independent comparisons; 1 if no set has
    several. Divide the game's counts by it (quasi-likelihood, Wedderburn 1974).

    Scores are summed per player over the set, squared, and added up; `freedom`, the residual degrees of
    freedom as a share of the comparisons, corrects for residuals that the fit makes smaller.
    """
    units, weight = counts.units, counts.weight
    out = np.ones(len(counts.games))
    if not len(units.unit):
        return out
    p, score = scores(design, x)
    expected = weight * (p * score * score).sum(1)  # of weighted information, which 3 / (n + 1) makes that of a score
    gained = weight[units.cell] * score[units.cell, units.outcome]
    observed, players = _squares(counts, gained)
    model = np.bincount(units.unit, 2.0 * expected[units.cell], len(units.count))
    for game in range(len(out)):
        sets = np.flatnonzero((units.game == game) & (units.count > 0))
        if len(sets):
            n = float((units.count[sets] * (players[sets] - 1.0)).sum())  # sums of scores that are free
            ratio = fsum(observed[sets] * units.count[sets]) / (fsum(model[sets] * units.count[sets]) * freedom)
            # Never below 1: a fit of adaptively chosen pairings reads 0.7 to 0.95 for pairings that are truly
            # independent, and trusting that took the coverage of 95% intervals down to 80%.
            out[game] = max(1.0, (_PSEUDO + n * ratio) / (_PSEUDO + n))
    return out


def _squares(counts: Counts, gained: Array) -> tuple[Array, Array]:
    """Returns (U,) squared norm of each set's score vector over players, and (U,) the number of these players."""
    units = counts.units
    stride = len(counts.players)
    keys = np.concatenate([units.unit * stride + counts.a[units.cell], units.unit * stride + counts.b[units.cell]])
    distinct, inverse = np.unique(keys, return_inverse=True)
    total = np.bincount(inverse, np.concatenate([gained, -gained]), len(distinct))
    of, size = distinct // stride, len(units.count)
    squares: Array = np.asarray(np.bincount(of, total * total, size), np.float64)
    return squares, np.bincount(of, minlength=size).astype(np.float64)


def meat(counts: Counts, weight: Array, design: Design, x: Array) -> Array:
    """Returns (P, P): summed outer products of scores of independent sets, for a sandwich covariance (Huber 1967)."""
    _, score = scores(design, x)
    squared = (counts.n.T * (weight[:, None] * score) ** 2).sum(1)
    zero = np.zeros_like(squared)
    out = design.information(squared, zero, zero)
    if len(counts.units.unit):
        out = out + _together(counts.units, weight, design, score)
    return out


def _together(units: Units, weight: Array, design: Design, score: Array) -> Array:
    """Returns the products between different comparisons of a set, summed over sets."""
    from scipy.sparse import csr_array

    gained = weight[units.cell] * score[units.cell, units.outcome]
    places = (design.a, design.b, design.seat_a, design.seat_b)
    columns = np.concatenate([place[units.cell] for place in places])
    values = np.concatenate([gained, -gained, gained, -gained])
    shape = len(units.count), design.size
    sets = csr_array((values, (np.tile(units.unit, 4), columns)), shape=shape)
    parts = len(units.unit)
    single = csr_array((values, (np.tile(np.arange(parts), 4), columns)), shape=(parts, design.size))
    often = units.count.astype(np.float64)
    whole = sets.T @ sets.multiply(often[:, None]).tocsr()
    alone = single.T @ single.multiply(often[units.unit][:, None]).tocsr()
    out: Array = (whole - alone).toarray()
    return out
