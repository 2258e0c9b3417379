"""The batch fit: skills of all players from all matches at once, with their joint covariance, and what follows."""

from __future__ import annotations

from league.ratings.fit.fit import Fit
from league.ratings.fit.games import mean_over_games
from league.ratings.fit.skill_draws import ExpectedPoints, SkillDraws
from league.ratings.fit.skill_model import BradleyTerry, SkillModel, fit_roles

__all__ = ["BradleyTerry", "ExpectedPoints", "Fit", "SkillDraws", "SkillModel", "fit_roles", "mean_over_games"]
