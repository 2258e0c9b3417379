"""Roles that are not trained: the tables `[[freeze]]` of a training file."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import games
from games import GameSpec, InputError
from league.config.phases import FreezeConfig
from league.config.training import TrainingConfig


def learns(config: TrainingConfig, game: str, role: str, step: int) -> bool:
    """Whether a role of a game (the id in its spec) is trained at a step."""
    return not any(
        f.role == role and f.game in (None, game) and f.start <= step and (f.stop is None or step < f.stop)
        for f in config.freeze
    )


def resolve_freezes(config: TrainingConfig, specs: Mapping[str, GameSpec]) -> TrainingConfig:
    """The settings with each game of `[[freeze]]` replaced by its id in `specs`.

    Raises InputError for a game that is not played and for a role that it does not have: neither would freeze anything.
    """
    return config.model_copy(update={"freeze": tuple(_resolve_freeze(f, specs) for f in config.freeze)})


def _resolve_freeze(freeze: FreezeConfig, specs: Mapping[str, GameSpec]) -> FreezeConfig:
    game = None if freeze.game is None else game_id(freeze.game, specs, "freeze")
    meant = specs.values() if game is None else [specs[game]]
    roles = sorted({role for spec in meant for role in spec.seats.values()})
    if freeze.role not in roles:
        found = f"no game here has a role {freeze.role!r}" if game is None else f"{game} has no role {freeze.role!r}"
        raise InputError(f"freeze: {found}; its roles: {', '.join(roles)}")
    return freeze.model_copy(update={"game": game})


def game_id(text: str, specs: Mapping[str, GameSpec], where: str) -> str:
    """The id of a played game, however `text` writes it. Raises InputError; `where` names the setting."""
    if text in specs:
        return text
    found = text
    with contextlib.suppress(InputError):
        found = games.make(text).spec.id
    if found not in specs:
        raise InputError(f"{where}: {text!r} is not a game of this training; its games: {', '.join(specs)}")
    return found
