"""Shell completion: the protocol of typer, and the names that complete arguments. Nothing here imports a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

VARIABLE = "_ARENA_COMPLETE"
"""The scripts of typer set it to `complete_bash` and so on."""


def requested() -> bool:
    """Returns whether a shell asks for completions, instead of running a verb."""
    return VARIABLE in os.environ


def answer(app: typer.Typer) -> int:
    """Print the completions that the shell asks for. Returns the exit code."""
    from typer.main import get_command

    try:
        get_command(app).main([], prog_name="arena", complete_var=VARIABLE)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def game_ids(incomplete: str) -> list[str]:
    """Returns the game ids that start with a text."""
    import games

    return _starting(games.ids, incomplete)


def player_ids(incomplete: str) -> list[str]:
    """Returns the kinds of player that start with a text, also after `seat=`."""
    from arena import players

    seat, equals, start = incomplete.rpartition("=")
    return [f"{seat}{equals}{id}" for id in _starting(players.ids, start)]


def plugin_ids(incomplete: str) -> list[str]:
    """Returns the games, roles and players that start with a text."""
    import roles

    return [*game_ids(incomplete), *_starting(roles.ids, incomplete), *player_ids(incomplete)]


def _starting(ids: Callable[[], list[str]], start: str) -> list[str]:
    return [id for id in ids() if id.startswith(start) and id.isprintable()]
