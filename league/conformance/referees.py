"""Checks a referee in a game that it judges."""

from __future__ import annotations

import games
from games.conformance.report import Report
from games.naming import Name
from games.native import NATIVE
from games.referees import REFEREES
from league.trust import takes_referee

referee_ids = REFEREES.ids


def check_referee(id: str) -> Report:
    """Runs the conformance kit of games for a game with this referee. Raises UnknownName or InputError."""
    REFEREES.make(id)
    judged = next(filter(takes_referee, NATIVE))
    return games.check(str(Name(judged, {"referee": id})))
