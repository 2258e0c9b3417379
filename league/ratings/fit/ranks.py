"""Statements about ranks from a joint posterior: simultaneous rank sets, the best player, the order.

Rank sets follow Mogstad, Romano, Shaikh and Wilhelm, "Inference for ranks with applications to mobility across
neighbourhoods and academic achievement across countries", Review of Economic Studies 91 (2024): a simultaneous
confidence set for all differences, whose signs bound the ranks, with the stepdown of Romano and Wolf (2005). They
bootstrap the estimates; here the draws come from the posterior.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from league.ratings.fit.links import Array

Mask = NDArray[np.bool_]

_STEPS = 3
"""Rounds of the stepdown. More rounds find nothing new in practice, and each is valid by itself."""


class RankSets(NamedTuple):
    """Best and worst rank of each player, (n,) each, and the critical value of the differences."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    critical: float


def rank_sets(ratings: Array, covariance: Array, draws: Array, level: float = 0.95) -> RankSets:
    """Returns sets that together contain the ranks of all players with probability `level`.

    `ratings` (n,) are the posterior means, `covariance` (n, n), `draws` (D, n) samples. Player i is surely above j if
    the difference of their ratings exceeds the critical value times its standard deviation, where the critical value
    is the quantile of the largest studentised error over all pairs; the best rank of a player is 1 + the number of
    those surely above it, the worst n - the number of those surely below. The rank by `ratings` is always inside.
    """
    n = len(ratings)
    order = np.argsort(-ratings, kind="stable")
    mean = ratings[order]
    sd = _deviations(covariance[np.ix_(order, order)])
    z = np.where(sd > 0.0, np.subtract.outer(mean, mean) / np.where(sd > 0.0, sd, 1.0), 0.0)
    errors = np.ascontiguousarray((draws[:, order] - mean).T, np.float32)
    sure, critical = np.zeros((n, n), np.bool_), np.inf
    for _ in range(_STEPS):
        critical = float(np.quantile(_largest(errors, sd, sure), level)) if n > 1 else 0.0
        above = np.triu(z > critical, 1)
        if (above == sure).all():
            break
        sure = above | sure
    low, high = np.empty(n, np.int64), np.empty(n, np.int64)
    low[order], high[order] = 1 + sure.sum(0), n - sure.sum(1)
    return RankSets(low, high, critical)


def _deviations(covariance: Array) -> Array:
    """Returns (n, n) standard deviations of differences."""
    variances = np.diag(covariance)
    out: Array = np.sqrt(np.maximum(np.add.outer(variances, variances) - 2.0 * covariance, 0.0))
    return out


def _largest(errors: NDArray[np.float32], sd: Array, sure: Mask) -> NDArray[np.float32]:
    """(D,) the largest studentised error over pairs. `errors` (n, D): players from the best rating to the worst. For a
    pair whose order is `sure`, only the error that makes the worse player look better counts.
    """
    with np.errstate(divide="ignore"):
        scale = np.where(sd > 0.0, 1.0 / sd, 0.0).astype(np.float32)
    top = np.zeros(errors.shape[1], np.float32)
    for i in range(len(errors) - 1):
        error = (errors[i + 1 :] - errors[i]) * scale[i, i + 1 :, None]  # of the worse over the better
        open_pairs = ~sure[i, i + 1 :]
        if open_pairs.all():
            np.abs(error, out=error)
        elif open_pairs.any():
            error[open_pairs] = np.abs(error[open_pairs])
        np.maximum(top, error.max(0), out=top)
    return top


def best(above: Array, draws: Array) -> Array:
    """(n,) the probability of being the best. `above` (n, n): that the row's player is better than the column's;
    `draws` (D, n). Estimated from the draws within the bounds that `above` sets, which are exact far in a tail.
    """
    n = draws.shape[1]
    missed = 1.0 - np.bincount(draws.argmax(1), minlength=n) / len(draws)
    against = above.T.copy()  # row: how likely each other one is better than it
    np.fill_diagonal(against, 0.0)
    out: Array = 1.0 - np.clip(missed, against.max(1, initial=0.0), np.minimum(against.sum(1), 1.0))
    return out


def ordered(above: Array, draws: Array) -> Array:
    """(n,) for each k, the probability that the first k columns are the k best, in this order; the last is that of the
    whole order. Arguments as in `best`, with players in the order in question.
    """
    n = draws.shape[1]
    against = np.triu(above.T, 1)  # [i, j], i first: how likely j is better than i
    steps = np.append(np.diag(against, 1), 0.0)  # the next one is better
    chain = np.cumprod(np.column_stack([np.ones(len(draws), bool), draws[:, :-1] > draws[:, 1:]]), axis=1)
    rest = np.full(draws.shape, -np.inf)
    rest[:, :-1] = np.maximum.accumulate(draws[:, :0:-1], axis=1)[:, ::-1]  # the best of those after
    missed = 1.0 - (chain * (draws > rest)).mean(0)
    before = np.append(0.0, np.cumsum(steps)[: n - 1])
    most = np.minimum(before + against.sum(1), 1.0)
    least = np.maximum(np.append(0.0, np.maximum.accumulate(steps)[: n - 1]), against.max(1, initial=0.0))
    out: Array = np.minimum.accumulate(1.0 - np.clip(missed, least, most))  # bounds and draws differ in the last digits
    return out
