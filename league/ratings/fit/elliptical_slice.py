"""Draws from the exact posterior of skills, from a normal approximation of it.

Every draw starts at the approximation and takes a few steps of elliptical slice sampling (Murray, Adams and MacKay,
"Elliptical slice sampling", AISTATS 2010), which leaves the exact posterior invariant: a step goes around an ellipse
through the draw and another draw of the approximation, to a point that the likelihood accepts.

The prior's widths are drawn first, and the skills given them. The widths' distribution is wider than the matches say
(`averaging`), since the prior may be wrong. A wider prior changes how far players are apart, and hardly their order: no
doubt about the size of a gap becomes a doubt about its sign.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any, NamedTuple

import numpy as np

from league.ratings.fit import dispersion
from league.ratings.fit.links import Array
from league.ratings.fit.model import Model
from league.ratings.fit.posterior import Posterior, gap_sd
from league.ratings.fit.prior import Edges, Index
from league.ratings.fit.residuals import PairResiduals, pair_residuals

_STEPS = (0.9, 2), (0.0, 8)
"""Steps from an effective share of the draws on: the closer the approximation, the fewer. Measured on unbeaten players
of 6 to 36 matches: the lower 2.5% point and the median are within 3% of the exact posterior after 2 steps; the upper
2.5% point, which rests on the prior, misses it by 4 to 11% after 8 steps and by 1 to 7% after 30."""
_TRIES = 6
"""Angles that a step tries before it stays, which leaves the posterior invariant too: each halves the ellipse about."""
_CHUNK = 60_000
"""Residuals that are computed together: they then stay in the processor's cache."""
Features = list[Any]


@dataclass(frozen=True)
class ModelDraws:
    """Unknowns (P, D) of one model, and the effective share of the approximation's draws: the size of the sample that
    they are worth as weighted draws of the exact posterior (Kish 1965; for log-normal weights), 1 if the two are equal.
    """

    x: Array
    effective: float


class Approximation(NamedTuple):
    """A normal approximation of the unknowns: its mean `x` (P,), `noise` (P, number) around it, the `slopes` (W, P) of
    the mean by each log width, and the standard deviation `spread` (C,) of every comparison's gap.
    """

    x: Array
    noise: Callable[[np.random.Generator, int], Array]
    slopes: Array
    spread: Array


def sample(
    model: Model, at: Posterior, weight: Array, number: int, doubt: float, seed: int, steps: int | None = None
) -> ModelDraws:
    """Returns draws around the fit `at` of the counts with this `weight` (C,). `doubt`: standard deviation of the log
    width of all priors together, beside that of each. `steps`: their number; None: by `_STEPS`.
    """
    size, hyper = len(at.x), model.prior.widths
    root = np.asarray(np.linalg.cholesky(at.covariance), np.float64)
    slopes = np.array([one.slope(at.x, at.covariance) for one in hyper]).reshape(len(hyper), size)
    around = Approximation(
        at.x, lambda rng, some: root @ rng.standard_normal((size, some)), slopes, gap_sd(model.design, at.covariance)
    )
    drawn = sample_around(model, around, weight, number, doubt, seed, steps)
    if model.method.intervals == "sandwich":
        mean = drawn.x.mean(1, keepdims=True)
        drawn = ModelDraws(mean + _widening(model, at, weight, root) @ (drawn.x - mean), drawn.effective)
    return drawn


