"""Roles that are not trained: the tables `[[freeze]]` of a training file."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import games
from games import GameSpec, InputError
from league.config.phases import FreezeConfig


class Freeze(NamedTuple):
    """A role that is not trained from step `start` on, and again from step `stop` on."""

    game: str | None
    """the id of the game; None: all games"""
    role: str
    start: int
    stop: int | None


def learns(freezes: Sequence[Freeze], game: str, role: str, step: int) -> bool:
    """Returns whether a role of a game (the id in its spec) is trained at a step."""
    return not any(
        f.role == role and f.game in (None, game) and f.start <= step and (f.stop is None or step < f.stop)
        for f in freezes
    )


def resolve_freeze(freeze: FreezeConfig, specs: Mapping[str, GameSpec], kept: Mapping[str, str]) -> Freeze:
    """Returns a table with the id that its game has in `specs`; `kept` is as in `game_id`.

    Raises InputError for a game that is not played and for a role that it does not have: neither would freeze anything.
    """
    game = None if freeze.game is None else game_id(freeze.game, specs, kept, "freeze")
    frozen = specs.values() if game is None else [specs[game]]
    roles = sorted({role for spec in frozen for role in spec.seats.values()})
    if freeze.role not in roles:
        fault = f"no game here has a role {freeze.role!r}" if game is None else f"{game} has no role {freeze.role!r}"
        raise InputError(f"freeze: {fault}; its roles: {', '.join(roles)}")
    return Freeze(game, freeze.role, freeze.start, freeze.stop)


def game_id(text: str, specs: Mapping[str, GameSpec], kept: Mapping[str, str], where: str) -> str:
    """Returns the id of a played game, however `text` writes it. Raises InputError; `where` names the setting.

    `kept` maps ids to those that a resumed training keeps for the same games.
    """
    id = kept.get(text, text)
    if id not in specs:
        with contextlib.suppress(InputError):
            id = games.make(text).spec.id
        id = kept.get(id, id)
    if id not in specs:
        raise InputError(f"{where}: {text!r} is not a game of this training; its games: {', '.join(specs)}")
    return id
