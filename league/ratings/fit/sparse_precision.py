"""The precision of a fit of many players: sparse between the players that met, dense for the few other unknowns.

Linear systems are solved by conjugate gradients: the prior bounds how far the eigenvalues are apart, so a few dozen
products with the sparse matrix are enough, whoever met whom. Draws take one Cholesky factor of the players' part, in
single precision: a third of a teraflop for 10,000 players, while an inverse takes three times as much at twice the
precision, and a sparse factor of players who met at random is nearly full.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from league.ratings.fit.links import Array, Curve
from league.ratings.fit.posterior import Design, Prior

_MOST = 500
"""Products of conjugate gradients, at most."""


class Meetings:
    """The pairs of players that meet in the comparisons of a design or in the prior's tree, in order; `of` (C,) is the
    number of each comparison's pair, `tree` that of each edge between players, by width.
    """

    def __init__(self, design: Design, prior: Prior, n: int) -> None:
        inner = [np.flatnonzero(width.edges.parent < n) for width in prior.widths]
        ends = [(design.a, design.b)]
        ends += [(w.edges.child[i], w.edges.parent[i]) for w, i in zip(prior.widths, inner, strict=True)]
        keys = [np.minimum(a, b) * n + np.maximum(a, b) for a, b in ends]
        distinct, number = np.unique(np.concatenate(keys), return_inverse=True)
        self.of, *self.tree = np.split(number, np.cumsum([len(key) for key in keys])[:-1])
        self.n, self.low, self.high = n, distinct // n, distinct % n
        self._starts = np.searchsorted(self.low, np.arange(n + 1))

    def matrix(self, weight: Array) -> Any:
        """Returns the sparse matrix (n, n) with the weight of each pair above the diagonal."""
        from scipy.sparse import csr_array

        return csr_array((weight, self.high, self._starts), shape=(self.n, self.n))


@dataclass(frozen=True)
class Precision:
    """The blocks of a precision matrix: `diagonal` (n,) and `links` (n, n), the negated part above the diagonal, of the
    players, `others` (K, n + K) the rows of the other unknowns.
    """

    diagonal: Array
    links: Any
    others: Array

    @classmethod
    def of(cls, design: Design, curve: Curve, prior: Prior, meetings: Meetings) -> Precision:
        """Returns the information of comparisons with these derivatives, plus the prior."""
        n, size = meetings.n, design.size
        weight = np.asarray(np.bincount(meetings.of, curve.gap2, len(meetings.low)), np.float64)
        diagonal: Array = prior.precision[:n].copy()
        for ends in (design.a, design.b):
            diagonal += np.bincount(ends, curve.gap2, n)
        others = np.pad(np.diag(prior.precision[n:]), ((0, 0), (n, 0)))
        for group in design.groups:
            _add_group(others, design, curve, group, n)
        for width, number in zip(prior.widths, meetings.tree, strict=True):
            edges, alpha = width.edges, width.alpha
            weight += alpha * np.bincount(number, minlength=len(weight))
            diagonal += alpha * np.bincount(edges.child, minlength=size)[:n]
            diagonal += alpha * np.bincount(edges.parent, minlength=size)[:n]
            outer = edges.parent >= n
            places = edges.parent[outer] - n
            np.add.at(others, (places, edges.child[outer]), -alpha)
            np.add.at(others, (places, edges.parent[outer]), alpha)
            if edges.drift is not None:
                row = others[edges.drift - n]
                row += alpha * (np.bincount(edges.parent, minlength=size) - np.bincount(edges.child, minlength=size))
                row[edges.drift] += alpha * len(edges.child)
        return cls(diagonal, meetings.matrix(weight), others)

    @property
    def n(self) -> int:
        """The number of players."""
        return len(self.diagonal)

    def of_players(self, right: Array, tolerance: float, start: Array | None = None) -> Array:
        """Returns the solution (n, M) of the players' part for the right sides (n, M)."""
        inverse = 1.0 / self.diagonal[:, None]
        x = np.zeros_like(right) if start is None else start.copy()
        rest = right - self._times(x) if start is not None else right.copy()
        ahead = scaled = inverse * rest
        size, goal = (rest * scaled).sum(0), tolerance**2 * (inverse * right * right).sum(0)
        for _ in range(_MOST):
            if (size <= goal).all():
                break
            product = self._times(ahead)
            step = size / np.maximum((ahead * product).sum(0), 1e-300)
            x += step * ahead
            rest -= step * product
            scaled = inverse * rest
            size, before = (rest * scaled).sum(0), size
            ahead = scaled + (size / np.maximum(before, 1e-300)) * ahead
        return x

    def _times(self, x: Array) -> Array:
        out: Array = self.diagonal[:, None] * x - self.links @ x - self.links.T @ x
        return out

    def root(self) -> Array:
        """Returns a lower Cholesky factor (n, n) of the players' part, in single precision if that is enough; above the
        diagonal is rubbish.
        """
        from scipy.linalg.lapack import dpotrf, spotrf

        for factor, kind in ((spotrf, np.float32), (dpotrf, np.float64)):
            dense = np.asfortranarray((-self.links.T).astype(kind).toarray())
            dense[np.diag_indices(self.n)] += self.diagonal
            out, failed = factor(dense, lower=1, clean=0, overwrite_a=1)
            if not failed:
                break
        return np.asarray(out)


