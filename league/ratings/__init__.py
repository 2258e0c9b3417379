"""What matches say about players: TrueSkill as a pure function of the log."""

from __future__ import annotations

from league.ratings.draws import draw_probability, environment
from league.ratings.ledger import Ledger
from league.ratings.outcomes import GameInfo, Outcome, outcomes
from league.ratings.registry import Ratings, ids, make
from league.ratings.trueskill import Rating, TrueSkill

__all__ = [
    "GameInfo",
    "Ledger",
    "Outcome",
    "Rating",
    "Ratings",
    "TrueSkill",
    "draw_probability",
    "environment",
    "ids",
    "make",
    "outcomes",
]
