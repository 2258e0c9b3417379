"""From results to outcomes: sides of a match, rankings, repeated matches, and the table that joins them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.lazy import lazy_attribute
from league.outcomes.outcome import Outcome
from league.outcomes.sides import compared_seats, is_counted, sides

if TYPE_CHECKING:
    from league.outcomes.table import Outcomes, OutcomeTable
    from league.outcomes.units import RatedUnit

_LAZY = dict.fromkeys(("OutcomeTable", "Outcomes", "RatedUnit"), "league.outcomes.table")
"""Exports whose module imports numpy."""

__all__ = ["Outcome", "OutcomeTable", "Outcomes", "RatedUnit", "compared_seats", "is_counted", "sides"]


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _LAZY, name)
