"""The result of a batch fit: ratings with their joint covariance, and the statistics that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.links import Array
from league.ratings.fit.ranks import best, ordered, rank_sets

DRAWS = 4000
"""Posterior samples for probabilities of ranks: 0.95 has a standard error of 0.3 percentage points."""
SET_DRAWS = 1000
"""The first of these, for sets of ranks: their level has a standard error of 0.7 percentage points."""


@dataclass(frozen=True)
class SeatEffect:
    """The advantage of a seat, in rating points, relative to the mean of the game's seats."""

    advantage: float
    sd: float


@dataclass(frozen=True)
class Fit:
    """Ratings (n,) and their covariance (n, n) on the board's scale, `players` in their order.

    Without anchors a rating is relative to the pool: the mean over the players that played is the scale's mean, and the
    covariance is that of the centred ratings. With anchors it is absolute.
    """

    players: tuple[str, ...]
    ratings: Array
    covariance: Array
    played: NDArray[np.bool_]
    """(n,) whether a player was compared with any other"""
    widths: Mapping[str, float]
    """the estimated prior widths, in rating points"""
    drift: float = 0.0
    """estimated mean gain of a checkpoint over its parent, in rating points"""
    seats: Mapping[str, tuple[SeatEffect, ...]] = field(default_factory=dict)
    """per game whose matches compare different seats, in seat order"""
    draws: Mapping[str, float] = field(default_factory=dict)
    """per game: the probability that two equal players draw"""
    dispersion: Mapping[str, float] = field(default_factory=dict)
    """per game: variance of a pairing over that of independent matches; counts were divided by it"""
    loadings: Mapping[str, float] = field(default_factory=dict)
    """per game, in a fit over several games: how strongly the overall skill shows in it (its discrimination)"""
    components: tuple[tuple[str, ...], ...] = ()
    """groups of players that are linked by matches or a lineage, largest first. Between groups, a difference of ratings
    rests on the prior alone"""
    comparable: NDArray[np.bool_] | None = None
    """(n, n): which two players can be compared: those that met in a common game, directly or through others; None:
    all. The fit makes no claim about the order of two other players"""
    prior_shift: Array | None = None
    """(n,) how far a prior of twice the width moves each rating; None: not known"""
    cuts: Array | None = None
    """standard deviation, in beta, by the matches alone, of the gap between the players above and below each cut of
    the table: after the first row of `order`, after the second, ... of the players that played; None: not known"""
    beta: float | None = None
    """rating points of one beta; None: not known"""
    iterations: int = 0
    state: Any = field(default=None, repr=False, compare=False)
    """where the next fit can start"""

    @property
    def sd(self) -> Array:
        """(n,) standard deviations."""
        out: Array = np.sqrt(np.diag(self.covariance))
        return out

    @property
    def loosest_gap(self) -> float | None:
        """The largest of `cuts`, across which the matches say least; None: not known."""
        return None if self.cuts is None or not len(self.cuts) else float(self.cuts.max())

    @property
    def connected(self) -> bool:
        """Whether all players that played are linked by matches or a lineage, directly or through others."""
        return len(self.components) <= 1

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """Returns bounds (n,), (n,) of each rating."""
        reach = NormalDist().inv_cdf(0.5 + 0.5 * level) * self.sd
        return self.ratings - reach, self.ratings + reach

    def combine(self, players: Sequence[str], matrix: Array) -> Fit:
        """Returns the fit of linear combinations of the ratings: `matrix` (len(players), n), each row summing to 1."""
        played = (matrix != 0.0) @ self.played > 0
        return replace(
            self,
            players=tuple(players),
            ratings=matrix @ self.ratings,
            covariance=matrix @ self.covariance @ matrix.T,
            played=played,
            comparable=None,
            prior_shift=None if self.prior_shift is None else matrix @ self.prior_shift,
            cuts=None,
            state=None,
        )

    def only(self, players: Sequence[str]) -> Fit:
        """Returns the fit of some of the players. Raises ValueError for an unknown name."""
        rows = [self.players.index(player) for player in players]
        return self.combine(players, np.eye(len(self.players))[rows])

    def difference(self, a: str, b: str) -> tuple[float, float]:
        """Returns rating of a minus that of b, and its standard deviation. Raises ValueError for an unknown name."""
        i, j = self.players.index(a), self.players.index(b)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2.0 * self.covariance[i, j]
        return float(self.ratings[i] - self.ratings[j]), float(max(variance, 0.0)) ** 0.5

    def above(self) -> Array:
        """Returns (n, n): the probability that the row's player is better than the column's; 1/2 on the diagonal."""
        from scipy.special import ndtr

        variance = np.diag(self.covariance)
        spread = np.sqrt(np.maximum(variance[:, None] + variance - 2.0 * self.covariance, 1e-300))
        out: Array = ndtr(np.subtract.outer(self.ratings, self.ratings) / spread)
        np.fill_diagonal(out, 0.5)
        return out

    def order(self) -> list[int]:
        """Returns places in `players`: by rating, then name; players that have not played come last."""
        return sorted(range(len(self.players)), key=lambda i: (not self.played[i], -self.ratings[i], self.players[i]))

    def rank_ranges(self, level: float = 0.95, among: Sequence[int] | None = None) -> list[tuple[int, int]]:
        """Returns best and worst rank of each player; with probability `level` they contain all true ranks together.

        Ranks among all players that played, or among the places `among`; others have the whole range. See `rank_sets`.
        """
        chosen = self._among(among)
        n = len(self.players)
        out = [(1, n)] * n
        if len(chosen):
            joint = self.covariance[np.ix_(chosen, chosen)]
            sets = rank_sets(self.ratings[chosen], joint, self._samples[:SET_DRAWS, chosen], level)
            for i, low, high in zip(chosen.tolist(), sets.low.tolist(), sets.high.tolist(), strict=True):
                out[i] = low, high
        return out

    def p_best(self, among: Sequence[int] | None = None) -> Array:
        """Returns (n,) the probability that a player is the best that played, or the best of `among`; 0 for others."""
        chosen = self._among(among)
        out = np.zeros(len(self.players))
        if len(chosen):
            out[chosen] = best(self.above()[np.ix_(chosen, chosen)], self._samples[:, chosen])
        return out

    def p_order(self, order: Sequence[int]) -> Array:
        """Returns (len(order),) for each k, the probability that the first k places are the k best, in order."""
        chosen = np.asarray(order, np.intp)
        if not len(chosen):
            return np.zeros(0)
        return ordered(self.above()[np.ix_(chosen, chosen)], self._samples[:, chosen])

    def _among(self, among: Sequence[int] | None) -> NDArray[np.intp]:
        return np.flatnonzero(self.played) if among is None else np.asarray(among, np.intp)

    @cached_property
    def _samples(self) -> Array:
        """(DRAWS, n) samples, always with the same seed, so that equal fits give equal results."""
        return self.sample(DRAWS)

    def sample(self, draws: int, seed: int = 0) -> Array:
        """Returns (draws, n) ratings from the posterior."""
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        noise = np.random.default_rng(seed).standard_normal((draws, len(values)))
        out: Array = self.ratings + noise @ root.T
        return out


def connected_components(n: int, a: NDArray[np.int64], b: NDArray[np.int64]) -> list[list[int]]:
    """Returns groups of players connected by comparisons a - b, largest first; others are left out."""
    from scipy.sparse import coo_array, csgraph

    graph = coo_array((np.ones(len(a)), (a, b)), shape=(n, n))
    _, label = csgraph.connected_components(graph, directed=False)
    groups: dict[int, list[int]] = {}
    for i in sorted(set(a.tolist()) | set(b.tolist())):
        groups.setdefault(int(label[i]), []).append(i)
    return sorted(groups.values(), key=lambda group: (-len(group), group))
