"""Solutions of a meta-game: its Nash equilibrium of maximum entropy by linear programming, and alpha-rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from league.metagame.payoff import Array

_EPSILON = 1e-8
_FLOOR = 1e-200
_ROUNDS = 200
_EXACT = 1e-12
"""largest violation of a constraint at the maximum of the entropy, relative to the largest payoff"""


@dataclass(frozen=True)
class Nash:
    """Mixed strategies of a zero-sum matrix game, its value to the row player, and the most that a deviation gains."""

    row: Array
    column: Array
    value: float
    exploitability: float


def nash(matrix: Array) -> Nash:
    """Returns the maximum-entropy Nash equilibrium of a zero-sum game with payoffs (n, m) to the row player.

    The HiGHS solver finds the value. The optimal strategies of a player form a polytope, in which entropy has a single
    maximum: equal players get equal shares, and the order of players does not matter (Balduzzi et al., "Re-evaluating
    evaluation", 2018). Raises ValueError for payoffs that are not finite, ArithmeticError if the solver fails.
    """
    matrix = np.asarray(matrix, np.float64)
    if matrix.ndim != 2 or 0 in matrix.shape or not np.isfinite(matrix).all():
        raise ValueError(f"payoffs must be a finite, non-empty table, got shape {matrix.shape}")
    if matrix.shape[0] == matrix.shape[1] and (matrix == -matrix.T).all():
        row = column = most_even(matrix, 0.0)
    else:
        value = float((maximin(matrix) @ matrix).min())
        row, column = most_even(matrix, value), most_even(-matrix.T, -value)
    gains, losses = matrix @ column, row @ matrix
    return Nash(row, column, float(row @ gains), float(gains.max() - losses.min()))


def maximin(matrix: Array) -> Array:
    """Returns a p that maximises v subject to p' matrix >= v."""
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


def most_even(matrix: Array, value: float) -> Array:
    """Returns the p of maximum entropy with p' matrix >= value.

    By Lagrange, p_i is proportional to exp((matrix multipliers)_i) over the players that are in any solution. The
    multipliers minimise a convex function, by Newton's method on an active set of columns. The initial set has the
    columns that every solution meets with equality. If the method does not converge, the result is a solution inside
    the polytope.
    """
    players, columns, inside = _face(matrix, value)
    scale = max(1.0, float(np.abs(matrix).max()))
    table = (matrix[players] - value) / scale
    active = [j for j in range(matrix.shape[1]) if not columns[j]]
    held = set(active)
    multipliers = np.zeros(matrix.shape[1])
    for _ in range(_ROUNDS):
        p = _newton(table, active, multipliers)
        if p is None:
            return inside
        wrong = [j for j in active if j not in held and multipliers[j] < -1e-10]
        slack = p @ table
        if wrong:
            worst = min(wrong, key=lambda j: multipliers[j])
            multipliers[worst] = 0.0
            active.remove(worst)
        elif slack.min() < -_EXACT and int(slack.argmin()) not in active:
            active.append(int(slack.argmin()))
        else:
            out = np.zeros(len(matrix))
            out[players] = p
            return out if slack.min() > -1e-9 else inside
    return inside


def _newton(table: Array, active: list[int], multipliers: Array) -> Array | None:
    """Returns p (k,) whose payoffs in the active columns are 0; updates their multipliers. None without convergence."""
    some = table[:, active]
    for _ in range(_ROUNDS):
        p = _softmax(table @ multipliers)
        if not active:
            return p
        miss = p @ some
        if np.abs(miss).max() < _EXACT:
            return p
        centred = some - miss
        step = np.linalg.lstsq(centred.T @ (p[:, None] * centred), -miss, rcond=1e-13)[0]
        before, size = _potential(table @ multipliers), 1.0
        start = multipliers[active].copy()
        while True:
            multipliers[active] = start + size * step
            if _potential(table @ multipliers) <= before + 1e-4 * size * float(miss @ step) + 1e-15 or size < 1e-8:
                break
            size /= 2.0
        if size < 1e-8:
            return _softmax(table @ multipliers) if np.abs(miss).max() < 1e-9 else None
    return None


def _potential(exponents: Array) -> float:
    top = float(exponents.max())
    return top + float(np.log(np.exp(exponents - top).sum()))


def _softmax(exponents: Array) -> Array:
    weights = np.exp(exponents - exponents.max())
    out: Array = weights / weights.sum()
    return out


def _face(matrix: Array, value: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Array]:
    """The players that are in some optimal strategy, the columns that some optimal strategy beats, and a strategy with
    all of these players that beats all of these columns.

    One linear program over the cone of multiples of optimal strategies, where everything that can be positive can be 1.
    """
    from scipy.optimize import linprog

    n, m = matrix.shape
    eye_n, eye_m, zero = np.eye(n), np.eye(m), np.zeros
    # unknowns: s p (n), t (n) <= s p, u (m) <= payoffs above the value
    answer = linprog(
        c=np.concatenate([zero(n), -np.ones(n + m)]),
        A_ub=np.vstack([np.hstack([-eye_n, eye_n, zero((n, m))]), np.hstack([value - matrix.T, zero((m, n)), eye_m])]),
        b_ub=zero(n + m),
        bounds=[(0.0, 1e7)] * n + [(0.0, 1.0)] * (n + m),
        method="highs",
    )
    if not answer.success or answer.x[:n].sum() < 0.5:
        p = maximin(matrix)
        return p > 1e-9, p @ matrix > value + 1e-9, p
    p, chosen, beaten = answer.x[:n], answer.x[n : 2 * n] > 0.5, answer.x[2 * n :] > 0.5
    p = np.where(chosen, np.maximum(p, 0.0), 0.0)
    return chosen, beaten, np.asarray(p / p.sum(), np.float64)


def alpha_rank(matrix: Array, alpha: float | None = None, population: int = 50) -> Array:
    """Returns the share of time that evolution spends at each player: (n,), sums to 1.

    Omidshafiei et al., "alpha-rank: multi-agent evaluation by evolution", 2019, with one population and payoffs (n, n)
    of sum 0. A mutant r takes over a population of s with probability rho = (1 - e^-u) / (1 - e^(-m u)), where
    u = alpha m / (m - 1) payoff(r, s). `alpha=None` is the limit of strong selection: better mutants take over, equal
    ones half of the time, worse ones almost never.

    open_spiel.python.egt.alpharank gives the same numbers, but its import loads matplotlib (5 s) and 64 players take
    50 times as long.
    """
    matrix = np.asarray(matrix, np.float64)
    n = len(matrix)
    if matrix.shape != (n, n) or not np.allclose(matrix, -matrix.T):
        raise ValueError(f"payoffs must be square and antisymmetric, got shape {matrix.shape}")
    if n < 2:
        return np.ones(n)
    if alpha is None:
        takes_over = np.select([matrix > 1e-14, matrix < -1e-14], [1.0 - _EPSILON, _EPSILON], 0.5)
    else:
        takes_over = _fixation(alpha * population / (population - 1) * matrix, population)
    return stationary(takes_over.T / (n - 1))


def _fixation(u: Array, m: int) -> Array:
    """Returns rho of each u; 1/m at 0. For u < 0 the fraction is expanded by e^(m u), so that nothing overflows."""
    small = np.abs(u) < 1e-14
    size = np.where(small, 1.0, np.abs(u))
    better = -np.expm1(-size) / -np.expm1(-m * size)
    return np.where(small, 1.0 / m, np.where(u > 0, better, np.maximum(better * np.exp(-(m - 1.0) * size), _FLOOR)))


def stationary(transitions: Array) -> Array:
    """Returns the stationary distribution (n,) of an irreducible chain with rates (n, n) from row to column.

    The diagonal is ignored. The elimination of Grassmann, Taksar and Heyman (1985) has no subtraction, so it is
    accurate for rates of any size.
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
