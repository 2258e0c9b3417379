"""Players whose strength changes during a run: a score test of a trend in the residuals of their matches.

The model has one skill per player for all time. If a player improves, its early matches are worse and its late ones
better than its rating says: the residuals, in the order of its matches, have a slope. The test needs no second fit
(Rao 1948): the slope's score over its standard deviation, corrected for the dispersion of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from league.ratings.comparisons import Counts
from league.ratings.comparisons.count_arrays import Ints
from league.ratings.fit.dispersion import scores
from league.ratings.fit.fit import Fit
from league.ratings.fit.links import Array
from league.ratings.fit.model import Model
from league.ratings.fit.skill_model import SkillModel

LEVEL = 0.05
"""The probability of naming any player of a game if none changes."""
_LEAST = 10
"""Comparisons of a player, below which the slope's score is far from normal."""


@dataclass(frozen=True)
class Drift:
    """A player changes by `change` rating points from its first to its last match; `sd`: its standard error."""

    player: str
    change: float
    sd: float

    def __str__(self) -> str:
        direction = "rises" if self.change > 0.0 else "falls"
        return (
            f"{self.player} {direction} by about {abs(self.change):.0f} ± {1.96 * self.sd:.0f} rating points during "
            "its matches: its rating here is that of its last ones"
        )


def drifts(
    method: SkillModel, counts: Counts, sequence: Ints, fit: Fit, lineage: Mapping[str, str] | None = None
) -> tuple[Drift, ...]:
    """Returns the players of a game that change, the surest first. `sequence` (2, M): cell and outcome of every
    comparison in plan order; `fit`: that of `counts` without a start.

    Opponents of a player that changes deviate too: the test goes on without the players that it names.
    """
    from scipy.special import ndtri

    design = Model(method, counts, lineage or {}, {}).design
    p, score = scores(design, fit.state.origin.x)
    cell, outcome = sequence
    weight, spread = counts.weight[cell], float(fit.state.origin.spread[0])
    gained, information = weight * score[cell, outcome], weight * (p * score * score).sum(1)[cell]
    a, b, kept = counts.a[cell], counts.b[cell], np.ones(len(cell), bool)
    limit, out = -float(ndtri(0.5 * LEVEL / max(int(fit.played.sum()), 1))), list[Drift]()
    while True:
        trends = []
        for player in range(len(counts.players)):
            rows = np.flatnonzero(kept & ((a == player) | (b == player)))
            if len(rows) >= _LEAST:
                signed = np.where(a[rows] == player, gained[rows], -gained[rows])
                trends.append((*_trend(signed, information[rows], spread), player))
        change, sd, worst = max(trends, key=lambda trend: abs(trend[0]) / trend[1], default=(0.0, 1.0, 0))
        if not abs(change) > limit * sd:
            return tuple(out)
        out.append(Drift(counts.players[worst], method.unit * change, method.unit * sd))
        kept &= (a != worst) & (b != worst)


def _trend(gained: Array, information: Array, spread: float) -> tuple[float, float]:
    """Returns the change over all matches of a player and its standard deviation, in the link's unit, from the scores
    (M,) of its comparisons and their variances.
    """
    time = np.linspace(-0.5, 0.5, len(gained))
    time -= float(np.average(time, weights=information))
    total = max(float((time * time * information).sum()), 1e-12)
    return float((time * gained).sum()) / total, (spread / total) ** 0.5