class Solver:
    """Solves systems of all unknowns (P, M): players by conjugate gradients, the others by their Schur complement.

    `reach`: that of a solver of a similar precision, to start from.
    """

    def __init__(self, precision: Precision, tolerance: float, reach: Array | None = None) -> None:
        self._of, self._tolerance = precision, tolerance
        n = precision.n
        self._across = precision.others[:, :n].T
        self.reach = precision.of_players(self._across, 1e-3 * tolerance, reach)
        self.others = np.asarray(np.linalg.inv(precision.others[:, n:] - self._across.T @ self.reach), np.float64)
        """the covariance (K, K) of the other unknowns"""

    def __call__(self, right: Array, start: Array | None = None) -> Array:
        """Returns the solution for right sides (P, M)."""
        n = self._of.n
        alone = self._of.of_players(right[:n], self._tolerance, None if start is None else self._alone(start))
        # From `reach`, which is known well: the mean of all players would amplify an error of `alone`.
        rest = self.others @ (right[n:] - self.reach.T @ right[:n])
        return np.concatenate([alone - self.reach @ rest, rest])

    def _alone(self, x: Array) -> Array:
        out: Array = x[: self._of.n] + self.reach @ x[self._of.n :]
        return out

    def noise(self, root: Array, rng: np.random.Generator, number: int) -> Array:
        """Returns `number` draws (P, number) around 0, with a `root` of the players' part."""
        from scipy.linalg.blas import dtrsm, strsm

        n, few = self._of.n, len(self.others)
        white = rng.standard_normal((n, number), root.dtype.type)
        solve = strsm if root.dtype == np.float32 else dtrsm
        alone = solve(1.0, root, np.asfortranarray(white), lower=1, trans_a=1, overwrite_b=1)
        rest = np.linalg.cholesky(self.others) @ rng.standard_normal((few, number))
        return np.concatenate([alone - self.reach @ rest, rest])


def _add_group(others: Array, design: Design, curve: Curve, group: Any, n: int) -> None:
    """Add the information of cells that share seats and margin, as `Design.information` does."""
    rows, seat_a, seat_b, place = group
    a, b, here = design.a[rows], design.b[rows], curve.gap2[rows]
    size = design.size
    signs = ((seat_a, 1.0), (seat_b, -1.0)) if seat_a != seat_b else ()
    row = np.bincount(a, here, size) - np.bincount(b, here, size)
    for seat, sign in signs:
        row[seat] += sign * here.sum()
    for seat, sign in signs:
        others[seat - n] += sign * row
    if place < size:
        cross = curve.mixed[rows]
        row = np.bincount(a, cross, size) - np.bincount(b, cross, size)
        for seat, sign in signs:
            row[seat] += sign * cross.sum()
            others[seat - n, place] += sign * cross.sum()
        row[place] = curve.margin2[rows].sum()
        others[place - n] += row
