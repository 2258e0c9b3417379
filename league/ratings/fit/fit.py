"""The result of a batch fit: ratings with their joint covariance, and the statistics that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.links import Array
from league.ratings.fit.skill_draws import DRAWS, Scoring, SkillDraws


@dataclass(frozen=True)
class SeatEffect:
    """The advantage of a seat, in rating points, relative to the mean of the game's seats."""

    advantage: float
    sd: float


@dataclass(frozen=True)
class Fit:
    """Ratings (n,) and their covariance (n, n) on the board's scale, `players` in their order. A field of many players
    has the covariance of its draws alone: `covariance` is (0, 0).

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
    effects: tuple[tuple[float, float], ...] = ()
    """what one unit of each covariate is worth, in rating points, and its standard deviation"""
    draws: Mapping[str, float] = field(default_factory=dict)
    """per game: the probability that two equal players draw"""
    dispersion: Mapping[str, float] = field(default_factory=dict)
    """per game: variance of a pairing over that of independent matches; counts were divided by it"""
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
    perfect: NDArray[np.bool_] | None = None
    """(2, n) whether a player won every comparison, and whether it lost every one; None: not known"""
    scoring: Scoring = field(default_factory=Scoring)
    """how gaps become points, in the fit of one game; over several games, without draws and seats"""
    absolute: bool = False
    """whether errors are those of the ratings themselves, as with anchors, and not of comparisons"""
    number: int = DRAWS
    """of draws in `posterior`"""
    sampler: Callable[[int], Array] | None = field(default=None, repr=False, compare=False)
    """makes so many draws (n, D) of `posterior`; None: from the covariance"""
    ready: SkillDraws | None = field(default=None, repr=False, compare=False)
    """`posterior`, if it was made from that of another fit"""
    iterations: int = 0
    state: Any = field(default=None, repr=False, compare=False)
    """where the next fit can start"""

    @property
    def sd(self) -> Array:
        """(n,) standard deviations."""
        out: Array = self.posterior.skills.std(1) if self.many else np.sqrt(np.diag(self.covariance))
        return out

    @property
    def many(self) -> bool:
        """Whether there is no covariance beside the draws."""
        return len(self.covariance) < len(self.players)

    @property
    def loosest_gap(self) -> float | None:
        """The largest of `cuts`, across which the matches say least; None: not known."""
        return None if self.cuts is None or not len(self.cuts) else float(self.cuts.max())

    @property
    def connected(self) -> bool:
        """Whether all players that played are linked by matches or a lineage, directly or through others."""
        return len(self.components) <= 1

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """Returns bounds (n,), (n,) of each rating, from the errors of comparisons: see `SkillDraws.errors`."""
        below, above = self.posterior.errors(level)
        return self.ratings + np.minimum(below, 0.0), self.ratings + np.maximum(above, 0.0)

    def combine(self, players: Sequence[str], matrix: Array) -> Fit:
        """Returns the fit of linear combinations of the ratings: `matrix` (len(players), n), each row summing to 1."""
        played = (matrix != 0.0) @ self.played > 0
        return replace(
            self,
            players=tuple(players),
            ratings=matrix @ self.ratings,
            covariance=self.covariance if self.many else matrix @ self.covariance @ matrix.T,
            played=played,
            comparable=None,
            prior_shift=None if self.prior_shift is None else matrix @ self.prior_shift,
            cuts=None,
            state=None,
            ready=None,
            sampler=lambda _: matrix @ self.posterior.skills,
            perfect=None if self.perfect is None else self._perfect(matrix),
        )

    def _perfect(self, matrix: Array) -> NDArray[np.bool_]:
        """Returns (2, rows): a combination is unbeaten, or winless, if all its parts are."""
        parts = (matrix != 0.0).astype(np.float64)
        assert self.perfect is not None
        out: NDArray[np.bool_] = self.perfect @ parts.T == parts.sum(1)
        return out

    def only(self, players: Sequence[str]) -> Fit:
        """Returns the fit of some of the players. Raises ValueError for an unknown name."""
        rows = [self.players.index(player) for player in players]
        matrix = np.zeros((len(rows), len(self.players)))
        matrix[np.arange(len(rows)), rows] = 1.0
        return self.combine(players, matrix)

    def difference(self, a: str, b: str) -> tuple[float, float]:
        """Returns rating of a minus that of b, and its standard deviation. Raises ValueError for an unknown name."""
        i, j = self.players.index(a), self.players.index(b)
        if self.many:
            gaps = self.posterior.skills[i] - self.posterior.skills[j]
            return float(self.ratings[i] - self.ratings[j]), float(gaps.std())
        variance = self.covariance[i, i] + self.covariance[j, j] - 2.0 * self.covariance[i, j]
        return float(self.ratings[i] - self.ratings[j]), float(max(variance, 0.0)) ** 0.5

    def order(self) -> list[int]:
        """Returns places in `players`: by rating, then name; players that have not played come last."""
        return sorted(range(len(self.players)), key=lambda i: (not self.played[i], -self.ratings[i], self.players[i]))

    @cached_property
    def posterior(self) -> SkillDraws:
        """Draws of all skills, the same for equal fits; every statement of a leaderboard comes from them."""
        return self.ready or SkillDraws(
            players=self.players,
            skills=self._gaussian() if self.sampler is None else self.sampler(self.number),
            covariance=self.covariance,
            played=self.played,
            scoring=self.scoring,
            unbeaten=self.perfect[0] if self.perfect is not None else np.zeros(len(self.players), bool),
            winless=self.perfect[1] if self.perfect is not None else np.zeros(len(self.players), bool),
            absolute=self.absolute,
        )

    def _gaussian(self) -> Array:
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        out: Array = self.ratings[:, None] + root @ np.random.default_rng(0).standard_normal((len(values), self.number))
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
