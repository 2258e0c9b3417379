"""Sequential tests on seat-rotated pairs, and intervals that hold at every look: whether one player is stronger."""

from __future__ import annotations

from league.sprt.always_valid import Interval, always_valid
from league.sprt.estimate import Estimate
from league.sprt.gate import Gate, Verdict
from league.sprt.meetings import over_games, pair_scores
from league.sprt.pentanomial import category, pair_category, pairs

__all__ = [
    "Estimate",
    "Gate",
    "Interval",
    "Verdict",
    "always_valid",
    "category",
    "over_games",
    "pair_category",
    "pair_scores",
    "pairs",
]
