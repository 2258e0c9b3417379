"""What the store keeps of a tournament's settings, enough to plan, rate and show it without making its games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from league.config import RatingConfig, TournamentConfig
from league.entry import Entry
from league.ratings import GameInfo, Ledger
from league.ratings.sides import to_stored

if TYPE_CHECKING:
    from league.ratings.refined import Refined


def stored_config(config: TournamentConfig, entry: Entry) -> dict[str, Any]:
    """The file's settings, how each game is rated (`rated`) and who plays what (`plays`), as JSON values."""
    return config.model_dump(mode="json") | {
        "rated": {spec.id: to_stored(GameInfo.of(spec)) for spec in entry.games.values()},
        "plays": {player: list(games) for player, games in entry.plays.items()},
    }


def rated_games(config: Mapping[str, Any]) -> dict[str, GameInfo]:
    """How each game of a stored configuration is rated."""
    return {id: msgspec.convert(info, GameInfo) for id, info in config["rated"].items()}


def ratings_for(config: Mapping[str, Any]) -> Refined:
    """Empty ratings for a stored configuration, by the method it names."""
    from league.ratings.refined import Refined

    return Refined(rated_games(config), RatingConfig.model_validate(config["ratings"]), list(config["plays"]))


def ledger_for(config: Mapping[str, Any]) -> Ledger:
    """An empty ledger for a stored configuration."""
    return Ledger(rated_games(config), RatingConfig.model_validate(config["ratings"]), list(config["plays"]))
