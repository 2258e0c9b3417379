"""Ratings updated match by match: TrueSkill, and its draw probabilities."""

from __future__ import annotations

from league.ratings.online.draw_probability import draw_probability, environment
from league.ratings.online.state import check_game_names
from league.ratings.online.trueskill import Rating, TrueSkill

__all__ = [
    "Rating",
    "TrueSkill",
    "check_game_names",
    "draw_probability",
    "environment",
]
