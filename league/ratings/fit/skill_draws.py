"""Draws of all skills from one posterior, and every statement that a leaderboard makes of them.

Intervals, ranges of ranks, the probability of being the best or above the next row, and expected points all come from
the same draws, so that no two columns contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.links import CDFS, Array, Link
from league.ratings.fit.rank_ranges import Ranks, in_place, rank_ranges, ranks_of

T = TypeVar("T")
_ERRORS = "errors"
DRAWS, LIVE = 4000, 1000
"""Draws of a final table and of a decision to stop, and of a live table: a probability of 0.95 has a standard error of
0.3 and of 0.7 percentage points."""


class ExpectedPoints(NamedTuple):
    """Points of 100 that a player is expected to make against a reference player: a win is 1, a draw 1/2. A player that
    won everything has `high` 100 and one that lost everything `low` 0: the other bound then holds by itself.
    """

    low: float
    mean: float
    high: float


@dataclass(frozen=True)
class Scoring:
    """How a gap between skills becomes points: `unit` rating points of the link, the draw margin in it, and the seats'
    advantages (S,) in it, of which each two are as likely.
    """

    unit: float = 25.0 / 6.0 * 2.0**0.5
    link: Link = "probit"
    margin: float = 0.0
    seats: tuple[float, ...] = ()

    def points(self, gap: Array) -> Array:
        """Returns the expected points of 100 for gaps in rating points, of any shape: a draw, which is half a point,
        makes them the mean of the probabilities of a win with and without the draw margin.
        """
        edges = [a - b for i, a in enumerate(self.seats) for j, b in enumerate(self.seats) if i != j] or [0.0]
        signs = (-1.0, 1.0) if self.margin else (0.0,)
        shifts = [edge + sign * self.margin for edge in edges for sign in signs]
        cdf, scaled = CDFS[self.link], gap / self.unit
        out: Array = sum((cdf(scaled + shift) for shift in shifts), np.zeros(gap.shape)) * (100.0 / len(shifts))
        return out


@dataclass(frozen=True)
class SkillDraws:
    """`skills` (n, D): D draws of the ratings of all `players`.

    `covariance` (n, n) weighs the players in the origin of intervals; (0, 0) in a field of many players, where the
    variances of the draws do. `unbeaten` and `winless` (n,): players without a
    lost or drawn comparison, and without a won or drawn one.
    """

    players: tuple[str, ...]
    skills: Array
    covariance: Array
    played: NDArray[np.bool_]
    scoring: Scoring
    unbeaten: NDArray[np.bool_]
    winless: NDArray[np.bool_]
    absolute: bool = False
    """whether the errors are those of the ratings themselves, as with anchors, and not of comparisons"""
    _memo: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    """what was computed: the table over all games of a run with one game is that game's"""

    @cached_property
    def _errors(self) -> Array:
        """(n, D) deviations whose spread is the quasi-standard error of each player, skewed as its posterior is."""
        centred: Array = self.skills - self.skills.mean(1, keepdims=True)
        chosen = np.flatnonzero(self.played)
        if self.absolute or len(chosen) < 2:
            return centred
        if not len(self.covariance):  # an origin of many players is nearly independent of each
            weight = 1.0 / np.maximum(centred[chosen].var(1), 1e-12)
            many: Array = centred - (weight / weight.sum()) @ centred[chosen]
            return many
        joint = self.covariance[np.ix_(chosen, chosen)]
        quasi = quasi_variances(joint)
        weight = 1.0 / np.maximum(quasi, 1e-12)
        weight /= weight.sum()
        lean = joint @ weight
        variance = np.maximum(np.diag(joint) - 2.0 * lean + weight @ lean, 1e-12)
        out = centred.copy()
        out[chosen] = (centred[chosen] - weight @ centred[chosen]) * np.sqrt(quasi / variance)[:, None]
        return out

    def errors(self, level: float = 0.95) -> tuple[Array, Array]:
        """Returns how far each rating may be too high and too low, (n,) each, as a comparison with others sees it. For
        a player that won (or lost) everything, the lower (upper) bound is one-sided.
        """
        tail = 0.5 * (1.0 - level)
        shares = tail, 2.0 * tail, 1.0 - 2.0 * tail, 1.0 - tail
        low, low1, high1, high = self._once((_ERRORS, level), lambda: _quantiles(self._errors, shares))
        return np.where(self.unbeaten, low1, low), np.where(self.winless, high1, high)

    def moved(self, by: Array, perfect: NDArray[np.bool_]) -> SkillDraws:
        """Returns the draws with the ratings moved by (n,), with the same errors. `perfect`: as in `Fit`."""
        errors: dict[Hashable, Any] = {
            key: value for key, value in self._memo.items() if isinstance(key, tuple) and key[:1] == (_ERRORS,)
        }
        unbeaten, winless = perfect
        return replace(self, skills=self.skills + by[:, None], unbeaten=unbeaten, winless=winless, _memo=errors)

    def _once(self, key: Hashable, make: Callable[[], T]) -> T:
        if key not in self._memo:
            self._memo[key] = make()
        out: T = self._memo[key]
        return out

    def above(self, a: str, b: str) -> float:
        """Returns the probability that a is better than b. Raises ValueError for an unknown name."""
        i, j = self.players.index(a), self.players.index(b)
        return 0.5 if i == j else float((self.skills[i] > self.skills[j]).mean())

    def ranks(self, order: Sequence[int]) -> Ranks:
        """Returns (len(order), D): the rank of each of these places in `players` among them, in each draw."""
        return self._once(tuple(order), lambda: ranks_of(self.skills[list(order)]))

    def p_best(self, among: Sequence[int]) -> Array:
        """Returns (len(among),) the probability that each of these places in `players` is the best of them."""
        out: Array = (self.ranks(among) == 1).mean(1)
        return out

    def p_order(self, order: Sequence[int]) -> Array:
        """Returns (len(order),) for each k, the probability that the first k places are the k best, in this order."""
        out: Array = in_place(self.ranks(order)).mean(1)
        return out

    def rank_ranges(self, order: Sequence[int], level: float = 0.95) -> list[tuple[int, int]]:
        """Returns best and worst rank of each place in `order`, the rows of a table from the first to the last; with
        probability `level` they contain all true ranks together. See `rank_ranges`.
        """
        low, high = self._once((tuple(order), level), lambda: rank_ranges(self.ranks(order), level))
        return list(zip(low.tolist(), high.tolist(), strict=True))

    def above_next(self, order: Sequence[int], ranges: Sequence[tuple[int, int]], level: float = 0.95) -> list[float]:
        """Returns for each place but the last of `order` the probability of being better than the next: at least 1/2,
        as the rows are in order, and above `level` only where their `ranges` of ranks do not overlap.
        """
        skills = self.skills[list(order)]
        pairs = (skills[:-1] > skills[1:]).mean(1)
        apart = np.array([here[1] < after[0] for here, after in pairwise(ranges)], bool)
        out: list[float] = np.where(apart, pairs, np.clip(pairs, 0.5, level)).tolist()
        return out

    def expected_points(self, player: str, reference: str, level: float = 0.95) -> ExpectedPoints:
        """Returns the points of 100 that a player is expected to make against another, with its bounds. Raises
        ValueError for an unknown name.
        """
        return self.all_points(self.players.index(reference), level)[self.players.index(player)]

    def all_points(self, reference: int, level: float = 0.95) -> list[ExpectedPoints]:
        """Returns `expected_points` of every player against the one at this place."""
        return self._once(("points", reference, level), lambda: self._points(reference, 0.5 * (1.0 - level)))

    def _points(self, j: int, tail: float) -> list[ExpectedPoints]:
        points = self.scoring.points(self.skills - self.skills[j])
        points[j] = points[j].mean()
        low, low1, high1, high = _quantiles(points, (tail, 2.0 * tail, 1.0 - 2.0 * tail, 1.0 - tail))
        most, least = self.unbeaten | self.winless[j], self.winless | self.unbeaten[j]
        most[j] = least[j] = False
        least &= ~most
        low, high = np.where(most, low1, low), np.where(least, high1, high)
        low[least], high[most] = 0.0, 100.0
        same = (low == high) & (np.arange(len(low)) != j)  # rounded: only the reference itself has no interval
        low, high = np.where(same, np.nextafter(low, 0.0), low), np.where(same, np.nextafter(high, 100.0), high)
        mean = np.clip(points.mean(1), low, high)  # the mean of skewed draws may lie outside
        return list(map(ExpectedPoints, low.tolist(), mean.tolist(), high.tolist()))


