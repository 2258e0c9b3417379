"""Reads the address of an OpenEnv server and makes its game."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from typing import Any

from games.errors import InputError, MissingPackage
from games.game import TextGame
from games.naming import Name
from games.openenv.adapter import OpenEnvGame
from games.parameter_info import ParameterInfo, parameters_of
from games.parameters import canonical, check_parameters

PARAMETERS = ("actions", "max_turns")
_ADDRESS = re.compile(r"(https?://)?([A-Za-z0-9.-]+)(:\d{1,5})?(/[A-Za-z0-9_./-]*)?")


def build(name: str, params: dict[str, Any]) -> TextGame:
    """See `games.openenv.make`."""
    url = address(name)
    if importlib.util.find_spec("openenv") is None:
        raise MissingPackage("openenv/", "openenv", "'selfplay-arena[openenv]'")
    settings: dict[str, Any] = canonical(OpenEnvGame, {key: params.pop(key) for key in PARAMETERS if key in params})
    check_parameters(f"openenv/{url}", OpenEnvGame, settings)
    if taken := sorted(params.keys() & {"seed", "episode_id"}):
        raise InputError(f"openenv/{url} takes no parameter {taken[0]!r}: the match sets it")
    asked = dict(sorted(params.items()))
    return OpenEnvGame(str(Name(f"openenv/{url}", {**settings, **asked})), url, asked, **settings)


def describe(name: str) -> list[ParameterInfo]:
    """See `games.openenv.describe`."""
    address(name)
    infos = [replace(p, required=False) for p in parameters_of(OpenEnvGame) if p.name in PARAMETERS]
    return [*infos, ParameterInfo("...", "", about="passed to the environment's reset")]


def address(name: str) -> str:
    """Returns the server's URL. Raises InputError if the name is not an address."""
    match = _ADDRESS.fullmatch(name)
    if match is None:
        raise InputError(f"openenv/{name} names no server; write openenv/http://HOST:PORT")
    return f"{match[1] or 'http://'}{match[2]}{match[3] or ''}{(match[4] or '').rstrip('/')}"
