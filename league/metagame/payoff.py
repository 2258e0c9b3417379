"""Who beats whom: the payoff matrix of a league, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from league.ratings.comparisons import Counts

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PayoffMatrix:
    """Points and games of every pair, row against column; a draw is half a point.

    Matches of a player with itself do not count. A match of k > 2 seats counts every two of its players once. A
    general-sum game compares players in the same seat.
    """

    players: tuple[str, ...]
    points: Array
    """(n, n)"""
    games: Array
    """(n, n), symmetric"""
    counts: Counts | None = field(default=None, repr=False, compare=False)
    """the comparisons behind points and games, with the pairing that each belongs to"""

    @classmethod
    def of(cls, counts: Counts) -> PayoffMatrix:
        """Returns the payoff of counted comparisons, with players in the order of `counts.players`."""
        n = len(counts.players)
        points, games = np.zeros((n, n)), np.zeros((n, n))
        won, level, lost = counts.n.astype(np.float64) if counts.n.size else np.zeros((3, 0))
        a, b = counts.columns[1], counts.columns[2]
        np.add.at(points, (a, b), won + 0.5 * level)
        np.add.at(points, (b, a), lost + 0.5 * level)
        np.add.at(games, (a, b), won + level + lost)
        return cls(counts.players, points, games + games.T, counts)

    @property
    def share(self) -> Array:
        """(n, n) share of points; NaN for pairs that never met."""
        played = self.games > 0
        return np.where(played, self.points / np.where(played, self.games, 1.0), np.nan)

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """Bounds (n, n) of each cell's share by Jeffreys' interval, the beta posterior under the prior Beta(1/2, 1/2).

        (0, 1) for pairs that never met. A bound is 0 or 1 if one player took all points. Draws make it a little wide.
        """
        from scipy.special import betaincinv

        tail = (1.0 - level) / 2.0
        won, lost = self.points + 0.5, self.games - self.points + 0.5
        low = np.where(self.points > 0, betaincinv(won, lost, tail), 0.0)
        high = np.where(self.points < self.games, betaincinv(won, lost, 1.0 - tail), 1.0)
        played = self.games > 0
        return np.where(played, low, 0.0), np.where(played, high, 1.0)

    def matrix(self) -> Array:
        """Returns (n, n) antisymmetric payoffs 2 share - 1, 0 for pairs that never met.

        `league.metagame.report` uses it for players who all met each other.
        """
        return np.where(self.games > 0, 2.0 * np.nan_to_num(self.share, nan=0.5) - 1.0, 0.0)

    @property
    def unmet(self) -> list[tuple[str, str]]:
        """The pairs of players that never met."""
        rows, columns = np.nonzero(np.triu(self.games == 0, 1))
        return [(self.players[i], self.players[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)]

    def draws(self, replicates: int, seed: int = 0) -> Array:
        """Returns (R, n, n) bootstrap replicates of `matrix`.

        In the Bayesian bootstrap (Rubin 1981) every pairing, with all its comparisons, has an exponential weight. Half
        a point for either side keeps pairs with few matches uncertain. For independent matches without draws, a cell
        is then drawn from its beta posterior under Jeffreys' prior, as in `interval`.
        """
        rng, n = np.random.default_rng(seed), len(self.players)
        points = self._weighted(replicates, rng)
        prior = np.triu(rng.gamma(0.5, size=(replicates, 2, n, n)), 1)
        points += prior[:, 0] + np.swapaxes(prior[:, 1], 1, 2)
        both = points + np.swapaxes(points, 1, 2)
        out: Array = np.where(self.games > 0, (points - np.swapaxes(points, 1, 2)) / np.where(both > 0, both, 1.0), 0.0)
        return out

    def _weighted(self, replicates: int, rng: np.random.Generator) -> Array:
        """Returns (R, n, n) points with a random weight for each pairing."""
        if self.counts is None:
            return rng.gamma(np.maximum(self.points, 1e-12), size=(replicates, *self.points.shape))
        counts, units = self.counts, self.counts.units
        alone = counts.n.astype(np.float64)
        if len(units.unit):
            np.subtract.at(alone, (units.outcome, units.cell), units.count[units.unit])
        place = {name: i for i, name in enumerate(self.players)}
        n = len(self.players)
        to = np.array([place.get(name, n) for name in counts.players], np.intp)
        a, b = to[counts.a], to[counts.b]
        out = np.zeros((replicates, n + 1, n + 1))
        for points in out:
            won, level, lost = rng.gamma(np.maximum(alone, 1e-12))
            if len(units.unit):
                weight = rng.gamma(np.maximum(units.count, 1e-12))[units.unit]
                for share, outcome in ((won, 0), (level, 1), (lost, 2)):
                    rows = units.outcome == outcome
                    np.add.at(share, units.cell[rows], weight[rows])
            np.add.at(points, (a, b), won + 0.5 * level)
            np.add.at(points, (b, a), lost + 0.5 * level)
        return out[:, :n, :n]

    def ordered(self, players: Sequence[str]) -> PayoffMatrix:
        """Returns the rows and columns of these players, in this order. Raises ValueError for an unknown player."""
        place = np.array([self.players.index(p) for p in players], np.intp)
        cells = np.ix_(place, place)
        return PayoffMatrix(tuple(players), self.points[cells], self.games[cells], self.counts)

    def played(self) -> PayoffMatrix:
        """Returns the matrix without players that met nobody."""
        return self.ordered([p for p, n in zip(self.players, self.games.sum(1), strict=True) if n > 0])


def from_points(players: Iterable[str], points: Array) -> PayoffMatrix:
    """Returns a payoff matrix of points (n, n), row over column. Raises ValueError if it is none."""
    names = tuple(players)
    points = np.asarray(points, np.float64)
    if points.shape != (len(names), len(names)) or not (points >= 0).all():
        raise ValueError(f"points must be {len(names)} by {len(names)} and not negative, got shape {points.shape}")
    points = points * (1.0 - np.eye(len(names)))
    return PayoffMatrix(names, points, points + points.T)
