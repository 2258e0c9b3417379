"""Draws the true skills of simulated players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from league.ratings import SkillDraws
from league.records.leaderboard import MatchCounts
from league.records.matches import Result
from league.records.run_spec import RunSpec
from league.runs.ratings import ratings_for


class SkillPrior:
    """What is known of each player's skill: the board's draws of all skills together, after earlier results; else the
    prior of the run's rating settings. An anchor keeps its rating.
    """

    def __init__(self, spec: RunSpec, results: Sequence[Result]) -> None:
        prior = spec.ratings.mu, spec.ratings.sigma
        self.players = tuple(spec.plays)
        self.normal = dict.fromkeys(self.players, prior)
        """player -> mean and standard deviation of what the draws do not hold"""
        self.normal |= {a.player: (a.rating, a.sd) for a in spec.ratings.anchors if a.player in self.normal}
        self.posterior: SkillDraws | None = None
        if results:
            ratings = ratings_for(spec)
            ratings.add(results)
            ratings.final("", MatchCounts())
            self.posterior = ratings.posterior()

    def draw(self, rng: np.random.Generator) -> Mapping[str, float]:
        """Returns one possible skill of each player."""
        skills = {player: float(rng.normal(mean, sd)) for player, (mean, sd) in self.normal.items()}
        if (posterior := self.posterior) is not None:
            column = posterior.skills[:, rng.integers(posterior.skills.shape[1])].tolist()
            skills |= {
                p: skill for p, skill, played in zip(posterior.players, column, posterior.played, strict=True) if played
            }
        return {player: skills[player] for player in self.players}
