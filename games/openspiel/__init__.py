"""The games of OpenSpiel as text games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from games.openspiel.catalog import PLAYABLE

if TYPE_CHECKING:
    from games.naming import Value
    from games.openspiel.adapter import OpenSpielGame

__all__ = ["ids", "make"]


def ids() -> list[str]:
    """The names that work without parameters, without the prefix `openspiel/`. Imports nothing."""
    return list(PLAYABLE)


def make(name: str, params: Mapping[str, Value]) -> OpenSpielGame:
    """The game called `name`. Raises UnknownName, or InputError for a wrong parameter."""
    from games.openspiel.adapter import create

    return create(name, params)
