"""One fit of the skill model: the layout of the unknowns, the prior, and the way back to the board's scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from games import InputError
from league.ratings.comparisons import Counts
from league.ratings.fit import dispersion
from league.ratings.fit.fit import Fit, SeatEffect, connected_components
from league.ratings.fit.groups import Groups
from league.ratings.fit.links import TERMS, Array, Link, deviation
from league.ratings.fit.posterior import Design, Posterior, Prior, evidence, gap_sd, nodes_for, score, solve
from league.ratings.fit.prior import Edges, Width, tree
from league.ratings.fit.skill_draws import Scoring
from league.ratings.online.state import Anchors

Intervals = Literal["posterior", "sandwich"]

_WIDTH_SPREAD = 1.0
"""Standard deviation of the hyperprior of a log width: a factor of e either way."""
_SEAT_WIDTH = 1.0
"""Prior standard deviation of a seat's worth, and of what one unit of a covariate is worth, in beta."""
_MARGIN_SPREAD = 1.5
"""Prior standard deviation of the log draw margin."""
_ROOT_PRECISION = 1e-2
"""precision of the mean of all players, in the link's unit: small, so that anchors determine the mean"""
_ANCHOR_WIDTH = 1e-3
"""Standard deviation of a tight anchor, in the link's unit."""


@dataclass(frozen=True)
class Constants:
    """The constants of a skill model.

    `groups`: the largest number of populations that players may come from; `apart`: prior standard deviation of the
    mean of each of several populations, in beta. `width` and `step`: centres of the hyperpriors of the spread of
    players and of a checkpoint's step from its parent, in beta; `drift`: prior standard deviation, around 0, of the
    mean gain of such a step, in beta (0: no gain); `draw_probability`: prior guess for two equal players in a game
    with draws.
    """

    mu: float = 25.0
    beta: float = 25.0 / 6.0
    link: Link = "probit"
    width: float = 1.0
    groups: int = 3
    apart: float = 2.0
    step: float = 0.3
    drift: float = 0.2
    draw_probability: float = 0.1
    intervals: Intervals = "posterior"

    @property
    def unit(self) -> float:
        """Rating points in one unit of the link's gap."""
        return sqrt(2.0) * self.beta * deviation(self.link)


