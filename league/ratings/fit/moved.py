"""A fit of a few more matches: the fit before them, moved by one Newton step.

A live table of 1,000 players gets 20 results at a time, and a whole fit inverts a matrix of all players. A few matches
change the ratings of those who played them, and hardly the covariance: it stays, until any player has `_GROWTH` times
the comparisons of the last whole fit. Every step starts there, so that errors do not add up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from league.ratings.comparisons import Counts
from league.ratings.fit.fit import Fit
from league.ratings.fit.links import Array
from league.ratings.fit.model import Model, perfect

_GROWTH = 1.1


@dataclass(frozen=True)
class Origin:
    """The last whole fit: `x` (common,) its unknowns, `spread` (G,) dispersion, `gradient` (common,) of the log
    likelihood there, averaged over the fit's errors, `comparisons` (n,) of each player, and `step` (n,) from its
    ratings to the present ones.
    """

    x: Array
    spread: Array
    gradient: Array
    comparisons: Array
    step: Array

    @classmethod
    def of(cls, base: Model, x: Array, covariance: Array, spread: Array) -> Origin:
        """Returns the origin of a whole fit with this covariance (P, P)."""
        return cls(x, spread, base.gradient(x, covariance, spread), _comparisons(base.counts), np.zeros(base.n))


def _comparisons(counts: Counts) -> Array:
    n, each = len(counts.players), counts.n.sum(0)
    out = np.bincount(counts.a, each, n) + np.bincount(counts.b, each, n)
    return out.astype(np.float64)


def moved(base: Model, start: Fit) -> Fit | None:
    """Returns the fit of `base` from that of the same players before a few matches; None if a whole fit is due."""
    origin, now = start.state.origin, _comparisons(base.counts)
    few = (now <= _GROWTH * origin.comparisons) & (now * _GROWTH >= origin.comparisons)
    if not few.all() or base.method.intervals == "sandwich":
        return None
    unit = base.method.unit
    gradient = base.gradient(origin.x, start.covariance / unit**2, origin.spread)
    step = start.covariance @ (gradient - origin.gradient)[: base.n] / unit
    more, unbeaten = step - origin.step, perfect(base.counts, base.n, base.played)
    return replace(
        start,
        ratings=start.ratings + more,
        perfect=unbeaten,
        components=base.components(),
        state=replace(start.state, origin=replace(origin, step=step)),
        ready=start.posterior.moved(more, unbeaten),
    )
