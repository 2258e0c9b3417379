"""Ratings and leaderboards from the match log, online and by a batch fit; both are pure functions of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.lazy import lazy_attribute
from league.ratings.method import Ratings
from league.ratings.online import (
    OnlineRatings,
    Rating,
    TrueSkill,
    check_game_names,
    draw_probability,
    environment,
)
from league.ratings.outcomes import Outcome, OutcomeStream, pairing_outcomes
from league.ratings.registry import ids, make, register
from league.records.game_info import GameInfo

if TYPE_CHECKING:
    from league.ratings.comparisons import Counts, CountTable
    from league.ratings.engine import RatingEngine
    from league.ratings.fit import BradleyTerry, Fit, SkillModel, fit_games, fit_roles
    from league.ratings.leaderboard import refine

_LAZY = {
    "BradleyTerry": "league.ratings.fit",
    "CountTable": "league.ratings.comparisons",
    "Counts": "league.ratings.comparisons",
    "Fit": "league.ratings.fit",
    "RatingEngine": "league.ratings.engine",
    "SkillModel": "league.ratings.fit",
    "fit_games": "league.ratings.fit",
    "fit_roles": "league.ratings.fit",
    "refine": "league.ratings.leaderboard",
}
"""Exports whose modules import numpy, which the online ratings do not need."""

__all__ = [
    "BradleyTerry",
    "CountTable",
    "Counts",
    "Fit",
    "GameInfo",
    "OnlineRatings",
    "Outcome",
    "OutcomeStream",
    "Rating",
    "RatingEngine",
    "Ratings",
    "SkillModel",
    "TrueSkill",
    "check_game_names",
    "draw_probability",
    "environment",
    "fit_games",
    "fit_roles",
    "ids",
    "make",
    "pairing_outcomes",
    "refine",
    "register",
]


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _LAZY, name)
