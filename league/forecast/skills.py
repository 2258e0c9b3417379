"""Draws the true skills of simulated players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from league.records.leaderboard import MatchCounts
from league.records.matches import Result
from league.records.run_spec import RunSpec
from league.runs.ratings import ratings_for

_SDS = 2 * 1.96
"""standard deviations between the ends of a 95% interval"""


class SkillPrior:
    """What is known of each player's skill: its fit to earlier results, else the prior of the run's rating settings."""

    def __init__(self, spec: RunSpec, results: Sequence[Result]) -> None:
        prior = spec.ratings.mu, spec.ratings.sigma
        self.players = tuple(spec.plays)
        self.normal = dict.fromkeys(self.players, prior)
        """player -> mean and standard deviation"""
        if results:
            ratings = ratings_for(spec)
            ratings.add(results)
            for row in ratings.final("", MatchCounts()).standings:
                low, high = row.bt_low, row.bt_high
                if row.bt_rating is not None and low is not None and high is not None:
                    self.normal[row.player] = row.bt_rating, (high - low) / _SDS
        self.normal |= {a.player: (a.rating, a.sd) for a in spec.ratings.anchors if a.player in self.normal}

    def draw(self, rng: np.random.Generator) -> Mapping[str, float]:
        """Returns one possible skill of each player."""
        return {player: float(rng.normal(mean, sd)) for player, (mean, sd) in self.normal.items()}
