"""Environments that an OpenEnv server offers, as text games: `openenv/http://localhost:8000`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.game import TextGame

if TYPE_CHECKING:
    from games.parameter_info import ParameterInfo

__all__ = ["describe", "ids", "make", "source"]


def ids() -> list[str]:
    """Returns no ids: only an address names a server."""
    return []


def make(name: str, params: Mapping[str, Any] | None = None) -> TextGame:
    """Returns the game for the environment of the server at the URL `name`. The first `reset` connects to it.

    `params`: those of the adapter (see `OpenEnvGame`); all others are passed to the environment's `reset`.
    Raises MissingPackage or InputError.
    """
    from games.openenv.lookup import build

    return build(name, dict(params or {}))


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of the adapter."""
    from games.openenv.lookup import describe as parameters

    return parameters(name)


def source(name: str) -> str:
    """Returns the server's address."""
    from games.openenv.lookup import address

    return address(name)
