"""Empty ratings for a run, by its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import InputError
from games.naming import parse_name
from league import ratings
from league.records.run_spec import RunSpec

if TYPE_CHECKING:
    from league.ratings.engine import RatingEngine
    from league.ratings.online.ratings import OnlineRatings


def ratings_for(spec: RunSpec) -> RatingEngine:
    """Returns empty ratings by the run's method.

    Runs no plugin file that the store names: see `league.trust.find_plugins`. Raises InputError for an unknown method.
    """
    from league.ratings.engine import RatingEngine

    if (method := parse_name(spec.ratings.method).base) not in ratings.ids():
        raise InputError(
            f"run {spec.name!r} is rated by {method!r}, which is not known here; known: {', '.join(ratings.ids())}; "
            "add --plugin PATH of the file that brings it, or install its package"
        )
    return RatingEngine(spec.games, spec.ratings, list(spec.plays), retired=spec.retired)


def online_ratings_for(spec: RunSpec) -> OnlineRatings:
    """Returns empty TrueSkill ratings that are updated match by match."""
    from league.ratings.online.ratings import OnlineRatings

    return OnlineRatings(spec.games, spec.ratings, list(spec.plays))
