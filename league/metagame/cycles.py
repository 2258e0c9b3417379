"""What no ranking explains: the cyclic share of a payoff matrix, and its most surprising cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from league.matchmaking.skill_belief import SkillBelief, fit
from league.metagame.payoff import PayoffMatrix
from league.ratings.fit.cycles import Hodge, hodge

_NODES = 41
"""quadrature nodes over a difference of skills"""


def cyclic(payoff: PayoffMatrix) -> Hodge:
    """Returns the part of a payoff matrix that no ranking explains."""
    return hodge(payoff.points, payoff.games)


@dataclass(frozen=True)
class Surprise:
    """A pair whose results the ratings do not explain; `player` scored more than expected."""

    player: str
    opponent: str
    points: float
    games: float
    expected: float
    """expected share of points by the ratings"""
    log10: float
    """-log10 of the two-sided probability of a result at least as extreme"""


def surprises(payoff: PayoffMatrix, limit: int = 5, level: float = 0.05) -> list[Surprise]:
    """Returns the pairs that ratings explain worst, the most surprising first.

    Only pairs are listed that chance would produce in less than a share `level` of leagues of this size (Bonferroni).
    The expected share comes from the joint fit of all other results, so that a pair does not explain itself. If these
    say little about the two players, few results are surprising.
    """
    n = len(payoff.players)
    pairs = [(i, j) for i in range(n) for j in range(n) if i < j and payoff.games[i, j] > 0]
    bar = -np.log10(level / max(1, len(pairs)))
    whole = fit(payoff.points)
    out = []
    for i, j in pairs:
        games, points = float(payoff.games[i, j]), float(payoff.points[i, j])
        expected, _ = _predicted(whole, i, j, points, games)
        if abs(points - games * expected) < np.sqrt(games * expected * (1.0 - expected)):
            continue  # well explained: skip the fit without this pair
        others = payoff.points.copy()
        others[i, j] = others[j, i] = 0.0
        expected, log10 = _predicted(fit(others), i, j, points, games)
        if log10 > bar:
            a, b, p = (i, j, expected) if points >= expected * games else (j, i, 1.0 - expected)
            row = (float(payoff.points[a, b]), games, p, log10)
            out.append(Surprise(payoff.players[a], payoff.players[b], *row))
    return sorted(out, key=lambda s: (-s.log10, s.player, s.opponent))[:limit]


def _predicted(posterior: SkillBelief, i: int, j: int, points: float, games: float) -> tuple[float, float]:
    """Returns the expected share of i against j, and -log10 of the two-sided probability of these points.

    The probability is binomial, averaged over the posterior of the difference of their skills. Half points use the
    continuous form of the binomial distribution.
    """
    from scipy.special import betainc, ndtr

    gap, spread = posterior.gaps()
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    p = ndtr((gap[i, j] + np.sqrt(spread[i, j]) * nodes) / np.sqrt(2.0))
    weights = weights / weights.sum()
    above = weights @ betainc(points, games - points + 1.0, p) if points > 0 else 1.0
    below = weights @ betainc(games - points, points + 1.0, 1.0 - p) if points < games else 1.0
    return float(weights @ p), float(-np.log10(max(min(1.0, 2.0 * min(above, below)), 1e-300)))
