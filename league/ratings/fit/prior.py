"""The prior of skills: a Gaussian tree whose widths are estimated from the data.

Each node has a parent: a player the mean of all players, a checkpoint the one it was trained from (a random walk along
its ancestry), a player's role the player. child - parent ~ N(drift, width^2), with one width per kind of edge. The
drift is 0 or an unknown like the skills: the mean gain of a training step (a Wiener process with drift).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.links import Array

Index = NDArray[np.intp]


@dataclass(frozen=True)
class Edges:
    """Edges of one kind. `width`, in the link's unit, is fixed, or the start of its estimate if `free`."""

    name: str
    child: Index
    parent: Index
    width: float
    free: bool = True
    drift: int | None = None
    """the place in x of the mean of child - parent; None: 0"""
    share: Array | None = None
    """(E,) weight of each edge; None: all 1. A player that may belong to several groups has an edge to each"""

    def difference(self, x: Array) -> Array:
        """Returns child - parent - drift of a vector, or of the rows of a matrix."""
        out: Array = x[self.child] - x[self.parent]
        if self.drift is not None:
            out -= x[self.drift]
        return out

    @property
    def number(self) -> float:
        """The number of edges, weighted by their shares."""
        return float(len(self.child)) if self.share is None else float(self.share.sum())

    def spread(self, covariance: Array) -> Array:
        """Returns (E, E) covariance of the edges' differences."""
        return self.difference(self.difference(covariance).T)

    def add_precision(self, matrix: Array, alpha: float) -> None:
        """Add alpha * share * d d' of each edge to a matrix, where d is its difference as a vector."""
        weight = alpha * (np.ones(len(self.child)) if self.share is None else self.share)
        np.add.at(matrix, (self.child, self.child), weight)
        np.add.at(matrix, (self.parent, self.parent), weight)
        np.add.at(matrix, (self.child, self.parent), -weight)
        np.add.at(matrix, (self.parent, self.child), -weight)
        if self.drift is not None:
            n = len(matrix)
            across = np.bincount(self.parent, weight, n) - np.bincount(self.child, weight, n)
            matrix[self.drift] += across
            matrix[:, self.drift] += across
            matrix[self.drift, self.drift] += weight.sum()

    def pull(self, x: Array) -> Array:
        """Returns the sum over edges of difference x d, as a vector like x."""
        gap = self.difference(x)
        if self.share is not None:
            gap = gap * self.share
        n = len(x)
        out = np.asarray(np.bincount(self.child, gap, n) - np.bincount(self.parent, gap, n), np.float64)
        if self.drift is not None:
            out[self.drift] -= gap.sum()
        return out


class Width:
    """Empirical Bayes for one width: Newton's method on the log marginal likelihood as a function of z = log width,
    with a log-normal hyperprior that keeps the width from 0 if the data do not determine it.

    With a = width^-2, posterior mean g and covariance G (E, E) of the edges' differences, the derivative by z is
    a g'g + a tr G - E - (z - z0) / tau^2, by Fisher's identity (MacKay 1992 gives its fixed point).
    """

    def __init__(self, edges: Edges, centre: float, tau: float) -> None:
        self.edges, self.centre, self.tau = edges, log(centre), tau
        self.restart(log(edges.width))
        self.variance = 0.0
        """variance of z after a step: -1 / f''"""

    def restart(self, z: float) -> None:
        """Continue from a log width and forget earlier steps."""
        self.z, self.slope_before, self.last = z, 0.0, 0.0

    @property
    def alpha(self) -> float:
        """The precision, width^-2."""
        return exp(-2.0 * self.z)

    def slope(self, x: Array, covariance: Array) -> Array:
        """Returns d x / d z at the maximum x, (P,): a wider prior pulls less."""
        out: Array = 2.0 * self.alpha * (covariance @ self.edges.pull(x))
        return out

    def evidence(self, x: Array, covariance: Array) -> float:
        """Returns the expected log density of the edges' differences and the width, integrated out (Laplace)."""
        edges, variances = self.edges, np.diag(covariance)
        gap = edges.difference(x)
        across = covariance[edges.child, edges.parent]
        variance = variances[edges.child] + variances[edges.parent] - 2.0 * across
        if edges.drift is not None:
            variance = np.diag(edges.spread(covariance))
        share = 1.0 if edges.share is None else edges.share
        total = -self.z * edges.number - 0.5 * self.alpha * float((share * (gap * gap + variance)).sum())
        if edges.free and self.variance > 0.0:
            total += 0.5 * log(self.variance / self.tau**2) - 0.5 * ((self.z - self.centre) / self.tau) ** 2
        return total

    def step(self, x: Array, covariance: Array) -> float:
        """Take one Newton step. Returns the change of z."""
        if not self.edges.free or not len(self.edges.child):
            return 0.0
        gap, spread = self.edges.difference(x), self.edges.spread(covariance)
        if self.edges.share is not None:
            root = np.sqrt(self.edges.share)
            gap, spread = root * gap, root[:, None] * spread * root
        along, squares = float(gap @ spread @ gap), float(np.vdot(spread, spread))
        return self.newton(float(gap @ gap), float(np.trace(spread)), along, squares)

    def newton(self, gaps: float, trace: float, along: float, squares: float) -> float:
        """`step` from g'g, tr G, g'G g and tr G G."""
        a, t2 = self.alpha, self.tau * self.tau
        fit, unsure = a * gaps, a * trace
        slope = fit + unsure - self.edges.number - (self.z - self.centre) / t2
        second = fit - 2.0 * a * a * along + unsure - a * a * squares
        curve = max(2.0 * second, 0.1 * fit) + 1.0 / t2  # kept positive far from the maximum
        if self.last != 0.0:  # the measured change of the slope, which includes that of x with z
            measured = (self.slope_before - slope) / self.last
            curve = min(2.0 * curve, max(1.0 / t2, measured))
        change = min(0.5, max(-0.5, slope / curve))
        self.z += change
        self.slope_before, self.last = slope, change
        self.variance = 1.0 / curve
        return change


def tree(
    founders: Index,
    over: Index,
    parents: Sequence[tuple[int, int]],
    width: float,
    step: float,
    drift: int | None = None,
) -> list[Edges]:
    """Edges from founders to each node of `over` (the mean of all players, or the means of groups), and from children
    to their parents in `parents` (child, parent).
    """
    child, parent = np.repeat(founders, len(over)), np.tile(over, len(founders))
    edges = [Edges("players", child, parent, width)]
    if parents:
        pairs = np.array(parents, np.intp)
        edges.append(Edges("lineage", pairs[:, 0].copy(), pairs[:, 1].copy(), step, drift=drift))
    return edges
