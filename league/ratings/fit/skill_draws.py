"""Draws of all skills from one posterior, and every statement that a leaderboard makes of them.

Intervals, ranges of ranks, the probability of being the best or above the next row, and expected points all come from
the same draws, so that no two columns contradict each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.links import TERMS, Array, Link
from league.ratings.fit.quasi_errors import quasi_variances
from league.ratings.fit.rank_ranges import cuts, rank_ranges

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
        """Returns the expected points of 100 for gaps (D,) in rating points."""
        pairs = [a - b for i, a in enumerate(self.seats) for j, b in enumerate(self.seats) if i != j] or [0.0]
        margin = np.full(len(gap), self.margin)
        terms = TERMS[self.link]
        out = np.zeros(len(gap))
        for edge in pairs:
            p = terms(gap / self.unit + edge, margin).p
            out += (p[:, 0] + 0.5 * p[:, 1]) * (100.0 / len(pairs))
        return out


@dataclass(frozen=True)
class SkillDraws:
    """`skills` (n, D): D draws of the ratings of all `players`.

    `covariance` (n, n) weighs the players in the origin of intervals. `unbeaten` and `winless` (n,): players without a
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
    _ranges: dict[tuple[tuple[int, ...], float], list[tuple[int, int]]] = field(default_factory=dict, repr=False)

    @cached_property
    def _errors(self) -> Array:
        """(n, D) deviations whose spread is the quasi-standard error of each player, skewed as its posterior is."""
        centred: Array = self.skills - self.skills.mean(1, keepdims=True)
        chosen = np.flatnonzero(self.played)
        if self.absolute or len(chosen) < 2:
            return centred
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
        low, low1, high1, high = _quantiles(self._errors, (tail, 2.0 * tail, 1.0 - 2.0 * tail, 1.0 - tail))
        return np.where(self.unbeaten, low1, low), np.where(self.winless, high1, high)

    def above(self, a: str, b: str) -> float:
        """Returns the probability that a is better than b. Raises ValueError for an unknown name."""
        i, j = self.players.index(a), self.players.index(b)
        return 0.5 if i == j else float((self.skills[i] > self.skills[j]).mean())

    def p_best(self, among: Sequence[int]) -> Array:
        """Returns (len(among),) the probability that each of these places in `players` is the best of them."""
        if not among:
            return np.zeros(0)
        best = self.skills[list(among)].argmax(0)
        out: Array = np.bincount(best, minlength=len(among)) / len(best)
        return out

    def p_order(self, order: Sequence[int]) -> Array:
        """Returns (len(order),) for each k, the probability that the first k places are the k best, in this order."""
        skills = self.skills[list(order)]
        if len(skills) < 2:
            return np.ones(len(skills))
        chain = np.logical_and.accumulate(skills[:-1] > skills[1:], axis=0)
        return np.append((chain & cuts(skills)).mean(1), chain[-1].mean())

    def rank_ranges(self, order: Sequence[int], level: float = 0.95) -> list[tuple[int, int]]:
        """Returns best and worst rank of each place in `order`, the rows of a table from the first to the last; with
        probability `level` they contain all true ranks together. See `rank_ranges`.
        """
        key = tuple(order), level
        if key not in self._ranges:  # the table over all games of a run with one game is that game's
            low, high = rank_ranges(self.skills[list(order)], level)
            self._ranges[key] = list(zip(low.tolist(), high.tolist(), strict=True))
        return self._ranges[key]

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
        i, j = self.players.index(player), self.players.index(reference)
        points = self.scoring.points(self.skills[i] - self.skills[j])
        mean, tail = float(points.mean()), 0.5 * (1.0 - level)
        if i == j:
            return ExpectedPoints(mean, mean, mean)
        if self.unbeaten[i] or self.winless[j]:
            return ExpectedPoints(float(np.quantile(points, 2.0 * tail)), mean, 100.0)
        if self.winless[i] or self.unbeaten[j]:
            return ExpectedPoints(0.0, mean, float(np.quantile(points, 1.0 - 2.0 * tail)))
        low, high = np.quantile(points, [tail, 1.0 - tail])
        return ExpectedPoints(float(low), mean, float(high))


def _quantiles(draws: Array, shares: Sequence[float]) -> list[Array]:
    """Returns the quantiles of each row, as order statistics."""
    size = draws.shape[1]
    places = [min(size - 1, int(share * size)) for share in shares]
    ordered = np.partition(draws, places, axis=1)
    return [ordered[:, place] for place in places]
