"""From results to outcomes: sides of a match, rankings, repeated matches, and `OutcomeStream`, which joins them."""

from __future__ import annotations

from league.ratings.outcomes.outcome import Outcome, match_outcome, pairing_outcomes
from league.ratings.outcomes.sides import compared_seats, is_counted, sides
from league.ratings.outcomes.stream import JoinedMatches, OutcomeStream

__all__ = [
    "JoinedMatches",
    "Outcome",
    "OutcomeStream",
    "compared_seats",
    "is_counted",
    "match_outcome",
    "pairing_outcomes",
    "sides",
]
