"""Reads the address of an OpenEnv server and makes its game."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.errors import InputError, MissingPackage
from games.game import TextGame
from games.naming import Name
from games.openenv.adapter import OpenEnvGame
from games.parameter_info import ParameterInfo, parameters_of
from games.parameters import canonical, check_parameters
from games.returns_range import with_range

PARAMETERS = ("actions", "max_turns", "returns_range")
_ADDRESS = re.compile(r"(https?://)?([A-Za-z0-9.-]+)(:\d{1,5})?(/[A-Za-z0-9_./-]*)?")


def make(name: str, params: Mapping[str, Any]) -> TextGame:
    """Returns the game for the environment of the server at the URL `name`. The first `reset` connects to it.

    `params`: those of the adapter (see `OpenEnvGame`); all others are passed to the environment's `reset`.
    Raises MissingPackage or InputError.
    """
    url = source(name)
    if importlib.util.find_spec("openenv") is None:
        raise MissingPackage("openenv/", "openenv", "'selfplay-arena[openenv]'")
    written = with_range({key: params[key] for key in PARAMETERS if key in params})
    settings: dict[str, Any] = canonical(OpenEnvGame, written)
    check_parameters(f"openenv/{url}", OpenEnvGame, settings)
    asked = {key: params[key] for key in sorted(params) if key not in PARAMETERS}
    if taken := sorted(asked.keys() & {"seed", "episode_id"}):
        raise InputError(f"openenv/{url} takes no parameter {taken[0]!r}: the match sets it")
    return OpenEnvGame(str(Name(f"openenv/{url}", {**settings, **asked})), url, asked, **settings)


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of the adapter."""
    source(name)
    infos = [replace(p, required=False) for p in parameters_of(OpenEnvGame) if p.name in PARAMETERS]
    return [*infos, ParameterInfo("...", "", about="passed to the environment's reset")]


def source(name: str) -> str:
    """Returns the server's URL. Raises InputError if the name is not an address."""
    match = _ADDRESS.fullmatch(name)
    if match is None:
        raise InputError(f"openenv/{name} names no server; write openenv/http://HOST:PORT")
    return f"{match[1] or 'http://'}{match[2]}{match[3] or ''}{(match[4] or '').rstrip('/')}"