def _quantiles(draws: Array, shares: Sequence[float]) -> list[Array]:
    """Returns the quantiles of each row, as order statistics."""
    size = draws.shape[1]
    places = [min(size - 1, int(share * size)) for share in shares]
    ordered = np.partition(draws, places, axis=1)
    return [ordered[:, place] for place in places]


_ROUNDS = 12
_LEAST = 0.35
"""The least quasi-variance, as a share of the variance of the player's closest comparison: half of it would split that
comparison evenly. Where no sum fits, as among players of different games, one of the two would have none."""


def quasi_variances(covariance: Array) -> Array:
    """Returns (n,) of a joint covariance (n, n): sums of two fit the variances of differences, by relative errors.

    Firth and de Menezes, "Quasi-variances", Biometrika 91, 2004. The error of a rating depends on the origin of the
    scale, and through the mean of all players each contains a share of the error of the least known one; quasi-errors
    do not.
    """
    n = len(covariance)
    variance: Array = np.diag(covariance).copy()
    if n < 3:
        return (
            np.full(n, 0.5 * max(float(np.ones(n) @ variance - 2.0 * covariance[0, -1]), 1e-12)) if n == 2 else variance
        )
    differences = np.maximum(np.add.outer(variance, variance) - 2.0 * covariance, 1e-12)
    np.fill_diagonal(differences, 0.0)
    sums = differences.sum(1)
    least = np.where(differences > 0.0, differences, np.inf).min(1)
    out: Array = np.maximum(
        (sums - sums.sum() / (2.0 * (n - 1))) / (n - 2), _LEAST * least
    )  # exact if sums fit exactly
    for _ in range(_ROUNDS):
        out = out * np.sqrt((differences / np.add.outer(out, out)).sum(1) / (n - 1))
    floored: Array = np.maximum(out, _LEAST * least)
    return floored
