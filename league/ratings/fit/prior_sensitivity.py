"""Whether a gap between ratings depends on the prior, and skills without a prior.

If one group of players lost no match to another, or hardly any, the matches bound their gap on one side only (for when
the likelihood has a maximum see Zermelo 1929, Ford 1957). The size of the gap then follows from the prior, whatever the
method. The fit therefore reports how far each rating moves with a prior of twice the width: a sensitivity analysis, as
in Kallioinen, Paananen, Buerkner and Vehtari, "Detecting and diagnosing prior and likelihood sensitivity with
power-scaling", Statistics and Computing 34, 2024.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.fit import Fit
from league.ratings.fit.links import CURVES, Array, Link, deviation

LIMIT = 0.75
"""Standard deviations of a gap by which a prior of twice the width moves it at least if the prior decides the gap.
scripts/bench/stress.py counts how often this is exceeded."""
FAR = 2.5
"""A wide gap, in beta: the weaker player wins 4% of the matches. How large a wider gap is follows from one or two lost
matches. If there was one, the gap moves by less than `LIMIT`, and still rests on the prior."""
FAR_LIMIT = 0.3
"""`LIMIT` for gaps above `FAR`. Measured in 240 leagues of 4 with two clusters or a champion, 20 matches each: 83% of
true ratings are covered in the 31 leagues where no gap exceeds `LIMIT`, 100% in the others. All exceed this limit."""
LOOSE = 0.5
"""`Fit.loosest_gap` from which the prior may decide a gap: among many players, some gap moves by `LIMIT` anyway.
Measured with 40 matches per player: of 20 leagues of 24 players from one normal population of 0.5 beta, 95% exceed
`LIMIT` and none exceeds `LOOSE`; of 25 leagues with two clusters and 25 with a champion, 92% and all exceed `LOOSE`."""
EMPTY = 2.0
"""A gap between neighbours in the table, in beta, that divides the field."""
EMPTY_LOOSE = 0.2
"""Its standard deviation by the matches alone (`Fit.cuts`), in beta, from which the board warns: every interval
contains the error of this one gap, so all hold or all miss. Chosen on ten leagues of 64 players with two clusters, 40
matches per player: 0.23 to 0.85. Of 25 such leagues with one population or a champion, and of 30 of 8 players from one
population of 0.5 or 1 beta, none has a gap above `EMPTY`."""
WIDTH = 6.0
"""Standard deviation, in beta, of a prior with no influence: that of a gap is 8.5 beta, at which one match in a billion
is lost."""

_STEPS, _LARGEST, _SMALL = 60, 2.0, 1e-4


class Skills(NamedTuple):
    """Skills ~ N(mean, covariance): (n,), (n, n)."""

    mean: Array
    covariance: Array


class Dependence(NamedTuple):
    """The two players (better one first) whose gap depends most on the prior, relative to its limit."""

    better: str
    worse: str
    moves: float
    """by how many of its standard deviations the gap moves with a prior of twice the width"""
    decides: bool
    """whether the prior decides the gap: `moves` exceeds `LIMIT`, for a gap above `FAR` `FAR_LIMIT`, and
    `Fit.loosest_gap` exceeds `LOOSE` (if the latter is not known: `moves` exceeds `LIMIT`); or the two are neighbours
    more than `EMPTY` apart, and the matches leave a standard deviation above `EMPTY_LOOSE`"""
    sd: float | None = None
    """for such neighbours: this standard deviation, in beta"""

    def __str__(self) -> str:
        """Returns one line for the board."""
        if self.sd is not None:
            return (
                f"the gap between {self.better} and {self.worse} is known to ± {1.96 * self.sd:.1f} beta only "
                f"(1 beta: 76 points of 100); every interval contains this error"
            )
        return (
            f"how far {self.better} is above {self.worse} is not known: the matches that link them were nearly all "
            "one-sided; opponents of a strength in between would tell"
        )


def dependence(fit: Fit) -> Dependence | None:
    """Returns the gap that rests most on the prior; None without two players that played or `fit.prior_shift`.

    Considers the largest connected group of players only: between groups, gaps have no evidence at all. Leaves out
    players of which nothing is claimed (`Fit.comparable`).
    """
    connected = set(fit.components[0]) if fit.components else set()
    chosen = [i for i in fit.order() if fit.players[i] in connected]
    if fit.prior_shift is None or len(chosen) < 2:
        return None
    variances = np.diag(fit.covariance)[chosen]
    variance = np.add.outer(variances, variances) - 2.0 * fit.covariance[np.ix_(chosen, chosen)]
    moves = np.abs(np.subtract.outer(fit.prior_shift[chosen], fit.prior_shift[chosen])) / np.sqrt(
        np.maximum(variance, 1e-12)
    )
    if fit.comparable is not None:
        moves[~fit.comparable[np.ix_(chosen, chosen)]] = 0.0
    limits = np.full(moves.shape, LIMIT)
    if fit.loosest_gap is not None and fit.beta is not None:
        limits[np.subtract.outer(fit.ratings[chosen], fit.ratings[chosen]) > FAR * fit.beta] = FAR_LIMIT
    excess = np.triu(moves / limits, 1)
    i, j = np.unravel_index(int(np.argmax(excess)), moves.shape)
    decides = bool(excess[i, j] > 1.0) and (fit.loosest_gap is None or fit.loosest_gap > LOOSE)
    widest = Dependence(fit.players[chosen[i]], fit.players[chosen[j]], float(moves[i, j]), decides)
    return widest if decides else _divided(fit, chosen, moves) or widest


def _divided(fit: Fit, chosen: list[int], moves: Array) -> Dependence | None:
    """Returns the neighbours with the least certain gap of those that split the field; None if no gap is so wide."""
    if fit.cuts is None or fit.beta is None or len(fit.cuts) != len(chosen) - 1:
        return None
    wide = -np.diff(fit.ratings[chosen]) > EMPTY * fit.beta
    sd = np.where(wide, fit.cuts, 0.0)
    at = int(np.argmax(sd))
    if sd[at] <= EMPTY_LOOSE:
        return None
    better, worse = (fit.players[chosen[k]] for k in (at, at + 1))
    return Dependence(better, worse, float(moves[at, at + 1]), True, float(sd[at]))


def without_prior(
    n: int,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    counts: Array,
    offset: Array | float = 0.0,
    margin: Array | float = 0.0,
    link: Link = "probit",
) -> Skills:
    """Returns skills of `n` players from matches alone, in the link's unit: the mode under a prior of `WIDTH`, and the
    curvature there. `a`, `b` (C,) are places of players, `counts` (3, C) wins of a, draws and losses.
    """
    offset, margin = np.broadcast_to(offset, a.shape), np.broadcast_to(margin, a.shape)
    flat = (WIDTH / (2.0**0.5 * deviation(link))) ** -2
    mean, covariance = np.zeros(n), np.eye(n) / flat
    for _ in range(_STEPS):
        curve = CURVES[link](mean[a] - mean[b] + offset, margin, *counts)
        across = np.bincount(a * n + b, curve.gap2, n * n).reshape(n, n)
        across = across + across.T
        covariance = np.asarray(np.linalg.inv(np.diag(across.sum(1) + flat) - across), np.float64)
        slope = np.bincount(a, curve.gap, n) - np.bincount(b, curve.gap, n) - flat * mean
        step = np.clip(covariance @ slope, -_LARGEST, _LARGEST)
        mean = mean + step
        if np.abs(step).max(initial=0.0) < _SMALL:
            break
    return Skills(mean, (covariance + covariance.T) / 2.0)
