"""TrueSkill: two players or two teams in closed form, more by the `trueskill` package's factor graph.

The package's result for three or more tied teams depends on their listing order; `TrueSkill` averages over orders.

Herbrich, Minka and Graepel, "TrueSkill: a Bayesian skill rating system", NIPS 2006. Skill ~ N(mu, sigma^2),
performance ~ N(skill, beta^2); a game is drawn if two performances differ by less than the draw margin. Between
two players the factor graph is a tree, so one update is exact:

    c^2 = 2 beta^2 + sigma_w^2 + sigma_l^2        t = (mu_w - mu_l) / c        e = margin / c
    mu_w += sigma_w^2 / c * v(t, e)               sigma_w^2 *= 1 - sigma_w^2 / c^2 * w(t, e)
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import erfc, exp, fsum, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from league.ratings.online import truncated_normal
from league.ratings.online.truncated_normal import FAR, INV_SQRT_2, INV_SQRT_2PI

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Rating(NamedTuple):
    """The estimate of a skill: N(mu, sigma^2)."""

    mu: float
    sigma: float


class TrueSkill:
    """An environment: the constants and the updates. `draw_probability` is that of two equal players, in [0, 1).

    Raises ValueError for constants outside their range. With `draw_probability=0` a drawn game is an error.
    """

    __slots__ = ("_package", "beta", "draw_probability", "margin", "mu", "noise", "sigma", "tau", "tau2")

    def __init__(
        self,
        mu: float = 25.0,
        sigma: float = 25.0 / 3.0,
        beta: float = 25.0 / 6.0,
        tau: float = 0.0,
        draw_probability: float = 0.1,
    ) -> None:
        if not (sigma > 0.0 and beta > 0.0 and tau >= 0.0):
            raise ValueError(f"sigma and beta must be positive and tau not negative; seen: {sigma}, {beta}, {tau}")
        if not 0.0 <= draw_probability < 1.0:
            raise ValueError(f"draw_probability is {draw_probability}; it must be at least 0 and below 1")
        self.mu, self.sigma, self.beta, self.tau = mu, sigma, beta, tau
        self.draw_probability = draw_probability
        self.noise = 2.0 * beta * beta
        """variance of the difference of two performances given both skills"""
        self.tau2 = tau * tau
        self.margin = NormalDist().inv_cdf(0.5 + 0.5 * draw_probability) * sqrt(self.noise)
        """two players: |performance difference| below this is a draw"""
        self._package: Any = None

    def new(self) -> Rating:
        """Returns the rating of a player that has not played."""
        return Rating(self.mu, self.sigma)

    # Two players

    def rate(self, winner: Rating, loser: Rating, *, drawn: bool = False) -> tuple[Rating, Rating]:
        """Returns both ratings after one game. Raises ValueError for a draw if draw_probability is 0."""
        mu_w, sigma_w, mu_l, sigma_l = self.update(*winner, *loser, drawn)
        return Rating(mu_w, sigma_w), Rating(mu_l, sigma_l)

    def update(
        self, mu_w: float, sigma_w: float, mu_l: float, sigma_l: float, drawn: bool = False
    ) -> tuple[float, float, float, float]:
        """`rate` on plain floats: (mu, sigma) of the winner, then of the loser."""
        step = self.step_draw if drawn else self.step
        mu_w, var_w, mu_l, var_l = step(mu_w, sigma_w * sigma_w, mu_l, sigma_l * sigma_l)
        return mu_w, sqrt(var_w), mu_l, sqrt(var_l)

    def step(self, mu_w: float, var_w: float, mu_l: float, var_l: float) -> tuple[float, float, float, float]:
        """Returns means and variances after a win. The variances stay positive however extreme the upset."""
        var_w += self.tau2
        var_l += self.tau2
        c2 = self.noise + var_w + var_l
        c = sqrt(c2)
        x = (mu_w - mu_l - self.margin) / c
        if x > -FAR:  # truncated_normal.win, written out: a call costs a fifth of the update
            v = INV_SQRT_2PI * exp(-0.5 * x * x) / (0.5 * erfc(-x * INV_SQRT_2))
            u = 1.0 - v * (v + x)
        else:
            v, u = truncated_normal.win(x)
        return (
            mu_w + var_w * v / c,
            var_w * (c2 - var_w + var_w * u) / c2,
            mu_l - var_l * v / c,
            var_l * (c2 - var_l + var_l * u) / c2,
        )

    def step_draw(self, mu_a: float, var_a: float, mu_b: float, var_b: float) -> tuple[float, float, float, float]:
        """Returns means and variances after a draw. Raises ValueError if the draw probability is 0."""
        if self.margin == 0.0:
            raise ValueError("a game is drawn but draw_probability is 0; give this game a positive draw_probability")
        var_a += self.tau2
        var_b += self.tau2
        c2 = self.noise + var_a + var_b
        c = sqrt(c2)
        v, u = truncated_normal.draw((mu_a - mu_b) / c, self.margin / c)
        return (
            mu_a + var_a * v / c,
            var_a * (c2 - var_a + var_a * u) / c2,
            mu_b - var_b * v / c,
            var_b * (c2 - var_b + var_b * u) / c2,
        )

    # More than two

    def rate_ranks(self, ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
        """Returns each player's rating after one game of n >= 2 players; the lowest rank is best, equal ones tie."""
        return [group[0] for group in self.rate_teams([[r] for r in ratings], ranks)]

    def rate_teams(self, teams: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
        """Returns each member's rating after one game of teams, in the given order. Same errors as `rate`."""
        if len(teams) != len(ranks) or len(teams) < 2:
            raise ValueError(f"{len(teams)} teams and {len(ranks)} ranks; give one rank per team, at least two")
        if self.draw_probability == 0.0 and len(set(ranks)) < len(ranks):
            raise ValueError("ranks are tied but draw_probability is 0; give this game a positive draw_probability")
        if all(len(team) == 1 for team in teams) and len(teams) == 2:
            first, second = (0, 1) if ranks[0] <= ranks[1] else (1, 0)
            rated = self.rate(teams[first][0], teams[second][0], drawn=ranks[0] == ranks[1])
            return [[rated[first]], [rated[second]]]
        if len(teams) == 2 and all(teams):
            return self._rate_two_teams(teams, ranks)
        return self._rate_chain(teams, ranks)

    def _rate_chain(self, teams: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
        """Three or more teams. The model compares neighbours in rank order, so tied teams would depend on their listing
        order; the result is the mean, of means and of variances, over the orders of `orders`.
        """
        env = self._environment()
        groups = [tuple(env.create_rating(r.mu, r.sigma) for r in team) for team in teams]
        updates: list[list[list[Any]]] = [[] for _ in teams]
        for order in orders(teams, ranks):
            rated = env.rate([groups[i] for i in order], ranks=[ranks[i] for i in order])
            for i, group in zip(order, rated, strict=True):
                updates[i].append(list(group))
        return [_mean(several) for several in _alike(teams, ranks, updates)]

    def _rate_two_teams(self, teams: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
        """Exact: a team performs as the sum of its members. With n players in all, in the notation above,

            c^2 = n beta^2 + sum of sigma^2      t = (sum of mu_w - sum of mu_l) / c
            margin = Phi^-1((1 + draw probability) / 2) sqrt(n) beta

        and each member moves in proportion to its own share sigma^2 of c^2.
        """
        winners, losers = teams if ranks[0] <= ranks[1] else (teams[1], teams[0])
        members = sum(map(len, teams))
        c2 = members * self.noise / 2.0 + sum(r.sigma * r.sigma + self.tau2 for team in teams for r in team)
        c, margin = sqrt(c2), self.margin * sqrt(members / 2.0)
        gap = sum(r.mu for r in winners) - sum(r.mu for r in losers)
        v, u = (
            truncated_normal.draw(gap / c, margin / c)
            if ranks[0] == ranks[1]
            else truncated_normal.win((gap - margin) / c)
        )

        def moved(rating: Rating, sign: float) -> Rating:
            var = rating.sigma * rating.sigma + self.tau2
            return Rating(rating.mu + sign * var * v / c, sqrt(var * (c2 - var + var * u) / c2))

        won, lost = [moved(r, 1.0) for r in winners], [moved(r, -1.0) for r in losers]
        return [won, lost] if ranks[0] <= ranks[1] else [lost, won]

    def _environment(self) -> Any:
        if self._package is None:
            from league.ratings.online.trueskill_package import environment

            self._package = environment(self.mu, self.sigma, self.beta, self.tau, self.draw_probability)
        return self._package

    # Predictions

    def quality(self, a: Rating, b: Rating) -> float:
        """Returns match quality in (0, 1]: the draw probability over that of two equal, known players (section 4)."""
        c2 = self.noise + a.sigma * a.sigma + b.sigma * b.sigma
        return sqrt(self.noise / c2) * exp(-0.5 * (a.mu - b.mu) ** 2 / c2)

    def qualities(self, mu: Array, sigma: Array) -> Array:
        """`quality` of every pair: arrays (n,) to (n, n)."""
        import numpy as np

        c2 = self.noise + np.add.outer(sigma * sigma, sigma * sigma)
        table: Array = np.sqrt(self.noise / c2) * np.exp(-0.5 * np.subtract.outer(mu, mu) ** 2 / c2)
        return table

    def probabilities(self, a: Rating, b: Rating) -> tuple[float, float, float]:
        """Returns the probabilities that `a` wins, draws and loses against `b`; they sum to 1."""
        scale = INV_SQRT_2 / sqrt(self.noise + a.sigma * a.sigma + b.sigma * b.sigma)
        gap = a.mu - b.mu
        win, loss = 0.5 * erfc((self.margin - gap) * scale), 0.5 * erfc((self.margin + gap) * scale)
        return win, max(0.0, 1.0 - win - loss), loss


_PERMUTED = 3
"""The largest number of tied teams for which every order is tried. For more, the order of their ratings is rotated,
forwards and backwards: 8 orders of four teams instead of 24, each of which costs an update."""


def orders(teams: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[int]]:
    """Returns places of teams by rank, in several orders of tied teams. The listing order does not matter."""
    blocks: dict[int, list[int]] = {}
    for i in sorted(range(len(teams)), key=lambda i: (ranks[i], list(teams[i]))):
        blocks.setdefault(ranks[i], []).append(i)
    return [list(itertools.chain(*parts)) for parts in itertools.product(*map(_ways, blocks.values()))]


def _ways(block: list[int]) -> list[list[int]]:
    if len(block) <= _PERMUTED:
        return [list(order) for order in itertools.permutations(block)]
    rotated = [block[k:] + block[:k] for k in range(len(block))]
    return rotated + [order[::-1] for order in rotated]


def _alike(
    teams: Sequence[Sequence[Rating]], ranks: Sequence[int], updates: list[list[list[Any]]]
) -> list[list[list[Any]]]:
    """Returns the updates of each team; tied teams of equal ratings differ only in listing order and share theirs."""
    together: dict[tuple[int, tuple[Rating, ...]], list[list[Any]]] = {}
    for team, rank, several in zip(teams, ranks, updates, strict=True):
        together.setdefault((rank, tuple(team)), []).extend(several)
    return [together[rank, tuple(team)] for team, rank in zip(teams, ranks, strict=True)]


def _mean(several: Sequence[Sequence[Any]]) -> list[Rating]:
    """Returns the mean of a team's members over several updates: of the means, and of the variances."""
    n = len(several)
    members = zip(*several, strict=True)
    return [Rating(fsum(r.mu for r in each) / n, sqrt(fsum(r.sigma * r.sigma for r in each) / n)) for each in members]
