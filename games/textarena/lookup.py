"""Finds an environment in TextArena's registry and makes its game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from games.errors import InputError, MissingPackage, UnknownName
from games.game import Payoff, TextGame
from games.isolated_rng import IsolatedGenerators
from games.naming import Name
from games.parameter_info import ParameterInfo, parameters_of
from games.parameters import check_parameters
from games.returns_range import with_range
from games.sanitize import one_line
from games.textarena.adapter import MAX_TURNS, TextArenaGame
from games.textarena.catalog import CHECKED

PARAMETERS = ("players", "max_turns", "payoff", "menu", "returns_range")
_COUNTS = (2, 1, *range(3, 17))
"""numbers of players in the order in which they are tried: an environment does not tell how many it takes"""
_VARIANTS = ("-train", "-raw")


def make(name: str, params: Mapping[str, Any]) -> TextGame:
    """Returns the game for an environment of TextArena's registry, also for one that is not in the catalog.

    `name` is the registered id without `-train` or `-raw`, which differ in wrappers that the arena does not use.
    `params`: `players`, `max_turns` (decisions of all seats together), `payoff`, `menu` and `returns_range` (see
    `TextArenaGame`).
    Raises UnknownName, MissingPackage or InputError.
    """
    name = _registered(name)
    if unknown := sorted(params.keys() - set(PARAMETERS)):
        raise InputError(f"textarena/{name} has no parameter {unknown[0]!r}; it takes {', '.join(PARAMETERS)}")
    check_parameters(f"textarena/{name}", TextArenaGame, params := with_range(params))
    new = _factory(name)
    usual_players = CHECKED.get(name) or _first_count(name, new, _COUNTS)
    payoff = _payoff(name, new, params.get("players", usual_players))
    usual: dict[str, Any] = {"players": usual_players, "max_turns": MAX_TURNS, "payoff": payoff, "menu": False}
    usual["returns_range"] = ""
    settings = {key: params[key] for key in PARAMETERS if key in params and params[key] != usual[key]}
    return TextArenaGame(str(Name(f"textarena/{name}", settings)), name, new, **(usual | settings))


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of an environment. Raises as `make` does."""
    _registered(name)
    derived = ("players", "payoff")  # `make` asks the environment for what an id leaves out
    parameters = [p for p in parameters_of(TextArenaGame) if p.name in PARAMETERS]
    return [replace(p, required=False, default=None if p.name in derived else p.default) for p in parameters]


def source(name: str) -> str:
    """Returns the class of the environment, as `module:class`."""
    target = _registry()[_registered(name)].entry_point
    return target if isinstance(target, str) else f"{target.__module__}:{target.__qualname__}"


def _registry() -> Mapping[str, Any]:
    """Returns TextArena's registry. Its import must not move the global random generators."""
    try:
        with IsolatedGenerators(0).active():
            from textarena.envs.registration import ENV_REGISTRY
    except ImportError:
        raise MissingPackage("textarena/", "textarena", "'selfplay-arena[textarena]'") from None
    registry: Mapping[str, Any] = ENV_REGISTRY
    return registry


def _registered(name: str) -> str:
    """Returns the registered id of a base environment, whatever case it is written in. Raises UnknownName."""
    names = {id.lower(): id for id in _registry() if not id.endswith(_VARIANTS)}
    bare = name.lower()
    for variant in _VARIANTS:
        bare = bare.removesuffix(variant)
    if bare not in names:
        raise UnknownName("TextArena environment", name, names.values(), "arena games")
    return names[bare]


def _factory(name: str) -> Callable[[], Any]:
    """Returns a function that makes the bare environment, without TextArena's wrappers."""
    spec = _registry()[name]
    module, _, attribute = source(name).partition(":")
    try:
        with IsolatedGenerators(0).active():
            cls = getattr(import_module(module), attribute)
    except Exception as error:
        raise _broken(name, error) from error
    return lambda: cls(**spec.kwargs)


def _first_count(name: str, new: Callable[[], Any], counts: Iterable[int]) -> int:
    """Returns the first number of players that the environment accepts. Raises InputError with its last objection."""
    failure: Exception = ValueError("it accepts no number of players from 1 to 16")
    for players in counts:
        try:
            _started(new, players)
        except Exception as error:  # noqa: BLE001  an environment asserts its number of players, or fails otherwise
            failure = error
        else:
            return players
    raise _broken(name, failure) from failure


def _payoff(name: str, new: Callable[[], Any], players: int) -> Payoff:
    """Returns two players of a `TwoPlayerState` win 1 and lose 1 or draw; other environments may pay anything."""
    from textarena.state import TwoPlayerState

    try:
        env = _started(new, players)
    except Exception as error:
        raise _broken(name, error) from error
    return "zero_sum" if isinstance(env.state, TwoPlayerState) else "general_sum"


def _started(new: Callable[[], Any], players: int) -> Any:
    with IsolatedGenerators(0).active():
        env = new()
        env.reset(num_players=players, seed=0)
    return env


def _broken(name: str, error: Exception) -> InputError:
    if data := re.search(r"nltk\.download\('(\w+)'\)", str(error)):
        return InputError(f"TextArena environment {name!r} needs data: python -m nltk.downloader {data[1]}")
    reason = one_line(str(error), 200) or type(error).__name__
    return InputError(f"TextArena environment {name!r} cannot be made here: {type(error).__name__}: {reason}")
