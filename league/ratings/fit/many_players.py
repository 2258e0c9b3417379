"""The fit of a field of many players, in which a matrix of all pairs is never inverted.

Newton's method solves sparse systems (`sparse_precision`). Widths are estimated as in the fit of few players; the
traces that they need come from random probes (Hutchinson, "A stochastic estimator of the trace of the influence matrix
for Laplacian smoothing splines", 1990). All statements come from draws: there is no covariance. Left out: several
groups of players, and how far a wider prior moves each rating.
"""

from __future__ import annotations

from dataclasses import replace
from math import log
from zlib import crc32

import numpy as np

from league.ratings.fit import dispersion
from league.ratings.fit.averaging import WIDER, FitState, shift_share
from league.ratings.fit.elliptical_slice import Approximation, sample_around
from league.ratings.fit.fit import Fit
from league.ratings.fit.links import Array, Curve
from league.ratings.fit.model import Model
from league.ratings.fit.moved import Origin
from league.ratings.fit.posterior import Posterior, derivatives, nodes_for
from league.ratings.fit.prior import Edges, Width
from league.ratings.fit.skill_draws import LIVE
from league.ratings.fit.sparse_precision import Meetings, Precision, Solver

MANY = 1500
"""Players above which a field is fitted like this: the inverses of the other fit take seconds for 1,000 players
and grow with the cube of their number."""
_PROBES = 8
"""Random signs per edge behind a trace, whose relative error falls with the number of players too; not measured."""
_TOLERANCE, _ROUGH, _WIDTH_TOLERANCE = 2e-3, 0.03, 4e-3
_EXACT, _LOOSE = 1e-4, 1e-2
"""Tolerances of linear systems: of what is reported, and of a step that the next one corrects."""
_NEWTON, _ROUNDS, _STEP = 40, 20, 2.0
_MOST_NODES = 11


def fit_many(base: Model, start: Fit | None = None) -> Fit:
    """Returns the fit of a model with one group, from `start` if that was of nearly the same matches."""
    state = start.state if start is not None and start.state is not None and start.state.key == base.key() else None
    x = base.mean.copy()
    if state is not None:
        at, logs, _ = state.models[0]
        x = at.x
        for width, z in zip(base.prior.widths, logs, strict=True):
            width.restart(z)
    field = _Field(base, x)
    field.solve()
    spread = field.dispersion()
    if (np.abs(spread - 1.0) > 1e-3).any():
        for width in base.prior.widths:
            width.restart(width.z)
        field.weight = base.weight(spread)
        field.solve()
    skills, solver = field.draws()
    kept = Posterior(field.x, np.empty(0), np.empty(0), field.iterations)
    none = np.zeros(0)
    origin = Origin(field.x, spread, none, none, none)
    state = FitState(base.key(), ((kept, tuple(width.z for width in base.prior.widths), None),), origin)
    return replace(
        base.report(field.x, np.empty((0, 0)), solver.others, spread),
        number=LIVE,
        iterations=field.iterations,
        state=state,
        sampler=lambda _: skills,
        beta=base.method.beta,
    )