def sample_around(
    model: Model, at: Approximation, weight: Array, number: int, doubt: float, seed: int, steps: int | None = None
) -> ModelDraws:
    """`sample` from any normal approximation."""
    rng, hyper = np.random.default_rng(seed), model.prior.widths
    noise = at.noise(rng, (number + 1) // 2)
    around = np.concatenate([noise, -noise], 1)[:, :number]
    logs = rng.standard_normal((len(hyper), number)) * np.array([[one.variance**0.5] for one in hyper])
    logs += doubt * rng.standard_normal(number)
    target = _Target(model, at, pair_residuals(model.design, model.counts.n * weight, at.x, at.spread), logs)
    x, effective = _walk(target, around, rng, steps)
    _draw_absent(model, x, logs[0], rng)
    return ModelDraws(x, effective)


def _draw_absent(model: Model, x: Array, logs: Array, rng: np.random.Generator) -> None:
    """Draw the skills of players without a match in `x` (P, D) anew. Given the prior's width, whose logarithm is off by
    `logs` (D,), they are normal around the mean of a group. A few steps do not go from one width to another: measured,
    5 to 6 players of a game, 95% intervals covered 82 to 93% of those who missed it.
    """
    width, number = model.prior.widths[0], x.shape[1]
    absent = model.absent()
    share = np.ones((len(model.founders), 1)) if model.prior.groups is None else model.prior.groups.share
    spread = np.exp(width.z + logs)
    for player, shares in zip(absent.tolist(), share[np.isin(model.founders, absent)], strict=True):
        group = model.over[rng.choice(len(shares), number, p=shares / shares.sum())]
        x[player] = x[group, np.arange(number)] + spread * rng.standard_normal(number)


def _widening(model: Model, at: Posterior, weight: Array, root: Array) -> Array:
    """Returns the matrix (P, P) that turns the posterior's covariance into the sandwich (Shaby, "The open-faced
    sandwich adjustment for MCMC using estimating functions", 2014).
    """
    meat = dispersion.meat(model.counts, weight, model.design, at.x) + model.prior.matrix()
    other = np.linalg.cholesky(at.covariance @ meat @ at.covariance)
    out: Array = np.linalg.solve(root.T, other.T).T
    return out


class _Target:
    """The log ratio of the exact posterior to the approximation, given the hyperparameters of each draw.

    A point is `centre` plus a deviation. The ratio is a sum of residuals of pairs, a linear term, and squares of the
    prior's edges, whose gaps are linear in the point: along an ellipse, all but the residuals is a polynomial of cosine
    and sine.
    """

    def __init__(self, model: Model, at: Approximation, pairs: PairResiduals, logs: Array) -> None:
        self._pairs, self._logs = pairs, logs
        self._moved = 2.0 * np.tanh(0.5 * logs)  # far out a straight line would reverse gaps
        self.centre = at.x[:, None] + at.slopes.T @ self._moved
        self._widths = list(model.prior.widths)
        self._force = np.stack([2.0 * width.alpha * width.edges.pull(at.x) for width in self._widths])
        self._offset = (self._force @ at.x) @ self._moved
        self._at_centre = self.features(self.centre)

    def features(self, x: Array) -> Features:
        """Returns linear functions of x (P, D), (., D) each: the pairs' gaps, then what the polynomial needs."""
        gaps = (x[self._pairs.a] - x[self._pairs.b]).astype(np.float32)
        out = [gaps, (self._moved * (self._force @ x)).sum(0)]
        return out + [_weighed(width.edges, x) for width in self._widths]

    def polynomial(self, now: Features, other: Features) -> Array:
        """Returns (6, D) coefficients of 1, c, s, c c, s s, c s at the angle with cosine c and sine s."""
        three = self._at_centre, now, other
        out = np.stack([self._offset - three[0][1], -now[1], -other[1], *np.zeros((3, now[0].shape[1]))])
        for k, width in enumerate(self._widths):
            scale = 0.5 * width.alpha * (1.0 - np.exp(-2.0 * self._logs[k]))
            zero, one, two = (part[2 + k] for part in three)
            terms = (zero, zero, 1.0), (zero, one, 2.0), (zero, two, 2.0), (one, one, 1.0), (two, two, 1.0)
            for row, (a, b, times) in enumerate((*terms, (one, two, 2.0))):
                out[row] += scale * times * np.einsum("ed,ed->d", a, b)
        return out

    def ratio(self, now: Features, other: Features, polynomial: Array, angle: Array, rows: Index) -> Array:
        """Returns the log ratio of the draws `rows` at their angles."""
        cos, sin = np.cos(angle[rows]), np.sin(angle[rows])
        out = polynomial[:, rows]
        total: Array = out[0] + out[1] * cos + out[2] * sin + out[3] * cos**2 + out[4] * sin**2 + out[5] * cos * sin
        size = max(1, _CHUNK // max(len(self._pairs.a), 1))
        for start in range(0, len(rows), size):
            part = slice(start, start + size)
            some, c, s = rows[part], cos[part].astype(np.float32), sin[part].astype(np.float32)
            centre, here, there = (gaps.take(some, 1) for gaps in (self._at_centre[0], now[0], other[0]))
            total[part] += self._pairs.at(centre + c * here + s * there)
        return total


def _weighed(edges: Edges, x: Array) -> Array:
    gap = edges.difference(x)
    return gap if edges.share is None else gap * np.sqrt(edges.share)[:, None]


def _walk(target: _Target, around: Array, rng: np.random.Generator, most: int | None) -> tuple[Array, float]:
    """Returns points (P, D) and the effective share of the start."""
    start, number = target.features(around), around.shape[1]
    now, at, ratio = start, around, np.zeros(0)
    steps, step, effective = 1, 0, 1.0
    while step < steps:
        shift = 1 + (37 * step) % max(number // 2 - 1, 1)  # another draw of the approximation
        other = target.features(np.roll(around, shift, 1))
        polynomial = target.polynomial(now, other)
        if not step:
            everyone, zero = np.arange(number), np.zeros(number)
            ratio = target.ratio(now, other, polynomial, zero, everyone)
            elsewhere = target.ratio(now, other, polynomial, zero + 0.5 * pi, everyone)
            effective = float(np.exp(-0.5 * np.var(ratio - elsewhere)))  # at the same hyperparameters
            steps = most or next(number for share, number in _STEPS if effective >= share)
        angle, ratio = _angles(target, (now, other, polynomial), ratio, rng)
        at = np.cos(angle) * at + np.sin(angle) * np.roll(around, shift, 1)
        now, step = target.features(at), step + 1
    return target.centre + at, effective


def _angles(
    target: _Target, ellipse: tuple[Features, Features, Array], ratio: Array, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Returns the angle (D,) that each draw goes around its ellipse, and the ratio there."""
    number = len(ratio)
    floor = ratio + np.log(rng.random(number))
    angle = rng.uniform(0.0, 2.0 * pi, number)
    low, high, ratio = angle - 2.0 * pi, angle.copy(), ratio.copy()
    rows = np.arange(number)
    for _ in range(_TRIES):
        new = target.ratio(*ellipse, angle, rows)
        accepted = new >= floor[rows]
        ratio[rows[accepted]] = new[accepted]
        rows = rows[~accepted]
        if not len(rows):
            return angle, ratio
        below = angle[rows] < 0.0
        low[rows[below]], high[rows[~below]] = angle[rows[below]], angle[rows[~below]]
        angle[rows] = low[rows] + (high[rows] - low[rows]) * rng.random(len(rows))
    angle[rows] = 0.0
    return angle, ratio
