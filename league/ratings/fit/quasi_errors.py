"""Quasi-standard errors: one error per player, from which that of every comparison follows.

The variance of the difference of two players is nearly the sum of their quasi-variances (Firth and de Menezes,
"Quasi-variances", Biometrika 91, 2004). The error of a rating depends on the origin of the scale, and through the mean
of all players each contains a share of the error of the least known one; quasi-errors do not.
"""

from __future__ import annotations

import numpy as np

from league.ratings.fit.links import Array

_ROUNDS = 12
_LEAST = 0.35
"""The least quasi-variance, as a share of the variance of the player's closest comparison: half of it would split that
comparison evenly. Where no sum fits, as among players of different games, one of the two would have none."""


def quasi_variances(covariance: Array) -> Array:
    """Returns (n,) of a joint covariance (n, n): sums of two fit the variances of differences, by relative errors."""
    n = len(covariance)
    variance: Array = np.diag(covariance).copy()
    if n < 3:
        return (
            np.full(n, 0.5 * max(float(np.ones(n) @ variance - 2.0 * covariance[0, -1]), 1e-12)) if n == 2 else variance
        )
    differences = np.maximum(np.add.outer(variance, variance) - 2.0 * covariance, 1e-12)
    np.fill_diagonal(differences, 0.0)
    sums = differences.sum(1)
    least = np.where(differences > 0.0, differences, np.inf).min(1)
    out: Array = np.maximum(
        (sums - sums.sum() / (2.0 * (n - 1))) / (n - 2), _LEAST * least
    )  # exact if sums fit exactly
    for _ in range(_ROUNDS):
        out = out * np.sqrt((differences / np.add.outer(out, out)).sum(1) / (n - 1))
    floored: Array = np.maximum(out, _LEAST * least)
    return floored
