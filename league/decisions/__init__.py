"""When to stop, whom to promote: sequential tests on seat-rotated pairs, and stop rules."""

from __future__ import annotations

from league.decisions.estimate import Estimate
from league.decisions.gate import Gate, Verdict
from league.decisions.pairs import pairs
from league.decisions.pentanomial import category
from league.decisions.stopping import (
    Apart,
    Cost,
    IntervalWidth,
    Matches,
    Ranked,
    StopRule,
    Tokens,
    first_met,
)

__all__ = [
    "Apart",
    "Cost",
    "Estimate",
    "Gate",
    "IntervalWidth",
    "Matches",
    "Ranked",
    "StopRule",
    "Tokens",
    "Verdict",
    "category",
    "first_met",
    "pairs",
]
