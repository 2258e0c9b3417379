"""Checks a referee in the game that it judges."""

from __future__ import annotations

import games
from games.conformance.report import Report
from games.naming import Name
from games.native.redteam.referee import REFEREES


def check_referee(id: str) -> Report:
    """Run the conformance kit of games for redteam with this referee. Raises UnknownName or InputError."""
    REFEREES.make(id)
    return games.check(str(Name("redteam", {"referee": id})))


def referee_ids() -> list[str]:
    """The names of all referees."""
    return REFEREES.ids()
