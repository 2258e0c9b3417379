"""Cycles: how far results are from any ranking, and the disc dimension that describes them.

In a ranking, the log odds of a pair are a difference of two numbers. The rest is cyclic (Jiang, Lim, Yao and Ye,
"Statistical ranking and combinatorial Hodge theory", 2011). The disc game gives each player a place (x, y) in a plane:
the log odds of i against j are r_i - r_j + x_i y_j - y_i x_j (mElo with k = 1, Balduzzi et al. 2018; Bertrand,
Czarnecki and Gidel 2023), so that players at different angles can form a cycle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from league.ratings.comparisons import Counts
from league.ratings.fit.prior_sensitivity import without_prior
from league.records.leaderboard import Cycle

Array = NDArray[np.float64]
LEVEL = 0.05
"""Cycles are reported below this p-value: the share of transitive leagues with a false report."""
_RIDGE = 0.5
"""Precision of the normal prior of each place on the disc and of each rank, in log odds."""
_FOLDS = 5
_LEAGUES, _CELLS = (99, 999), 4_000_000
"""Fewest and most leagues that are drawn for a p-value, and pairs of all of them together."""
_RARE = 1e-9
"""Least probability of an upset."""


@dataclass(frozen=True)
class Hodge:
    """Log odds decomposed into a ranking and cycles."""

    share: float
    """share of the energy of the log odds that no ranking explains, 0 to 1"""
    by_chance: float
    """the share expected if the league is transitive and the rest is noise"""
    p_value: float
    """the probability of this share or more, if the league is transitive"""
    ranking: Array
    """(n,) log odds of the ranking part, mean 0 in each connected group"""


@dataclass(frozen=True)
class Disc:
    """A ranking and a place on the disc for each player."""

    ranking: Array
    """(n,) log odds"""
    place: Array
    """(n, 2)"""
    explained: float
    """share of a ranking's weighted squared residuals, in pairs it was not fitted to, that the disc explains: 1 all, 0
    or less nothing"""

    @property
    def odds(self) -> Array:
        """(n, n) log odds, row against column."""
        x, y = self.place.T
        out: Array = np.subtract.outer(self.ranking, self.ranking) + np.outer(x, y) - np.outer(y, x)
        return out

    def clearest_cycle(self) -> tuple[tuple[int, int, int], float] | None:
        """Returns the three players of the clearest cycle, each beating the next, and the smallest win rate."""
        odds = self.odds
        n = len(odds)
        if n < 3:
            return None
        least = np.minimum(np.minimum(odds[:, :, None], odds[None, :, :]), odds.T[:, None, :])
        i, j, k = (int(x) for x in np.unravel_index(int(least.argmax()), least.shape))
        weakest = float(least[i, j, k])
        return ((i, j, k), 1.0 / (1.0 + np.exp(-weakest))) if weakest > 0.0 else None


def tables(counts: Counts) -> tuple[Array, Array]:
    """Returns points (n, n), with half a point for a draw, and games (n, n) of counted comparisons."""
    n = len(counts.players)
    points = np.zeros((n, n))
    won, level, lost = counts.n.astype(np.float64) if counts.n.size else np.zeros((3, 0))
    np.add.at(points, (counts.a, counts.b), won + 0.5 * level)
    np.add.at(points, (counts.b, counts.a), lost + 0.5 * level)
    return points, points + points.T


def cycle(counts: Counts) -> Cycle | None:
    """Returns the cycles among players of one game; None if chance explains them."""
    points, games = tables(counts)
    active = np.flatnonzero(games.any(1))
    points, games = points[np.ix_(active, active)], games[np.ix_(active, active)]
    test = hodge(points, games)
    if test.p_value >= LEVEL:
        return None
    names, fitted = [counts.players[i] for i in active], disc(points, games)
    clearest = fitted.clearest_cycle()
    players = tuple(names[i] for i in clearest[0]) if clearest else ()
    places = {name: (float(x), float(y)) for name, (x, y) in zip(names, fitted.place, strict=True)}
    rate = float(clearest[1]) if clearest else 0.5
    explained = min(1.0, max(0.0, fitted.explained))
    return Cycle(test.p_value, test.share, explained, players, rate, places)


def hodge(points: Array, games: Array) -> Hodge:
    """Returns the parts by weighted least squares. Flow of a pair: its log odds, half a point added to both sides so
    that they are finite; weight: its information. The p-value is the larger one of two curves, logistic and normal,
    since a wide field on one curve has residuals on the other: of the chi-square of these flows, and of `_transitive`.
    """
    i, j, flow, weight = _flows(points, games)
    ranking, laplacian = _ranking(len(points), i, j, flow, weight)
    rest = flow - (ranking[i] - ranking[j])
    energy, cycles = float(weight @ flow**2), float(weight @ rest**2)
    rank = int(np.linalg.matrix_rank(laplacian, hermitian=True)) if len(points) else 0
    free = len(i) - rank
    if free <= 0 or energy == 0.0:
        return Hodge(0.0, 0.0, 1.0, ranking)
    return Hodge(
        cycles / energy, min(1.0, free / energy), max(_beyond(cycles, free), _transitive(points, games)), ranking
    )


def disc(points: Array, games: Array) -> Disc:
    """Returns a ranking and the disc dimension, with a normal prior on both; `explained` by 5-fold cross-validation."""
    i, j, flow, weight = _flows(points, games)
    n = len(points)
    ranking, place = _fitted(n, i, j, flow, weight)
    fold = np.random.default_rng(0).permutation(len(i)) % _FOLDS
    alone = both = 0.0
    for k in range(_FOLDS):
        out = fold == k
        if not out.any() or out.all():
            continue
        kept = ~out
        r, p = _fitted(n, i[kept], j[kept], flow[kept], weight[kept])
        plain = _ranking(n, i[kept], j[kept], flow[kept], weight[kept])[0]
        a, b = i[out], j[out]
        with_disc = r[a] - r[b] + p[a, 0] * p[b, 1] - p[a, 1] * p[b, 0]
        alone += float(weight[out] @ (flow[out] - plain[a] + plain[b]) ** 2)
        both += float(weight[out] @ (flow[out] - with_disc) ** 2)
    return Disc(ranking, place, 1.0 - both / alone if alone else 0.0)


def _flows(points: Array, games: Array) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, Array]:
    i, j = np.nonzero(np.triu(games, 1))
    won, lost = points[i, j] + 0.5, points[j, i] + 0.5
    return i, j, np.log(won / lost), 1.0 / (1.0 / won + 1.0 / lost)


def _ranking(
    n: int, i: NDArray[np.intp], j: NDArray[np.intp], flow: Array, weight: Array, ridge: float = 0.0
) -> tuple[Array, Array]:
    laplacian, pull = np.zeros((n, n)), np.zeros(n)
    for a, b, sign in ((i, j, 1.0), (j, i, -1.0)):
        np.add.at(laplacian, (a, a), weight)
        np.add.at(laplacian, (a, b), -weight)
        np.add.at(pull, a, sign * weight * flow)
    held = laplacian + ridge * np.eye(n)
    return np.asarray(np.linalg.pinv(held, hermitian=True) @ pull, np.float64), laplacian


def _fitted(n: int, i: NDArray[np.intp], j: NDArray[np.intp], flow: Array, weight: Array) -> tuple[Array, Array]:
    """Returns ranking and places by L-BFGS, starting from the ranking alone and the largest cycle of its residual."""
    from scipy.optimize import minimize

    start = _ranking(n, i, j, flow, weight, _RIDGE)[0]
    rest = np.zeros((n, n))
    rest[i, j] = (flow - start[i] + start[j]) * weight / (weight + 1.0)
    left, sizes, right = np.linalg.svd(rest - rest.T)
    place = np.sqrt(max(float(sizes[0]), 1e-3) / n**0.5) * np.stack([left[:, 0], right[0]], 1)

    def loss(unknown: Array) -> tuple[float, Array]:
        r, x, y = unknown.reshape(3, n)
        miss = flow - (r[i] - r[j] + x[i] * y[j] - y[i] * x[j])
        pull = weight * miss
        gradient = _RIDGE * unknown.reshape(3, n)
        for row, at, share in (
            (0, i, pull), (0, j, -pull), (1, i, pull * y[j]), (1, j, -pull * y[i]), (2, j, pull * x[i]),
            (2, i, -pull * x[j]),
        ):  # fmt: skip
            gradient[row] -= np.bincount(at, share, n)
        return 0.5 * float(weight @ miss**2) + 0.5 * _RIDGE * float(unknown @ unknown), gradient.ravel()

    first = np.concatenate([start, place[:, 0], place[:, 1]])
    solution = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x.reshape(3, n)
    return solution[0], solution[1:].T


def _beyond(value: float, free: int) -> float:
    """Returns P(chi-square with `free` degrees of freedom > value)."""
    from scipy.special import gammaincc

    return float(gammaincc(free / 2.0, value / 2.0))


def _transitive(points: Array, games: Array) -> float:
    """Returns the probability of residuals as large as these if the board's own model is true: skills on one line, and
    normal performances.

    The statistic is the sum of squared Pearson residuals that no change of a skill explains. Its distribution
    comes from leagues drawn from the fit, as upsets are too rare there for a chi-square.
    """
    from scipy.special import ndtr

    i, j = np.nonzero(np.triu(games, 1))
    played, n = games[i, j], len(points)
    skills = without_prior(n, i, j, np.stack([points[i, j], np.zeros(len(i)), points[j, i]])).mean
    gap = skills[i] - skills[j]
    p = np.clip(ndtr(gap), _RARE, 1.0 - _RARE)
    sd = np.sqrt(played * p * (1.0 - p))
    slope = played * np.exp(-0.5 * gap * gap) / np.sqrt(2.0 * np.pi) / sd
    squares = np.zeros((n, n))
    np.add.at(squares, (i, j), slope * slope)
    inverse = np.linalg.pinv(np.diag((squares + squares.T).sum(1)) - squares - squares.T, hermitian=True)

    def rest(won: Array) -> Array:
        """Returns (R,) the statistic of points (R, pairs)."""
        z = (won - played * p) / sd
        pull = np.zeros((n, len(z)))
        np.add.at(pull, i, (z * slope).T)
        np.add.at(pull, j, -(z * slope).T)
        out: Array = (z * z).sum(1) - (pull * (inverse @ pull)).sum(0)
        return out

    number = max(_LEAGUES[0], min(_LEAGUES[1], _CELLS // max(len(i), 1)))
    leagues = np.random.default_rng(0).binomial(played.astype(np.int64), p, (number, len(i)))
    drawn = rest(leagues.astype(np.float64))
    return float((1 + (drawn >= rest(points[i, j][None])[0]).sum()) / (1 + number))
