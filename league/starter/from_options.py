"""The settings of a tournament that is typed instead of written in a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from games import InputError
from games.naming import parse_name
from league.config.database_url import DatabaseUrl
from league.config.tournament import TournamentConfig, parse_tournament
from league.starter.answers import named_players


def typed_tournament(
    games: Sequence[str],
    players: Sequence[str],
    *,
    name: str | None = None,
    db: DatabaseUrl | None = None,
    **settings: Any,
) -> TournamentConfig:
    """Returns the settings. A player is an id or NAME=ID. None settings have their defaults.

    The default name follows from the settings, so the same command resumes its run. Raises InputError.
    """
    if not games or len(players) < 2:
        raise InputError("write FILE.toml, or at least one --game ID and two --player ID")
    data: dict[str, Any] = {
        "games": list(games),
        "players": [{"name": label, "player": id} for label, id in named_players(players)],
        **{key: value for key, value in settings.items() if value is not None},
    }
    data["name"] = name or f"{parse_name(games[0]).base.rpartition('/')[2]}-{_digest(data)}"
    if db is not None:
        data["db"] = db
    return parse_tournament(data, "the command")


def typed_duel(
    first: str, second: str, games: Sequence[str], test: Mapping[str, Any], **settings: Any
) -> TournamentConfig:
    """Returns the settings of a sequential test; `test` holds keys of `SprtConfig`. Raises InputError."""
    if not games:
        raise InputError("name the game: --game openspiel/tic_tac_toe; `arena games` lists all")
    (player, _), (against, _) = named_players([first, second])
    sprt = {"player": player, "against": against, **test}
    return typed_tournament(games, [first, second], rounds=sprt["max_pairs"], stop={"sprt": sprt}, **settings)


def _digest(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:6]
