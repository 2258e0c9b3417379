"""The models behind a player."""

from __future__ import annotations

from games import InputError
from games.naming import Name, parse_name
from league.config.database_url import DatabaseUrl
from league.runs.stored_players import resolve


def models_of(player: str, db: DatabaseUrl | str, *, trust: bool = False) -> dict[str, str]:
    """Returns role -> model of a stored player or of a player's id, and "" -> model if one model plays all roles.

    Raises UnknownName or InputError, also for a player that has no model of this machine.
    """
    name = parse_name(resolve(player, db, trust=trust).id)
    parts = {role: parse_name(str(id)) for role, id in name.params.items()} if name.base == "by-role" else {"": name}
    return {role: _model(part, player) for role, part in parts.items()}


def _model(name: Name, player: str) -> str:
    if name.base != "llm":
        raise InputError(f"player {player!r} is {name.base!r}, which has no model here; name a training or a snapshot")
    return str(name.params.get("model", "smollm2-135m"))
