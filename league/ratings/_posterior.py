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

from league.ratings._groups import Groups
from league.ratings._link import CURVES, TERMS, Array, Curve, Link
from league.ratings._prior import Index, Loading, Width

log = logging.getLogger(__name__)

_STEP = 2.0
"""Largest change of an unknown in one iteration, in the link's unit (about two standard deviations of a match)."""
_TOLERANCE = 1e-3
_ROUGH = 0.03
"""The last step in x: at the end, and while the widths are still far off."""
_WIDTH_TOLERANCE = 2e-3
_SHARE = 0.2
"""How much of a log width's change a change of a player's share of a group is taken for."""
_ROUNDS = 40
_POINT, _WIDE = 0.1, 1.0
"""Standard deviation of a gap, in the link's unit, below which one node averages a likelihood well, or three do."""
_EVIDENCE_NODES = 7
_ITERATIONS = 60
_SLOWEST = 0.05


class Group(NamedTuple):
    """Cells that share both seats and the margin: `rows` of the columns, then places in x."""

    rows: Any
    seat_a: int
    seat_b: int
    margin: int


@dataclass(frozen=True)
class Design:
    """Which unknowns each comparison is about. `a`, `b`, `seat_a`, `seat_b`: (C,) places in x; `margin`: (C,) places
    of log margins, or P where the game does not draw. P = `size`.
    """

    size: int
    a: Index
    b: Index
    seat_a: Index
    seat_b: Index
    margin: Index
    link: Link
    groups: tuple[Group, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        keys = (self.seat_a * (self.size + 1) + self.seat_b) * (self.size + 1) + self.margin
        found, inverse = np.unique(keys, return_inverse=True)
        rows = [slice(None)] if len(found) == 1 else [np.flatnonzero(inverse == k) for k in range(len(found))]
        first = np.unique(keys, return_index=True)[1]
        ends = [(int(self.seat_a[i]), int(self.seat_b[i]), int(self.margin[i])) for i in first]
        object.__setattr__(self, "groups", tuple(Group(r, *e) for r, e in zip(rows, ends, strict=True)))

    def gaps(self, x: Array) -> tuple[Array, Array]:
        """Skill gap and draw margin of every comparison, (C,) each."""
        t = np.exp(np.append(x, -np.inf)[self.margin])
        d = x[self.a] - x[self.b] + x[self.seat_a] - x[self.seat_b]
        return d, t

    def collect(self, gap: Array, margin: Array) -> Array:
        """Derivatives by gap and log margin, (C,) each, as one by x: (P,)."""
        n = self.size
        out: Array = np.asarray(np.bincount(self.a, gap, n) - np.bincount(self.b, gap, n), np.float64)
        for rows, seat_a, seat_b, place in self.groups:
            total = gap[rows].sum()
            out[seat_a] += total
            out[seat_b] -= total
            if place < n:
                out[place] += margin[rows].sum()
        return out

    def information(self, gap: Array, mixed: Array, margin: Array) -> Array:
        """Negated second derivatives, (C,) each, as a (P, P) matrix."""
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
        return out


class Likelihood(NamedTuple):
    """At one x: gradient (P,) and observed information (P, P)."""

    gradient: Array
    information: Array


def gap_sd(design: Design, covariance: Array) -> Array:
    """(C,) standard deviation of every comparison's skill gap."""
    a, b, variance = design.a, design.b, np.diag(covariance)
    out: Array = np.sqrt(np.maximum(variance[a] + variance[b] - 2.0 * covariance[a, b], 0.0))
    return out


@functools.cache
def nodes(number: int) -> tuple[Array, Array]:
    """Gauss-Hermite points (number, 1) and weights (number,) for a standard normal."""
    points, weights = np.polynomial.hermite_e.hermegauss(number)
    return points[:, None], weights / weights.sum()


def likelihood(design: Design, counts: Array, x: Array, sd: Array | None = None, number: int = 3) -> Likelihood:
    """Of weighted counts (3, C) of wins, draws and losses, at x, or averaged over gaps that are normal around x with
    standard deviations `sd` (C,), by quadrature with so many nodes.
    """
    d, t = design.gaps(x)
    if sd is None or number == 1:
        curve = CURVES[design.link](d, t, *counts)
    else:
        points, weights = nodes(number)
        curve = Curve(*(weights @ part for part in CURVES[design.link](d + points * sd, t, *counts)))
    margin = t * curve.margin  # by log t: first t times, then t^2 times the second and t times the first derivative
    margin2, safe = t * t * curve.margin2 - margin, t * t * curve.margin2 - np.minimum(margin, 0.0)
    if margin2.sum() < 0.25 * safe.sum():  # far from the maximum, where the whole term could turn the step around
        margin2 = safe
    information = design.information(curve.gap2, t * curve.mixed, margin2)
    return Likelihood(design.collect(curve.gap, margin), information)


@dataclass
class Prior:
    """Edges with widths to estimate, and independent normals: x ~ N(mean, 1 / precision), precision 0 where none.

    `groups`: to which of several groups each player belongs, estimated too. `loadings`: of the edges of some widths.
    """

    widths: Sequence[Width]
    mean: Array
    precision: Array
    groups: Groups | None = None
    loadings: Sequence[Loading] = ()

    @property
    def estimated(self) -> tuple[Width | Loading, ...]:
        """All that is fitted beside the unknowns, but for the groups."""
        return *self.widths, *self.loadings

    def matrix(self) -> Array:
        """(P, P) precision."""
        out = np.diag(self.precision)
        for width in self.widths:
            width.edges.add_precision(out, width.alpha)
        return out

    def gradient(self, x: Array) -> Array:
        """Of the log density."""
        out: Array = self.precision * (self.mean - x)
        for width in self.widths:
            out -= width.alpha * width.edges.pull(x)
        return out

    def evidence(self, x: Array, covariance: Array) -> float:
        """The expected log density under N(x, covariance) plus what the widths and groups add, integrated out."""
        own, known = np.diag(covariance), self.precision > 0.0
        off = (x - self.mean) ** 2 + own
        total = 0.5 * float((np.log(self.precision[known]) - self.precision[known] * off[known]).sum())
        for width in self.widths:
            total += width.evidence(x, covariance)
        total += sum(loading.evidence() for loading in self.loadings)
        return total + (self.groups.evidence() if self.groups else 0.0)


@dataclass(frozen=True)
class Posterior:
    """N(x, covariance), (P,) and (P, P); the likelihood's part of the precision; and the iterations it took."""

    x: Array
    covariance: Array
    information: Array
    iterations: int


def evidence(design: Design, counts: Array, prior: Prior, found: Posterior) -> float:
    """Log of the matches' probability under the model, bounded from below by the Gaussian found for it (the evidence
    lower bound of variational inference), up to a constant of the matches.
    """
    points, weights = nodes(_EVIDENCE_NODES)
    d, t = design.gaps(found.x)
    terms, sd = TERMS[design.link], gap_sd(design, found.covariance)
    expected = sum(
        float(w * (counts.T * np.log(np.maximum(terms(d + z * sd, t).p, 1e-300))).sum())
        for z, w in zip(points[:, 0], weights, strict=True)
    )
    _, size = np.linalg.slogdet(found.covariance)
    return expected + prior.evidence(found.x, found.covariance) + 0.5 * float(size) + 0.5 * design.size


def solve(
    design: Design, counts: Array, prior: Prior, start: Array | Posterior, *, spread: bool = True, estimate: bool = True
) -> Posterior:
    """The Gaussian nearest to the posterior, by Newton's method. Deterministic.

    With `spread` gradient and curvature are averaged over the Gaussian itself (the variational approximation with full
    covariance; Opper and Archambeau 2009): where matches are few, the mode and its curvature understate how good an
    unbeaten player may be and how wide the pool is. Without it: the maximum a posteriori. With `estimate` the
    prior's widths are stepped along. Where it does not settle that is logged and the last point returned.
    """
    at = start if isinstance(start, Posterior) else Posterior(start, np.empty(0), np.empty(0), 0)
    at = replace(at, iterations=0)
    if spread and not len(at.covariance):  # near the maximum first, where the spread is known
        at = _settle(design, counts, prior, at, False, _ROUGH)
    tolerance = _ROUGH
    for _ in range(_ROUNDS):
        at = _settle(design, counts, prior, at, spread, tolerance if estimate else _TOLERANCE)
        if not estimate:
            return at
        moved, x = 0.0, at.x
        for one in prior.estimated:
            slope = one.slope(at.x, at.covariance)
            change = one.step(at.x, at.covariance)
            x = x + slope * change  # where the centre goes with the width
            moved = max(moved, abs(change))
        if prior.groups is not None:
            moved = max(moved, _SHARE * prior.groups.step(x, at.covariance))
        if moved < _WIDTH_TOLERANCE and tolerance == _TOLERANCE:
            return at
        tolerance = min(_ROUGH, max(_TOLERANCE, 0.1 * moved))
        at = replace(at, x=x)
    log.info("the widths of the rating prior did not settle in %d rounds; last change %.3g", _ROUNDS, moved)
    return at


def _settle(design: Design, counts: Array, prior: Prior, at: Posterior, spread: bool, tolerance: float) -> Posterior:
    """`solve` for given widths, from a point on."""
    precision, x = prior.matrix(), at.x
    sd = gap_sd(design, at.covariance) if spread else None
    widest = 0.0 if sd is None else float(sd.max(initial=0.0))
    number = 1 if widest < _POINT else 3 if widest < _WIDE else 11 if widest < 3.0 * _WIDE else 41
    factor, last = 1.0, np.inf
    for iteration in range(at.iterations + 1, at.iterations + _ITERATIONS):
        here = likelihood(design, counts, x, sd, number)
        inverse: Array = np.asarray(np.linalg.inv(here.information + precision), np.float64)
        step = inverse @ (here.gradient + prior.gradient(x))
        largest = float(np.abs(step).max(initial=0.0))
        factor = max(_SLOWEST, 0.5 * factor) if largest > last else min(1.0, 1.3 * factor)
        if sd is not None:  # wide ones would swing to and fro
            share = min(factor, 1.0 if number <= 3 else 0.65)
            sd = (1.0 - share) * sd + share * gap_sd(design, inverse)
        x = x + step * min(factor, _STEP / largest if largest else 1.0)
        last = largest
        if largest < tolerance:
            return Posterior(x, inverse, here.information, iteration)
    if spread:  # odd data, such as a gauntlet of nothing but wins: the maximum is always to be had
        log.info("the spread of the rating fit did not settle; its intervals are those at the maximum")
        return _settle(design, counts, prior, at, False, tolerance)
    log.info("the rating fit stopped after %d iterations; last change %.3g", _ITERATIONS, largest)
    return Posterior(x, inverse, here.information, iteration)
