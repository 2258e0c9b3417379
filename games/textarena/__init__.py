"""TextArena's environments as text games: `textarena/TicTacToe-v0`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.game import TextGame
from games.textarena.catalog import CHECKED

if TYPE_CHECKING:
    from games.parameter_info import ParameterInfo

__all__ = ["describe", "ids", "make", "source"]


def ids() -> list[str]:
    """Returns the environments that pass `arena check` with TextArena 0.7.4. Imports nothing."""
    return sorted(CHECKED)


def make(name: str, params: Mapping[str, Any] | None = None) -> TextGame:
    """Returns the game for an environment of TextArena's registry, also for one that `ids` does not list.

    `name` is the registered id without `-train` or `-raw`, which differ in wrappers that the arena does not use.
    `params`: `players`, `max_turns` (decisions of all seats together), `payoff` and `menu` (see `TextArenaGame`).
    Raises UnknownName, MissingPackage or InputError.
    """
    from games.textarena.lookup import build

    return build(name, dict(params or {}))


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of an environment. Raises as `make` does."""
    from games.textarena.lookup import describe as parameters

    return parameters(name)


def source(name: str) -> str:
    """Returns the class of the environment, as `module:class`."""
    from games.textarena.lookup import entry_point

    return entry_point(name)
