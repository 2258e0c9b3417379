"""Ratings and leaderboards from the match log, online and by a batch fit; both are pure functions of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.lazy import lazy_attribute
from league.ratings.method import Ratings
from league.ratings.online import Rating, TrueSkill, check_game_names, draw_probability, environment
from league.ratings.registry import ids, make, register
from league.records.game_info import GameInfo

if TYPE_CHECKING:
    from league.ratings.comparisons import Counts, CountTable
    from league.ratings.engine import RatingEngine
    from league.ratings.fit import BradleyTerry, ExpectedPoints, Fit, SkillDraws, SkillModel, fit_roles, mean_over_games
    from league.ratings.leaderboard import refine
    from league.ratings.online.ratings import OnlineRatings

_LAZY = {
    "BradleyTerry": "league.ratings.fit",
    "CountTable": "league.ratings.comparisons",
    "Counts": "league.ratings.comparisons",
    "ExpectedPoints": "league.ratings.fit",
    "Fit": "league.ratings.fit",
    "OnlineRatings": "league.ratings.online.ratings",
    "RatingEngine": "league.ratings.engine",
    "SkillDraws": "league.ratings.fit",
    "SkillModel": "league.ratings.fit",
    "fit_roles": "league.ratings.fit",
    "mean_over_games": "league.ratings.fit",
    "refine": "league.ratings.leaderboard",
}
"""Exports whose modules import numpy."""

__all__ = [
    "BradleyTerry",
    "CountTable",
    "Counts",
    "ExpectedPoints",
    "Fit",
    "GameInfo",
    "OnlineRatings",
    "Rating",
    "RatingEngine",
    "Ratings",
    "SkillDraws",
    "SkillModel",
    "TrueSkill",
    "check_game_names",
    "draw_probability",
    "environment",
    "fit_roles",
    "ids",
    "make",
    "mean_over_games",
    "refine",
    "register",
]


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _LAZY, name)
