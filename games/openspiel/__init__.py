"""The games of OpenSpiel as text games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from games.openspiel.catalog import PLAYABLE

if TYPE_CHECKING:
    from games.naming import Value
    from games.openspiel.adapter import OpenSpielGame
    from games.parameter_info import ParameterInfo

__all__ = ["describe", "ids", "make", "source"]


def ids() -> list[str]:
    """Returns the names that work without parameters, without the prefix `openspiel/`. Imports nothing."""
    return list(PLAYABLE)


def make(name: str, params: Mapping[str, Value]) -> OpenSpielGame:
    """Returns the game called `name`. Raises UnknownName, or InputError for a wrong parameter."""
    from games.openspiel.adapter import create

    return create(name, params)


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of the game called `name`, with OpenSpiel's types and defaults. Raises UnknownName."""
    from games.openspiel.parameters import describe as parameters

    return parameters(name)


def source(name: str) -> str:
    """Returns where the game comes from: the package and its version."""
    from importlib.metadata import version

    return f"package open_spiel {version('open_spiel')}"
