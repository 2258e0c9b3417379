"""Solutions of a meta-game: its Nash equilibrium by linear programming, and alpha-rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from league.metagame.payoff import Array

_EPSILON = 1e-8
_FLOOR = 1e-200


@dataclass(frozen=True)
class Nash:
    """Mixed strategies of a zero-sum matrix game, its value to the row player, and what a deviation gains at most."""

    row: Array
    column: Array
    value: float
    exploitability: float


def nash(matrix: Array) -> Nash:
    """A Nash equilibrium of a zero-sum game: payoffs (n, m) to the row player.

    Minimax by the HiGHS solver; where there are several equilibria, one of them. Raises ValueError for payoffs that
    are not finite, ArithmeticError where the solver fails.
    """
    matrix = np.asarray(matrix, np.float64)
    if matrix.ndim != 2 or 0 in matrix.shape or not np.isfinite(matrix).all():
        raise ValueError(f"payoffs must be a finite, non-empty table; seen: shape {matrix.shape}")
    row, column = _maximin(matrix), _maximin(-matrix.T)
    gains, losses = matrix @ column, row @ matrix
    return Nash(row, column, float(row @ gains), float(gains.max() - losses.min()))


def _maximin(matrix: Array) -> Array:
    """max over p, v of v with p' matrix >= v."""
    from scipy.optimize import linprog

    n, m = matrix.shape
    answer = linprog(
        c=np.append(np.zeros(n), -1.0),
        A_ub=np.hstack([-matrix.T, np.ones((m, 1))]),
        b_ub=np.zeros(m),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * n + [(None, None)],
        method="highs",
    )
    if not answer.success:
        raise ArithmeticError(f"no equilibrium found: {answer.message}")
    p = np.maximum(answer.x[:n], 0.0)
    return np.asarray(p / p.sum(), np.float64)


def alpha_rank(matrix: Array, alpha: float | None = None, population: int = 50) -> Array:
    """The share of time that evolution spends at each player: (n,) summing to 1.

    Omidshafiei et al., "alpha-rank: multi-agent evaluation by evolution", 2019, one population: payoffs (n, n), sum 0.
    A mutant r takes over a population of s with probability rho = (1 - e^-u) / (1 - e^(-m u)), u = alpha m / (m - 1)
    payoff(r, s). `alpha=None`: the limit of strong selection, in which only better mutants take over, equal ones half
    of the time, worse ones almost never.
    """
    matrix = np.asarray(matrix, np.float64)
    n = len(matrix)
    if matrix.shape != (n, n) or not np.allclose(matrix, -matrix.T):
        raise ValueError(f"payoffs must be square and antisymmetric; seen: shape {matrix.shape}")
    if n < 2:
        return np.ones(n)
    if alpha is None:
        takes_over = np.select([matrix > 1e-14, matrix < -1e-14], [1.0 - _EPSILON, _EPSILON], 0.5)
    else:
        takes_over = _fixation(alpha * population / (population - 1) * matrix, population)
    return stationary(takes_over.T / (n - 1))


def _fixation(u: Array, m: int) -> Array:
    """rho of each u; 1/m at 0. Multiplied out by e^(m u) where u < 0, so that nothing overflows."""
    small = np.abs(u) < 1e-14
    size = np.where(small, 1.0, np.abs(u))
    better = -np.expm1(-size) / -np.expm1(-m * size)
    return np.where(small, 1.0 / m, np.where(u > 0, better, np.maximum(better * np.exp(-(m - 1.0) * size), _FLOOR)))


def stationary(transitions: Array) -> Array:
    """The stationary distribution (n,) of an irreducible chain: rates (n, n) from row to column, diagonal ignored.

    Grassmann, Taksar and Heyman 1985: elimination without a subtraction, exact to rounding however small the rates.
    """
    p = np.array(transitions, np.float64)
    np.fill_diagonal(p, 0.0)
    n = len(p)
    for k in range(n - 1, 0, -1):
        p[:k, k] /= max(p[k, :k].sum(), _FLOOR)
        p[:k, :k] += np.outer(p[:k, k], p[k, :k])
        np.fill_diagonal(p, 0.0)
    share = np.zeros(n)
    share[0] = 1.0
    for k in range(1, n):
        share[k] = share[:k] @ p[:k, k]
        share[: k + 1] /= share[: k + 1].sum()
    return share
