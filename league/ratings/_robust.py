"""How far the outcomes of a pairing depend on each other: what a count of independent comparisons would get wrong.

The matches of a pairing share their seed. Where luck decides (cards), the second match partly repeats or partly cancels
the first, and counting both as independent makes the intervals too narrow or too wide.
"""

from __future__ import annotations

from math import fsum

import numpy as np

from league.ratings._link import TERMS, Array
from league.ratings._posterior import Design
from league.ratings.counts import Counts, Units

_PSEUDO = 10.0
"""Independent sets that the estimate of a game's dispersion starts from: few pairings say little about it. Measured, 8
players, 12 leagues: of pairings whose second match repeats the first (dispersion 2) it finds 1.60, 1.86 and 1.96 in 30,
100 and 400 pairings (with 50: 1.30, 1.63, 1.87); of independent ones at most 1.01 on average."""


def scores(design: Design, x: Array) -> tuple[Array, Array]:
    """Per cell and outcome, (C, 3): the probability, and the score by the skill gap."""
    terms = TERMS[design.link](*design.gaps(x))
    return terms.p, terms.score


def dispersion(counts: Counts, design: Design, x: Array, freedom: float) -> Array:
    """(G,) per game: variance of a pairing's summed scores over what independent comparisons would give; 1 where no
    pairing has several. Divide the game's counts by it (quasi-likelihood, Wedderburn 1974).

    Scores are summed per player over the pairing, squared, and added up; `freedom`, the share of comparisons that the
    fit did not use up, corrects for residuals that a fit makes smaller.
    """
    units, weight = counts.units, counts.weight
    out = np.ones(len(counts.games))
    if not len(units.unit):
        return out
    p, score = scores(design, x)
    expected = weight * (p * score * score).sum(1)  # of weighted information, which 3 / (n + 1) makes that of a score
    gained = weight[units.cell] * score[units.cell, units.outcome]
    observed, model = _squares(counts, gained), np.bincount(units.unit, 2.0 * expected[units.cell], len(units.count))
    for game in range(len(out)):
        mine = np.flatnonzero((units.game == game) & (units.count > 0))
        if len(mine):
            n = float(units.count[mine].sum())
            ratio = fsum(observed[mine] * units.count[mine]) / (fsum(model[mine] * units.count[mine]) * freedom)
            # Never below 1: a fit of adaptively chosen pairings reads 0.7 to 0.95 for pairings that are truly
            # independent, and trusting that took the coverage of 95% intervals down to 80%.
            out[game] = max(1.0, (_PSEUDO + n * ratio) / (_PSEUDO + n))
    return out


def _squares(counts: Counts, gained: Array) -> Array:
    """(U,) squared length of each set's score vector over players."""
    units = counts.units
    stride = len(counts.players)
    keys = np.concatenate([units.unit * stride + counts.a[units.cell], units.unit * stride + counts.b[units.cell]])
    found, inverse = np.unique(keys, return_inverse=True)
    total = np.bincount(inverse, np.concatenate([gained, -gained]), len(found))
    out: Array = np.asarray(np.bincount(found // stride, total * total, len(units.count)), np.float64)
    return out


def meat(counts: Counts, weight: Array, design: Design, x: Array) -> Array:
    """(P, P): the summed outer products of the scores of independent sets, for a sandwich covariance (Huber 1967)."""
    _, score = scores(design, x)
    squared = (counts.n.T * (weight[:, None] * score) ** 2).sum(1)
    zero = np.zeros_like(squared)
    out = design.information(squared, zero, zero)
    if len(counts.units.unit):
        out = out + _together(counts.units, weight, design, score)
    return out


def _together(units: Units, weight: Array, design: Design, score: Array) -> Array:
    """What the products between different comparisons of a set add to the products of each with itself."""
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
