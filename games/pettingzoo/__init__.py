"""PettingZoo environments, played through text: any AEC or Parallel environment by id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.game import TextGame
from games.pettingzoo.catalog import CLASSIC

__all__ = ["ids", "make"]


def ids() -> list[str]:
    """The environments listed by name: the classic ones that install with the extra `classic`. Imports nothing.

    `make` takes more: every id of PettingZoo's registry and every importable factory.
    """
    return sorted(CLASSIC)


def make(name: str, params: Mapping[str, Any] | None = None) -> TextGame:
    """The game for a PettingZoo environment.

    `name` is `connect_four_v3` (no version: the newest), `namespace/name_v0` of PettingZoo's registry, or
    `module.path:factory` of anything importable that makes an AECEnv or a ParallelEnv. `params` are the
    environment's own keywords, beside two of the adapter: `max_turns` (decisions of all seats together after
    which the match ends) and `payoff`. Raises UnknownName, MissingPackage, InputError.
    """
    from games.pettingzoo.lookup import build

    return build(name, dict(params or {}))
