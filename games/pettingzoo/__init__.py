"""PettingZoo environments as text games: any AEC or Parallel environment by id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.game import TextGame
from games.pettingzoo.catalog import CLASSIC

if TYPE_CHECKING:
    from games.parameter_info import ParameterInfo

__all__ = ["describe", "ids", "make", "source"]


def ids() -> list[str]:
    """Returns the classic environments, which install with the extra `classic`. Imports nothing.

    `make` accepts more: every id of PettingZoo's registry and every importable factory.
    """
    return sorted(CLASSIC)


def make(name: str, params: Mapping[str, Any] | None = None) -> TextGame:
    """Returns the game for a PettingZoo environment.

    `name` is `connect_four_v3` (without a version: the newest), `namespace/name_v0` of PettingZoo's registry, or
    `module.path:factory` for any importable function that makes an AECEnv or a ParallelEnv. `params` are the
    environment's own parameters and two of the adapter: `max_turns` (the match ends after that many decisions of all
    seats together) and `payoff`. Raises UnknownName, MissingPackage or InputError.
    """
    from games.pettingzoo.lookup import build

    return build(name, dict(params or {}))


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of an environment, and the two of the adapter. Raises as `make` does."""
    from games.pettingzoo.lookup import describe as parameters

    return parameters(name)


def source(name: str) -> str:
    """Returns the factory that makes the environment, as `module:attribute`."""
    from games.pettingzoo.lookup import factory_of

    return factory_of(name)
