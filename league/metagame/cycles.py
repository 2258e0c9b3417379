"""How far results are from any ranking at all: the cyclic share of a payoff matrix, and its most surprising cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from league.matchmaking.posterior import Posterior, fit
from league.metagame.payoff import Payoff
from league.ratings.cyclic import Hodge, hodge

_NODES = 41
"""of the quadrature over a difference of skills"""


def cyclic(payoff: Payoff) -> Hodge:
    """How much of a payoff matrix no ranking explains."""
    return hodge(payoff.points, payoff.games)


@dataclass(frozen=True)
class Surprise:
    """A pair whose results the ratings do not explain. `player` did better than expected."""

    player: str
    opponent: str
    points: float
    games: float
    expected: float
    """share of points by the ratings"""
    log10: float
    """-log10 of the probability of such a result or a more extreme one, both ways"""


def surprises(payoff: Payoff, limit: int = 5, level: float = 0.05) -> list[Surprise]:
    """The pairs that ratings explain worst, the most surprising first; only those that chance would show in fewer
    than a `level` share of leagues of this size (Bonferroni).

    Expected: by the joint fit of all results without the pair's own, so that the pair cannot explain itself; where the
    others say little about the two, little is a surprise.
    """
    n = len(payoff.players)
    pairs = [(i, j) for i in range(n) for j in range(n) if i < j and payoff.games[i, j] > 0]
    bar = -np.log10(level / max(1, len(pairs)))
    whole = fit(payoff.points)
    found = []
    for i, j in pairs:
        games, points = float(payoff.games[i, j]), float(payoff.points[i, j])
        expected, _ = _predicted(whole, i, j, points, games)
        if abs(points - games * expected) < np.sqrt(games * expected * (1.0 - expected)):
            continue  # well explained; the fit without the pair is made for the others only
        others = payoff.points.copy()
        others[i, j] = others[j, i] = 0.0
        expected, log10 = _predicted(fit(others), i, j, points, games)
        if log10 > bar:
            a, b, p = (i, j, expected) if points >= expected * games else (j, i, 1.0 - expected)
            row = (float(payoff.points[a, b]), games, p, log10)
            found.append(Surprise(payoff.players[a], payoff.players[b], *row))
    return sorted(found, key=lambda s: (-s.log10, s.player, s.opponent))[:limit]


def _predicted(posterior: Posterior, i: int, j: int, points: float, games: float) -> tuple[float, float]:
    """Expected share of i against j, and -log10 of the two-sided probability of such points: binomial, averaged over
    the posterior of the difference of their skills. Half points by the binomial's continuous form.
    """
    from scipy.special import betainc, ndtr

    gap, spread = posterior.gaps()
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    p = ndtr((gap[i, j] + np.sqrt(spread[i, j]) * nodes) / np.sqrt(2.0))
    weights = weights / weights.sum()
    above = weights @ betainc(points, games - points + 1.0, p) if points > 0 else 1.0
    below = weights @ betainc(games - points, points + 1.0, 1.0 - p) if points < games else 1.0
    return float(weights @ p), float(-np.log10(max(min(1.0, 2.0 * min(above, below)), 1e-300)))
