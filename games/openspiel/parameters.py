"""Checks the parameters of an OpenSpiel game and loads it.

OpenSpiel reports wrong parameters by printing to file descriptor 2, below Python's `sys.stderr`, which garbles a live
terminal. So names, parameters and numbers of players are checked against the registered types first. What only
OpenSpiel can check (a board of size -1) is tried in another process (`games.openspiel.preflight`), and games are loaded
with that descriptor redirected.
"""

from __future__ import annotations

import functools
import logging
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from games.errors import InputError, UnknownName
from games.naming import Name, Value, parse_name
from games.openspiel.catalog import PLAYABLE, UNPLAYABLE, WITH_PARAMETERS
from games.parameter_info import ParameterInfo
from games.parameters import TYPE_WORDS

log = logging.getLogger(__name__)

# The match's seed sets these; an id cannot contain them.
SEEDS = ("rng_seed",)
NOISE_SEEDS = ("rng_seed", "seed")

# Values that make OpenSpiel fail in the middle of a match.
BROKEN = {("universal_poker", "bettingAbstraction", "fchpa"): "OpenSpiel offers half-pot bets and then rejects them"}

Loadable = dict[str, Any]


@functools.cache
def types() -> dict[str, Any]:
    """Returns every registered game type by name, including those written in Python."""
    import open_spiel.python.games  # noqa: F401  importing registers them
    import pyspiel

    return {kind.short_name: kind for kind in pyspiel.registered_games()}


def checked(name: str, params: Mapping[str, Value]) -> Loadable:
    """Returns the parameters in OpenSpiel's form, without defaults. Raises UnknownName or InputError."""
    kind = types().get(name)
    if kind is None:
        raise UnknownName("game", f"openspiel/{name}", [f"openspiel/{n}" for n in PLAYABLE], "arena games")
    if name in UNPLAYABLE:
        raise InputError(f"openspiel/{name} cannot be played: {UNPLAYABLE[name]}")
    if not params and name in WITH_PARAMETERS:
        raise InputError(f"openspiel/{name} needs parameters; type openspiel/{WITH_PARAMETERS[name]}")
    defaults = {k: v for k, v in kind.parameter_specification.items() if k not in _seeds(name)}
    for key in params:
        if key not in defaults:
            allowed = f"allowed: {', '.join(defaults)}" if defaults else "it takes none"
            raise InputError(f"openspiel/{name} has no parameter {key!r}; {allowed}")
    settings = {key: _value(name, key, params[key], defaults[key]) for key in sorted(params)}
    _check_values(name, kind, settings)
    return {key: value for key, value in settings.items() if value != defaults[key]}


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters that an id may name. Raises UnknownName."""
    if name not in types():
        raise UnknownName("game", f"openspiel/{name}", [f"openspiel/{n}" for n in PLAYABLE], "arena games")
    kind = types()[name]
    infos = []
    for key, default in kind.parameter_specification.items():
        if key in _seeds(name):
            continue
        allowed = "a game" if type(default) is dict else TYPE_WORDS.get(type(default), "")
        if key in ("players", "numPlayers"):
            allowed += f" from {max(kind.min_num_players, 1)} to {kind.max_num_players}"
        infos.append(ParameterInfo(key, allowed, default if type(default) in TYPE_WORDS else None))
    return infos


def _seeds(name: str) -> tuple[str, ...]:
    return NOISE_SEEDS if name == "add_noise" else SEEDS


def _check_values(name: str, kind: Any, settings: Loadable) -> None:
    players = settings.get("players", settings.get("numPlayers"))
    low, high = kind.min_num_players, kind.max_num_players
    if isinstance(players, int) and not max(low, 1) <= players <= high:
        raise InputError(f"openspiel/{name} is for {low} to {high} players, not {players}")
    for key, value in settings.items():
        if not isinstance(value, dict) and (reason := BROKEN.get((name, key, value))):
            raise InputError(f"openspiel/{name} cannot be played with {key}={value}: {reason}")


def _value(name: str, key: str, value: Value, default: Any) -> Any:
    """Returns `value` in the type of the parameter's default."""
    expected = type(default)
    if expected is dict:
        inner = parse_name(str(value))
        return {"name": inner.base, **checked(inner.base, inner.params)}
    if expected is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if expected is str:
        return str(value)
    if type(value) is not expected:
        kind = TYPE_WORDS.get(expected, expected.__name__)
        raise InputError(f"openspiel/{name}: {key} must be {kind}, not {value!r}; its default is {default!r}")
    return value


def canonical(name: str, params: Loadable) -> str:
    """Returns the id of a game: sorted parameters, without those equal to their default."""
    return f"openspiel/{Name(name, {k: _written(v) for k, v in params.items()})}"


def _written(value: Any) -> Value:
    if isinstance(value, dict):
        inner = {k: _written(v) for k, v in value.items() if k != "name"}
        text = str(Name(value["name"], inner))
        return text if inner else f"{text}()"
    return value  # type: ignore[no-any-return]


def load(name: str, params: Loadable) -> Any:
    """Returns the loaded `pyspiel.Game`. Raises InputError with OpenSpiel's reason."""
    import pyspiel

    try:
        with quiet():
            return load_again(name, params)
    except (pyspiel.SpielError, ValueError, TypeError, OSError) as error:
        raise InputError(f"{canonical(name, params)} cannot be loaded: {tidy(str(error))}") from None


def tidy(reason: str) -> str:
    """Returns OpenSpiel's message on one line, without the paths of its build machine."""
    return " ".join(re.sub(r"/project/\S*/", "", reason).split())[:200]


def load_again(name: str, params: Loadable) -> Any:
    """Returns a second copy of a game that `load` has loaded before, so it raises and prints nothing."""
    import pyspiel

    return pyspiel.load_game(name, complete(name, params))


def complete(name: str, params: Loadable) -> Loadable:
    """Returns the parameters with all defaults filled in, which games in WITH_PARAMETERS require."""
    out = {k: complete(v["name"], v) if isinstance(v, dict) and "name" in v else v for k, v in params.items()}
    if name not in WITH_PARAMETERS:
        return out
    plain = {k: v for k, v in types()[name].parameter_specification.items() if not isinstance(v, dict)}
    return {**plain, **out}


def seeded(name: str, params: Loadable, seed: int) -> Loadable:
    """Returns the parameters with every random generator of OpenSpiel, nested games included, seeded from `seed`."""
    out = {k: seeded(v["name"], v, seed) if isinstance(v, dict) and "name" in v else v for k, v in params.items()}
    specification = types()[name].parameter_specification
    for key in _seeds(name):
        if key in specification:
            out[key] = seed & 0x7FFFFFFF
    return out


@contextmanager
def quiet() -> Iterator[None]:
    """Redirect what C++ writes to file descriptor 2 to the debug log."""
    with tempfile.TemporaryFile() as aside:
        kept = os.dup(2)
        try:
            os.dup2(aside.fileno(), 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            aside.seek(0)
            if text := aside.read().decode(errors="replace").strip():
                log.debug("OpenSpiel wrote: %s", text)
