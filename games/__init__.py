"""What can be played: games with text observations and text actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.errors import ArenaError, IllegalAction, InputError, MissingPackage, PluginError, UnknownName
from games.game import GameSpec, Observation, Seat, TextGame
from games.registry import ids, make, register

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from games.conformance import Report

__all__ = [
    "ArenaError",
    "GameSpec",
    "IllegalAction",
    "InputError",
    "MissingPackage",
    "Observation",
    "PluginError",
    "Seat",
    "TextGame",
    "UnknownName",
    "check",
    "ids",
    "make",
    "register",
    "to_aec",
]


def to_aec(game: TextGame) -> AECEnv:
    """A real PettingZoo AEC environment that plays `game`; it passes PettingZoo's api_test and seed_test."""
    from games.aec import to_aec as convert

    return convert(game)


def check(id: str | TextGame, **options: Any) -> Report:
    """Run the conformance kit on a game id or a game; see `games.conformance.check_game` for the options."""
    from games.conformance import check_game

    return check_game(id, **options)
