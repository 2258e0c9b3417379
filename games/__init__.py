"""Games with text observations and text actions.

    game = games.make("openspiel/kuhn_poker(players=3)")
    games.check("bargain-v1").raise_if_failed()
    env = games.to_aec(game)

A plugin file defines a subclass of TextGame and decorates it with `@games.register("name-v0")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.errors import (
    ArenaError,
    IllegalAction,
    InfrastructureError,
    InputError,
    MissingPackage,
    PluginError,
    RunPaused,
    UnknownName,
)
from games.game import GameSpec, KnownOutcome, Notes, Observation, Payoff, Seat, TextGame
from games.lazy import lazy_attribute
from games.outcome import SeatOutcome
from games.registration import register
from games.registry import ids, make

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from games.conformance import Report
    from games.dialogue import Table, role_game
    from games.quoting import quote
    from games.randomness import RandomStream

__all__ = [
    "ArenaError",
    "GameSpec",
    "IllegalAction",
    "InfrastructureError",
    "InputError",
    "KnownOutcome",
    "MissingPackage",
    "Notes",
    "Observation",
    "Payoff",
    "PluginError",
    "RandomStream",
    "Report",
    "RunPaused",
    "Seat",
    "SeatOutcome",
    "Table",
    "TextGame",
    "UnknownName",
    "check",
    "ids",
    "make",
    "quote",
    "register",
    "role_game",
    "to_aec",
]

# Imported on first use: `arena --help` does not pay for them.
_LAZY = {
    "RandomStream": "games.randomness",
    "Report": "games.conformance",
    "Table": "games.dialogue",
    "quote": "games.quoting",
    "role_game": "games.dialogue",
}


def to_aec(game: TextGame) -> AECEnv:
    """Returns a PettingZoo AEC environment that plays `game`; it passes PettingZoo's api_test and seed_test."""
    from games.aec import to_aec as convert

    return convert(game)


def check(id: str | TextGame, **options: Any) -> Report:
    """Run the conformance kit on a game id or a game; `games.conformance.check_game` documents the options.

    In a test: `games.check("name-v0").raise_if_failed()`.
    """
    from games.conformance import check_game

    return check_game(id, **options)


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _LAZY, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
