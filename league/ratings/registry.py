"""Rating methods by name, those of plugins included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.plugins import Registry
from league.config.tournament import RatingConfig
from league.ratings.method import Ratings
from league.ratings.plugin_checks import CheckedRatings
from league.records.game_info import GameInfo

RATINGS = Registry(
    "rating method",
    "arena.ratings",
    Ratings,  # type: ignore[type-abstract]
    {
        "bradley-terry": "league.ratings.engine:BradleyTerryRatings",
        "openskill": "league.ratings.online.openskill:OpenSkill",
        "trueskill": "league.ratings.online.ratings:OnlineRatings",
    },
)

ids = RATINGS.ids
register = RATINGS.register


def make(
    id: str, games: Mapping[str, GameInfo], config: RatingConfig | None = None, players: Sequence[str] = ()
) -> Ratings:
    """Returns the rating method named by `id`. Raises UnknownName, or InputError for a wrong parameter."""
    made = RATINGS.make(id, games=games, config=config, players=players)
    return CheckedRatings(made, id, RATINGS) if RATINGS.is_plugin(id) else made
