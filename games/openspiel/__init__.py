"""The games of OpenSpiel, played through text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from games.openspiel.catalog import PLAYABLE

if TYPE_CHECKING:
    from games.naming import Value
    from games.openspiel.adapter import OpenSpielGame

__all__ = ["ids", "make"]


def ids() -> list[str]:
    """The names that need no parameters, without the prefix `openspiel/`. Loads nothing."""
    return list(PLAYABLE)


def make(name: str, params: Mapping[str, Value]) -> OpenSpielGame:
    """The game called `name`; raises UnknownName, or InputError for a parameter it does not take."""
    from games.openspiel.adapter import create

    return create(name, params)
