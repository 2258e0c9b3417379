"""The maximum a posteriori point of a comparison model and the curvature there, by Newton's method.

Unknowns x (P,): one per node (players, or players in roles, then hidden nodes), one per seat of each game, and the log
draw margin of each game that drew. A comparison is x[a] - x[b] + x[seat a] - x[seat b] against a margin.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from league.ratings.fit.groups import Groups
from league.ratings.fit.links import CURVES, TERMS, Array, Curve, Link
from league.ratings.fit.prior import Index, Width

log = logging.getLogger(__name__)

_STEP = 2.0
"""Largest change of an unknown in one iteration, in the link's unit (about two standard deviations of a match)."""
_TOLERANCE = 1e-3
_ROUGH = 0.03
"""The last step in x while the widths have not converged."""
_WIDTH_TOLERANCE = 2e-3
_SHARE = 0.2
"""The weight of a change of a player's share, relative to a change of a log width."""
_ROUNDS = 40
_POINT, _WIDE = 0.1, 1.0
"""Largest standard deviations of a gap, in the link's unit, for averages with one and with three nodes."""
_EVIDENCE_NODES = 7
_ITERATIONS = 60
_FEW = 100
"""Unknowns up to which an inverse costs less than the likelihood."""
_SLOWEST = 0.05
_CHUNK = 200_000
"""Comparisons that are averaged at once: a match between millions of pairs would take gigabytes."""


class UnknownGroup(NamedTuple):
    """Cells that share both seats and the margin: `rows` of the columns, then places in x."""

    rows: Any
    seat_a: int
    seat_b: int
    margin: int


