"""Finds the suite of shortcuts that a game keeps in the module `shortcuts` of its package."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.game import TextGame
    from games.shortcuts import ShortcutSuite


def suite_beside(game: TextGame) -> ShortcutSuite | None:
    """Returns what `suite(game)` returns in the module `shortcuts` beside the game's own; None without it."""
    package = type(game).__module__.rpartition(".")[0]
    if not package:
        return None
    name = f"{package}.shortcuts"
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise
    suite: ShortcutSuite | None = module.suite(game)
    return suite