class _Field:
    """The point `x` (P,) of the fit, the standard deviation of every gap there, and what they are computed from."""

    def __init__(self, base: Model, x: Array) -> None:
        self._base, self._design, self._prior = base, base.design, base.prior
        self._meetings = Meetings(base.design, base.prior, base.n)
        self.x, self.weight, self.iterations = x, base.counts.weight, 0
        self._sd: Array | None = None
        self._reach: Array | None = None
        self._nodes = 1
        rng = np.random.default_rng(0)
        ends: list[Array] = [rng.choice((-1.0, 1.0), (len(w.edges.child), _PROBES)) for w in base.prior.widths]
        self._signs = ends
        self._probes = [_adjoint(w.edges, z, base.design.size) for w, z in zip(base.prior.widths, ends, strict=True)]
        self._answers: list[Array | None] = [None for _ in ends]
        self.traces = [0.0 for _ in ends]
        self.slopes = np.zeros((len(ends), base.design.size))

    def solve(self) -> None:
        """Go to the maximum, with the prior's widths estimated."""
        tolerance = _ROUGH
        for _ in range(_ROUNDS):
            solver = self._maximum(tolerance)
            changes = [self._step(k, width, solver) for k, width in enumerate(self._prior.widths)]
            for slope, change in zip(self.slopes, changes, strict=True):
                self.x = self.x + change * slope
            moved = max(map(abs, changes), default=0.0)
            if moved < _WIDTH_TOLERANCE and tolerance == _TOLERANCE:
                return
            tolerance = min(_ROUGH, max(_TOLERANCE, 0.1 * moved))

    def dispersion(self) -> Array:
        """Returns the dispersion of every game (G,)."""
        counts, solver = self._base.counts, self._solver(self._precision(self._curve()), _EXACT)
        pull = sum(w.alpha * trace for w, trace in zip(self._prior.widths, self.traces, strict=True))
        pull += float(self._prior.precision[self._base.n :] @ np.diag(solver.others))
        total = float((counts.n.sum(0) * counts.weight).sum())
        freedom = max(0.2, 1.0 - (self._design.size - pull) / max(total, 1.0))
        return dispersion.dispersion(counts, self._design, self.x, freedom)

    def draws(self) -> tuple[Array, Solver]:
        """Returns ratings (n, LIVE) from the posterior, and the solver at the maximum."""
        base, precision = self._base, self._precision(self._curve())
        solver, root = self._solver(precision, _EXACT), precision.root()
        at = Approximation(
            self.x, lambda rng, some: solver.noise(root, rng, some), self.slopes, self._spread(precision)
        )
        seed, doubt = crc32("\x1f".join(base.counts.players).encode()), log(WIDER) * shift_share(base) ** 0.5
        drawn = sample_around(base, at, self.weight, LIVE, doubt, seed, 2)
        return base.ratings(drawn.x[: base.n].T).T, solver

    def _maximum(self, tolerance: float) -> Solver:
        """Go to the maximum for the widths as they are."""
        factor, last = 1.0, np.inf
        while True:
            curve = self._curve()
            precision = self._precision(curve)
            solver = self._solver(precision, _LOOSE)
            gradient = self._design.collect(curve.gap, curve.margin) + self._prior.gradient(self.x)
            step = solver(gradient[:, None])[:, 0]
            largest = float(np.abs(step).max(initial=0.0))
            factor = max(0.05, 0.5 * factor) if largest > last else min(1.0, 1.3 * factor)
            spread, first = self._spread(precision), self._sd is None
            self._sd = spread if self._sd is None else (1.0 - factor) * self._sd + factor * spread
            self.x = self.x + step * min(factor, _STEP / largest if largest else 1.0)
            self.iterations, last = self.iterations + 1, largest
            if (largest < tolerance and not first) or self.iterations % _NEWTON == 0:
                return self._solver(precision, _EXACT)

    def _solver(self, precision: Precision, tolerance: float) -> Solver:
        solver = Solver(precision, tolerance, self._reach)
        self._reach = solver.reach
        return solver

    def _curve(self) -> Curve:
        if self._sd is not None:  # never fewer than before: from one number to another and back, it would not converge
            self._nodes = max(self._nodes, min(_MOST_NODES, nodes_for(self._sd)))
        return derivatives(self._design, self._base.counts.n * self.weight, self.x, self._sd, self._nodes)

    def _precision(self, curve: Curve) -> Precision:
        return Precision.of(self._design, curve, self._prior, self._meetings)

    def _spread(self, precision: Precision) -> Array:
        """Returns (C,) the standard deviation of every gap if all other players were known: nearly right where players
        have several opponents, and exact for two that have no other.
        """
        a, b, shared = self._design.a, self._design.b, precision.links.data[self._meetings.of]
        one, other = precision.diagonal[a], precision.diagonal[b]
        out: Array = np.sqrt((one + other - 2.0 * shared) / np.maximum(one * other - shared * shared, 1e-12))
        return out

    def _step(self, number: int, width: Width, solver: Solver) -> float:
        """Take one step of a width. Returns the change of its logarithm."""
        edges = width.edges
        pull = edges.pull(self.x)
        right = np.concatenate([pull[:, None], self._probes[number]], 1)
        answers = self._answers[number] = solver(right, self._answers[number])
        self.slopes[number] = 2.0 * width.alpha * answers[:, 0]
        reached = edges.difference(answers[:, 1:])
        self.traces[number] = float((self._signs[number] * reached).sum()) / _PROBES
        if not edges.free or not len(edges.child):
            return 0.0
        gap, squares = edges.difference(self.x), float((reached * reached).sum()) / _PROBES
        return width.newton(float(gap @ gap), self.traces[number], float(pull @ answers[:, 0]), squares)


def _adjoint(edges: Edges, values: Array, size: int) -> Array:
    """Returns (size, M): the sum over edges of values (E, M) times each edge's difference as a vector."""
    out = np.zeros((size, values.shape[1]))
    np.add.at(out, edges.child, values)
    np.subtract.at(out, edges.parent, values)
    if edges.drift is not None:
        out[edges.drift] -= values.sum(0)
    return out
