"""Environments of Prime Intellect's library `verifiers` as text games: `verifiers/NAME(...)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.game import TextGame

if TYPE_CHECKING:
    from games.parameter_info import ParameterInfo

__all__ = ["describe", "ids", "make", "source"]


def ids() -> list[str]:
    """Returns no ids: environments are installed modules, and nothing lists them."""
    return []


def make(name: str, params: Mapping[str, Any] | None = None) -> TextGame:
    """Returns the game for the environment whose package exports a taskset under `name`. Imports that package.

    `params`: those of the adapter (see `VerifiersGame`), and the fields of the environment's own configuration.
    Raises MissingPackage or InputError.
    """
    from games.prime.lookup import build

    return build(name, dict(params or {}))


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of the adapter and of the environment. Raises as `make` does."""
    from games.prime.lookup import describe as parameters

    return parameters(name)


def source(name: str) -> str:
    """Returns the class of the environment's taskset, as `module:class`."""
    from games.prime.lookup import taskset_of

    return taskset_of(name)