@dataclass(frozen=True)
class Design:
    """The unknowns of each comparison. `a`, `b`, `seat_a`, `seat_b`: (C,) places in x; `margin`: (C,) places
    of log margins, or P in games without draws. P = `size`. `covariates` (K, C): numbers of each comparison that move
    its gap, as much as the unknowns from the place `effect` on say.
    """

    size: int
    a: Index
    b: Index
    seat_a: Index
    seat_b: Index
    margin: Index
    link: Link
    covariates: Array = field(default_factory=lambda: np.zeros((0, 0)))
    effect: int = 0
    groups: tuple[UnknownGroup, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        keys = (self.seat_a * (self.size + 1) + self.seat_b) * (self.size + 1) + self.margin
        distinct, inverse = np.unique(keys, return_inverse=True)
        rows = [slice(None)] if len(distinct) == 1 else [np.flatnonzero(inverse == k) for k in range(len(distinct))]
        first = np.unique(keys, return_index=True)[1]
        ends = [(int(self.seat_a[i]), int(self.seat_b[i]), int(self.margin[i])) for i in first]
        object.__setattr__(self, "groups", tuple(UnknownGroup(r, *e) for r, e in zip(rows, ends, strict=True)))

    def gaps(self, x: Array) -> tuple[Array, Array]:
        """Returns skill gap and draw margin of every comparison, (C,) each."""
        t = np.exp(np.append(x, -np.inf)[self.margin])
        d = x[self.a] - x[self.b] + x[self.seat_a] - x[self.seat_b]
        if len(self.covariates):
            d = d + x[self.effects] @ self.covariates
        return d, t

    @property
    def effects(self) -> slice:
        """Places of the covariates' effects."""
        return slice(self.effect, self.effect + len(self.covariates))

    def collect(self, gap: Array, margin: Array) -> Array:
        """Returns the gradient by x (P,), from derivatives by gap and log margin, (C,) each."""
        n = self.size
        out: Array = np.asarray(np.bincount(self.a, gap, n) - np.bincount(self.b, gap, n), np.float64)
        for rows, seat_a, seat_b, place in self.groups:
            total = gap[rows].sum()
            out[seat_a] += total
            out[seat_b] -= total
            if place < n:
                out[place] += margin[rows].sum()
        if len(self.covariates):
            out[self.effects] += self.covariates @ gap
        return out

    def information(self, gap: Array, mixed: Array, margin: Array) -> Array:
        """Returns the information matrix (P, P), from negated second derivatives, (C,) each."""
        n = self.size
        across = np.bincount(self.a * n + self.b, gap, n * n).reshape(n, n)
        out: Array = np.asarray(-across - across.T, np.float64)
        for rows, seat_a, seat_b, place in self.groups:
            a, b, here = self.a[rows], self.b[rows], gap[rows]
            of_a, of_b = np.bincount(a, here, n), np.bincount(b, here, n)
            out.flat[:: n + 1] += of_a + of_b
            if seat_a != seat_b:
                row, total = of_a - of_b, here.sum()
                for seat, sign in ((seat_a, 1.0), (seat_b, -1.0)):
                    out[seat] += sign * row
                    out[:, seat] += sign * row
                    out[seat, seat] += total
                out[seat_a, seat_b] -= total
                out[seat_b, seat_a] -= total
            if place < n:
                cross = mixed[rows]
                row = np.bincount(a, cross, n) - np.bincount(b, cross, n)
                row[seat_a] += cross.sum()
                row[seat_b] -= cross.sum()
                row[place] = 0.5 * margin[rows].sum()
                out[place] += row
                out[:, place] += row
        for number, column in enumerate(self.covariates):
            self._relate(out, self.effect + number, column, gap, mixed)
        return out

    def _relate(self, out: Array, effect: int, column: Array, gap: Array, mixed: Array) -> None:
        """Add the information about the effect of one covariate and all other unknowns."""
        n, weighed = self.size, gap * column
        row = np.bincount(self.a, weighed, n) - np.bincount(self.b, weighed, n)
        for rows, seat_a, seat_b, place in self.groups:
            row[seat_a] += weighed[rows].sum()
            row[seat_b] -= weighed[rows].sum()
            if place < n:
                row[place] += (mixed * column)[rows].sum()
        out[effect] += row
        out[:, effect] += row
        out[effect, self.effects] += self.covariates @ weighed


class Likelihood(NamedTuple):
    """Gradient (P,) and observed information (P, P) of the log likelihood at one x."""

    gradient: Array
    information: Array


def gap_sd(design: Design, covariance: Array) -> Array:
    """Returns (C,) standard deviation of every comparison's skill gap."""
    a, b, variance = design.a, design.b, np.diag(covariance)
    out: Array = np.sqrt(np.maximum(variance[a] + variance[b] - 2.0 * covariance[a, b], 0.0))
    return out


@functools.cache
def nodes(number: int) -> tuple[Array, Array]:
    """Returns Gauss-Hermite points (number, 1) and weights (number,) for a standard normal."""
    points, weights = np.polynomial.hermite_e.hermegauss(number)
    return points[:, None], weights / weights.sum()


def nodes_for(sd: Array) -> int:
    """Returns how many nodes an average over gaps with these standard deviations takes."""
    widest = float(sd.max(initial=0.0))
    return 1 if widest < _POINT else 3 if widest < _WIDE else 11 if widest < 3.0 * _WIDE else 41


def _curve(design: Design, counts: Array, x: Array, sd: Array | None, number: int) -> tuple[Curve, Array]:
    """Returns the curve of `likelihood`, and the draw margins (C,)."""
    d, t = design.gaps(x)
    if sd is None or number == 1:
        return CURVES[design.link](d, t, *counts), t
    points, weights = nodes(number)
    curve, parts = CURVES[design.link], []
    for start in range(0, len(d) or 1, _CHUNK):
        part = slice(start, start + _CHUNK)
        parts.append([weights @ one for one in curve(d[part] + points * sd[part], t[part], *counts[:, part])])
    return Curve(*(np.concatenate(columns) for columns in zip(*parts, strict=True))), t


def score(design: Design, counts: Array, x: Array, sd: Array | None, number: int) -> Array:
    """Returns the gradient (P,) of `likelihood`."""
    curve, t = _curve(design, counts, x, sd, number)
    return design.collect(curve.gap, t * curve.margin)


def derivatives(design: Design, counts: Array, x: Array, sd: Array | None, number: int) -> Curve:
    """Returns the derivatives of `likelihood` by the gap and the log margin of every comparison."""
    curve, t = _curve(design, counts, x, sd, number)
    margin = t * curve.margin  # by log t: first t times, then t^2 times the second and t times the first derivative
    margin2, safe = t * t * curve.margin2 - margin, t * t * curve.margin2 - np.minimum(margin, 0.0)
    if margin2.sum() < 0.25 * safe.sum():  # far from the maximum the whole term could reverse the step
        margin2 = safe
    return Curve(curve.gap, margin, curve.gap2, t * curve.mixed, margin2)


def likelihood(design: Design, counts: Array, x: Array, sd: Array | None = None, number: int = 3) -> Likelihood:
    """The likelihood of weighted counts (3, C) of wins, draws and losses at x. With `sd` (C,) it is averaged over gaps
    that are normal around x with these standard deviations, by quadrature with `number` nodes.
    """
    curve = derivatives(design, counts, x, sd, number)
    information = design.information(curve.gap2, curve.mixed, curve.margin2)
    return Likelihood(design.collect(curve.gap, curve.margin), information)


@dataclass
class Prior:
    """Edges with widths to estimate, and independent normals x ~ N(mean, 1 / precision), with precision 0 for no prior.

    `groups`: the players' shares in several groups, estimated too.
    """

    widths: Sequence[Width]
    mean: Array
    precision: Array
    groups: Groups | None = None

    def matrix(self) -> Array:
        """Returns (P, P) precision."""
        out = np.diag(self.precision)
        for width in self.widths:
            width.edges.add_precision(out, width.alpha)
        return out

    def gradient(self, x: Array) -> Array:
        """Returns the gradient of the log density."""
        out: Array = self.precision * (self.mean - x)
        for width in self.widths:
            out -= width.alpha * width.edges.pull(x)
        return out

    def evidence(self, x: Array, covariance: Array) -> float:
        """Returns the expected log density under N(x, covariance), with the widths and groups integrated out."""
        variances, informative = np.diag(covariance), self.precision > 0.0
        off = (x - self.mean) ** 2 + variances
        total = 0.5 * float(
            (np.log(self.precision[informative]) - self.precision[informative] * off[informative]).sum()
        )
        for width in self.widths:
            total += width.evidence(x, covariance)
        return total + (self.groups.evidence() if self.groups else 0.0)


@dataclass(frozen=True)
class Posterior:
    """N(x, covariance), (P,) and (P, P); the likelihood's part of the precision; and the number of iterations."""

    x: Array
    covariance: Array
    information: Array
    iterations: int


def evidence(design: Design, counts: Array, prior: Prior, posterior: Posterior) -> float:
    """A lower bound of the log probability of the matches under the model (the evidence lower bound of variational
    inference with the Gaussian `posterior`), up to a constant that depends on the matches only.
    """
    points, weights = nodes(_EVIDENCE_NODES)
    d, t = design.gaps(posterior.x)
    terms, sd = TERMS[design.link], gap_sd(design, posterior.covariance)
    expected = sum(
        float(w * (counts.T * np.log(np.maximum(terms(d + z * sd, t).p, 1e-300))).sum())
        for z, w in zip(points[:, 0], weights, strict=True)
    )
    _, size = np.linalg.slogdet(posterior.covariance)
    return expected + prior.evidence(posterior.x, posterior.covariance) + 0.5 * float(size) + 0.5 * design.size


def solve(
    design: Design, counts: Array, prior: Prior, start: Array | Posterior, *, spread: bool = True, estimate: bool = True
) -> Posterior:
    """Returns a Gaussian approximation of the posterior, by Newton's method. Deterministic.

    With `spread`, gradient and curvature are averaged over the Gaussian itself (the variational approximation with full
    covariance; Opper and Archambeau 2009): with few matches, the mode and its curvature understate the possible skill
    of an unbeaten player and the spread of the players. Without it, the result is the maximum a posteriori. With
    `estimate`, the prior's widths are updated too. If the iteration does not converge, it logs this and returns the
    last point.
    """
    at = start if isinstance(start, Posterior) else Posterior(start, np.empty(0), np.empty(0), 0)
    at = replace(at, iterations=0)
    if spread and not len(at.covariance):  # near the maximum first, where the spread is known
        at = _converge(design, counts, prior, at, False, _ROUGH)
    tolerance = _ROUGH
    for _ in range(_ROUNDS):
        at = _converge(design, counts, prior, at, spread, tolerance if estimate else _TOLERANCE)
        if not estimate:
            return at
        moved, x = 0.0, at.x
        for one in prior.widths:
            slope = one.slope(at.x, at.covariance)
            change = one.step(at.x, at.covariance)
            x = x + slope * change  # the maximum moves with the width
            moved = max(moved, abs(change))
        if prior.groups is not None:
            moved = max(moved, _SHARE * prior.groups.step(x, at.covariance))
        if moved < _WIDTH_TOLERANCE and tolerance == _TOLERANCE:
            return at
        tolerance = min(_ROUGH, max(_TOLERANCE, 0.1 * moved))
        at = replace(at, x=x)
    log.info("the widths of the rating prior did not converge in %d rounds; last change %.3g", _ROUNDS, moved)
    return at


def inverted(matrix: Array) -> Array:
    """Returns the inverse (P, P) of a symmetric matrix; a positive definite one in a third of the time of others."""
    from scipy.linalg.lapack import dpotrf, dpotri

    root, failed = dpotrf(matrix.T, lower=1, clean=0)  # the transpose has the order that LAPACK expects
    if failed:
        return np.asarray(np.linalg.inv(matrix), np.float64)
    out: Array = dpotri(root, lower=1, overwrite_c=1)[0]
    np.copyto(out, out.T, where=np.tri(len(out), k=-1, dtype=bool).T)
    return out


def _approach(
    design: Design, counts: Array, prior: Prior, at: Posterior, spread: tuple[Array, int], tolerance: float
) -> Array:
    """Returns a point near the maximum, by steps with the covariance of the start: among many unknowns, an inverse
    costs more than the likelihood.
    """
    x, last = at.x, np.inf
    while True:
        step = at.covariance @ (score(design, counts, x, *spread) + prior.gradient(x))
        largest = float(np.abs(step).max(initial=0.0))
        if largest > min(_STEP, 0.5 * last):
            return x
        x, last = x + step, largest
        if largest < 0.3 * tolerance:
            return x


def _converge(design: Design, counts: Array, prior: Prior, at: Posterior, spread: bool, tolerance: float) -> Posterior:
    """`solve` for fixed widths, starting from `at`."""
    precision, x = prior.matrix(), at.x
    sd = gap_sd(design, at.covariance) if spread else None
    number = 1 if sd is None else nodes_for(sd)
    if sd is not None and design.size > _FEW:
        x = _approach(design, counts, prior, at, (sd, number), tolerance)
    factor, last = 1.0, np.inf
    for iteration in range(at.iterations + 1, at.iterations + _ITERATIONS):
        here = likelihood(design, counts, x, sd, number)
        inverse = inverted(here.information + precision)
        step = inverse @ (here.gradient + prior.gradient(x))
        largest = float(np.abs(step).max(initial=0.0))
        factor = max(_SLOWEST, 0.5 * factor) if largest > last else min(1.0, 1.3 * factor)
        if sd is not None:  # damped, as wide ones would oscillate
            share = min(factor, 1.0 if number <= 3 else 0.65)
            sd = (1.0 - share) * sd + share * gap_sd(design, inverse)
        x = x + step * min(factor, _STEP / largest if largest else 1.0)
        last = largest
        if largest < tolerance:
            return Posterior(x, inverse, here.information, iteration)
    if spread:  # unusual data, such as wins only: the maximum always exists
        log.info("the rating fit with spread did not converge; the intervals are those at the maximum")
        return _converge(design, counts, prior, at, False, tolerance)
    log.info("the rating fit stopped after %d iterations; last change %.3g", _ITERATIONS, largest)
    return Posterior(x, inverse, here.information, iteration)
