"""What a training file freezes, against what is played."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import games
from games import GameSpec, InputError
from league.training.config import FreezeConfig, TrainingConfig


def settled_freezes(config: TrainingConfig, specs: Mapping[str, GameSpec]) -> TrainingConfig:
    """The settings with the games of `[[freeze]]` by the ids of `specs`, as a plan calls them.

    Raises InputError for a game that is not played, and for a role that no game there has: it would freeze nothing.
    """
    return config.model_copy(update={"freeze": tuple(_settled(f, specs) for f in config.freeze)})


def _settled(freeze: FreezeConfig, specs: Mapping[str, GameSpec]) -> FreezeConfig:
    game = None if freeze.game is None else _id(freeze.game, specs)
    meant = specs.values() if game is None else [specs[game]]
    played = sorted({role for spec in meant for role in spec.seats.values()})
    if freeze.role not in played:
        have = f"no game here has a role {freeze.role!r}" if game is None else f"{game} has no role {freeze.role!r}"
        raise InputError(f"freeze: {have}; it has {', '.join(played)}")
    return freeze.model_copy(update={"game": game})


def _id(text: str, specs: Mapping[str, GameSpec]) -> str:
    """The id of the played game that a text names, however it is written. Raises InputError."""
    found = text
    with contextlib.suppress(InputError):
        found = games.make(text).spec.id
    if found not in specs:
        raise InputError(f"freeze: {text!r} is no game of this training; its games: {', '.join(specs)}")
    return found