def perfect(counts: Counts, n: int, played: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Returns (2, n): players without a lost or drawn comparison, and players without a won or drawn one."""
    wins, draws, losses = counts.n
    dropped = np.bincount(counts.a, draws + losses, n) + np.bincount(counts.b, draws + wins, n) > 0
    gained = np.bincount(counts.a, draws + wins, n) + np.bincount(counts.b, draws + losses, n) > 0
    out: NDArray[np.bool_] = np.stack([~dropped, ~gained]) & played
    return out


class Model:
    """One fit: the layout of the unknowns, the prior, and the conversion to the board's scale.

    `share` (players without a parent, K): initial shares of each player in each of K groups; None: one group.
    Without `estimate` they stay.
    """

    def __init__(
        self,
        method: Constants,
        counts: Counts,
        lineage: Mapping[str, str],
        anchors: Anchors,
        share: Array | None = None,
        estimate: bool = True,
    ) -> None:
        self.method, self.counts, self.anchors = method, counts, anchors
        self.centre = float(np.mean([rating for rating, _ in anchors.values()])) if anchors else method.mu
        """the rating at which an unknown is 0"""
        self.n = n = len(counts.players)
        self.played = np.zeros(n, bool)
        self.played[counts.a] = self.played[counts.b] = True
        self.seat_start, self.margins, size = _layout(counts)
        self.effect, size = size, size + len(counts.covariates)
        place = {name: i for i, name in enumerate(counts.players)}
        parents = [(place[c], place[p]) for c, p in sorted(lineage.items()) if c in place and p in place and c != p]
        _check_tree(parents, counts.players)
        self.parents = np.array(parents, np.int64).reshape(-1, 2)
        self.drift = size if parents and method.drift > 0.0 else None
        size += self.drift is not None
        self.common = size
        """the unknowns that models with any number of groups share; the groups' means follow"""
        self.over = np.array([n]) if share is None else np.arange(size, size + share.shape[1])
        size += 0 if share is None else share.shape[1]
        self.design = self._design(size)
        scale = method.beta / method.unit
        child = {c for c, _ in parents}
        self.founders = np.array([i for i in range(n) if i not in child and self.populates(i)], np.intp)
        kinds = tree(self.founders, self.over, parents, method.width * scale, method.step * scale, self.drift)
        if len(self.over) > 1:
            above = np.full(len(self.over), n, np.intp)
            kinds.append(Edges("groups", self.over, above, method.apart * scale, free=False))
        self.mean, self.precision = np.zeros(size), np.zeros(size)
        self._set_normals(scale, place)
        widths = [Width(kind, kind.width, _WIDTH_SPREAD) for kind in kinds]
        groups = None if share is None else Groups(widths[0], share, estimate)
        self.prior = Prior(widths, self.mean, self.precision, groups)
        self.arguments = method, counts, lineage, anchors

    def _set_normals(self, scale: float, place: Mapping[str, int]) -> None:
        """The independent normal priors: of the mean of all players, seats, drift, margins and anchors."""
        self.precision[self.n] = _ROOT_PRECISION
        self.precision[self.n + 1 : self.common] = (_SEAT_WIDTH * scale) ** -2
        if self.drift is not None:
            self.precision[self.drift] = (self.method.drift * scale) ** -2
        for start in self.margins.values():
            self.precision[start] = _MARGIN_SPREAD**-2
            self.mean[start] = log(self._margin(self.method.draw_probability))
        for name, (rating, sd) in self.anchors.items():
            self.mean[place[name]] = (rating - self.centre) / self.method.unit
            self.precision[place[name]] = self.anchor_precision(sd)

    def anchor_precision(self, sd: float) -> float:
        """Returns the prior precision of an anchor whose rating has this standard deviation, in the link's unit."""
        return max(sd / self.method.unit, _ANCHOR_WIDTH) ** -2

    def populates(self, player: int) -> bool:
        """Returns whether a player without a parent comes from the population of players."""
        return True

    def _margin(self, draw_probability: float) -> float:
        """Returns the margin with which two equal players draw with this probability, in the link's unit."""
        if self.method.link == "logit":
            return log1p(draw_probability) - log1p(-draw_probability)
        from statistics import NormalDist

        return NormalDist().inv_cdf(0.5 + 0.5 * draw_probability)

    def _design(self, size: int) -> Design:
        """In cells without a seat term, both seats refer to the same unknown and cancel."""
        game, a, b, seat_a, seat_b = self.counts.columns[:5]
        start, margin = np.full(len(self.counts.games), self.n), np.full(len(self.counts.games), size)
        for g, place in self.seat_start.items():
            start[g] = place
        for g, place in self.margins.items():
            margin[g] = place
        apart = seat_a != seat_b
        first, second = (np.where(apart, start[game] + seat, self.n) for seat in (seat_a, seat_b))
        covariates = self.counts.covariates
        return Design(size, a, b, first, second, margin[game], self.method.link, covariates, self.effect)

    def absent(self) -> NDArray[np.intp]:
        """Returns players of whom only the prior knows: without a match, a parent or a child."""
        alone = ~self.played[self.founders] & ~np.isin(self.founders, self.parents)
        return self.founders[alone]

    def grouped(self, share: Array, estimate: bool = True) -> Model:
        """Returns the same model with several groups."""
        return type(self)(*self.arguments, share, estimate)

    def solve(self, at: Array | Posterior | None = None) -> tuple[Posterior, Array]:
        """Returns the posterior, and the dispersion of every game (G,)."""
        weight = self.counts.weight
        posterior = solve(self.design, self.counts.n * weight, self.prior, self.mean.copy() if at is None else at)
        spread = self._dispersion(posterior)
        if (np.abs(spread - 1.0) > 1e-3).any():
            for one in self.prior.widths:
                one.restart(one.z)
            posterior = self.solve_with(spread, posterior)
        return posterior, spread

    def solve_with(self, spread: Array, at: Array | Posterior, *, estimate: bool = True) -> Posterior:
        """Returns the posterior for a known dispersion."""
        return solve(self.design, self.counts.n * self.weight(spread), self.prior, at, estimate=estimate)

    def evidence(self, spread: Array, posterior: Posterior) -> float:
        """See `league.ratings.fit.posterior.evidence`."""
        return evidence(self.design, self.counts.n * self.weight(spread), self.prior, posterior)

    def weight(self, spread: Array) -> Array:
        """Returns (C,) the weight of a comparison in its game."""
        out: Array = self.counts.weight / spread[self.counts.game]
        return out

    def gradient(self, x: Array, covariance: Array, spread: Array) -> Array:
        """Returns the gradient (P,) of the log likelihood, averaged over N(x, covariance), (P,) and (n, n)."""
        sd = gap_sd(self.design, covariance)
        return score(self.design, self.counts.n * self.weight(spread), x, sd, nodes_for(sd))

    def key(self) -> tuple[object, ...]:
        """One fit can start where another ended if their keys are equal."""
        return self.counts.players, tuple(self.seat_start.items()), tuple(self.margins.items()), self.common

    def _dispersion(self, posterior: Posterior) -> Array:
        used = float(np.vdot(posterior.covariance, posterior.information))  # trace: the effective number of unknowns
        total = float((self.counts.n.sum(0) * self.counts.weight).sum())
        return dispersion.dispersion(self.counts, self.design, posterior.x, max(0.2, 1.0 - used / max(total, 1.0)))

    def covariance(self, posterior: Posterior, weight: Array) -> Array:
        """Returns (P, P) with the uncertainty of the prior's widths."""
        out = posterior.covariance
        if self.method.intervals == "sandwich":
            prior = self.prior.matrix()
            middle = dispersion.meat(self.counts, weight, self.design, posterior.x) + prior
            out = out @ middle @ out
        for one in self.prior.widths:
            slope = one.slope(posterior.x, posterior.covariance)
            out = out + one.variance * np.outer(slope, slope)
        return out

    def report(self, x: Array, players: Array, others: Array, spread: Array) -> Fit:
        """Returns skills, seats and margins (common,) on the board's scale, with the covariance of the players, (n, n)
        or (0, 0), and that of the other unknowns.
        """
        counts, n, unit = self.counts, self.n, self.method.unit
        return Fit(
            players=counts.players,
            ratings=self.ratings(x),
            covariance=unit * unit * self.gauge(self.gauge(players).T) if players.size else players,
            played=self.played,
            widths={w.edges.name: unit * w.alpha**-0.5 for w in self.prior.widths},
            effects=tuple((unit * float(x[k]), unit * float(others[k - n, k - n]) ** 0.5) for k in self._effects()),
            drift=0.0 if self.drift is None else float(unit * x[self.drift]),
            seats={counts.games[g]: self._seats(g, x, others) for g in self.seat_start},
            draws={game: self._draw(x, g) for g, game in enumerate(counts.games)},
            dispersion={game: float(spread[g]) for g, game in enumerate(counts.games)},
            components=self.components(),
            perfect=perfect(self.counts, n, self.played),
            scoring=self._scoring(x),
            absolute=bool(self.anchors),
        )

    def _effects(self) -> range:
        """Returns the places of the covariates' effects."""
        return range(self.effect, self.effect + len(self.counts.covariates))

    def ratings(self, x: Array) -> Array:
        """Returns ratings of the players, (n,) or (D, n), from unknowns of which the players are the first."""
        out: Array = self.centre + self.method.unit * self.gauge(x[..., : self.n])
        return out

    def _scoring(self, x: Array) -> Scoring:
        """Returns the scoring of the game, if there is only one."""
        if len(self.counts.games) != 1:
            return Scoring(self.method.unit, self.method.link)
        margin = float(np.exp(x[self.margins[0]])) if 0 in self.margins else 0.0
        seats: tuple[float, ...] = ()
        if 0 in self.seat_start:
            effects = self._seats(0, x, np.zeros((len(x) - self.n,) * 2))
            seats = tuple(one.advantage / self.method.unit for one in effects)
        return Scoring(self.method.unit, self.method.link, margin, seats)

    def components(self) -> tuple[tuple[str, ...], ...]:
        """Returns `Fit.components`."""
        child, parent = self.parents.T
        a, b = np.concatenate([self.counts.a, child]), np.concatenate([self.counts.b, parent])
        groups = ([i for i in group if self.played[i]] for group in connected_components(self.n, a, b))
        ordered = sorted((group for group in groups if group), key=lambda group: (-len(group), group))
        return tuple(tuple(self.counts.players[i] for i in group) for group in ordered)

    def gauge(self, x: Array) -> Array:
        """Returns players' skills in the last axis; without anchors, relative to the mean of the players that played.

        Matches determine differences only, so an origin is needed; gaps, ranks and probabilities do not depend on it.
        Through the mean, each of n intervals includes an n-th of an outlier's error; anchors fix another origin.
        """
        if not self.played.any() or self.anchors:
            return x
        out: Array = x - x[..., self.played].mean(axis=-1, keepdims=True)
        return out

    def _seats(self, game: int, at: Array, others: Array) -> tuple[SeatEffect, ...]:
        start = self.seat_start[game]
        seats = self.counts.columns[3:5, self.counts.game == game]
        places = np.arange(start, start + int(seats.max()) + 1)
        x, joint = at[places], others[np.ix_(places - self.n, places - self.n)]
        centre = np.eye(len(places)) - 1.0 / len(places)
        spread = np.sqrt(np.maximum(np.diag(centre @ joint @ centre), 0.0))
        unit = self.method.unit
        return tuple(SeatEffect(float(unit * v), float(unit * s)) for v, s in zip(x - x.mean(), spread, strict=True))

    def _draw(self, x: Array, game: int) -> float:
        if game not in self.margins:
            return 0.0
        margin = np.exp(x[self.margins[game] : self.margins[game] + 1])
        return float(TERMS[self.method.link](np.zeros(1), margin).p[0, 1])


def _layout(counts: Counts) -> tuple[dict[int, int], dict[int, int], int]:
    """Where the unknowns of games start: seats of games that compare different seats, margins of games with draws; and
    the number of unknowns so far.

    Players are 0..n-1, the mean of all players is n; the drift of a lineage, if any, follows.
    """
    size = len(counts.players) + 1
    seats: dict[int, int] = {}
    margins: dict[int, int] = {}
    for game in range(len(counts.games)):
        rows = counts.game == game
        places = counts.columns[3:5, rows]
        if rows.any() and (places[0] != places[1]).any():
            seats[game] = size
            size += int(places.max()) + 1
    for game in range(len(counts.games)):
        if counts.n[1, counts.game == game].any():
            margins[game] = size
            size += 1
    return seats, margins, size


def _check_tree(parents: list[tuple[int, int]], names: tuple[str, ...]) -> None:
    parent = dict(parents)
    for start in parent:
        at, steps = start, 0
        while at in parent:
            at, steps = parent[at], steps + 1
            if steps > len(parent):
                raise InputError(
                    f"the lineage of {names[start]!r} is a cycle; give each checkpoint an earlier one as its parent"
                )
