"""Matchmakers by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from games import InputError, UnknownName, plugins
from games.naming import parse_name
from league.matchmaking.matchmaker import Matchmaker

GROUP = "arena.matchmakers"
BUILTIN = {
    "gauntlet": "league.matchmaking.round_robin:Gauntlet",
    "round-robin": "league.matchmaking.round_robin:RoundRobin",
    "swiss": "league.matchmaking.swiss:Swiss",
}

T = TypeVar("T", bound=Callable[..., Matchmaker])


def register(name: str) -> Callable[[T], T]:
    """Decorator for a matchmaker in a plugin file: `@register("ladder")` above a Matchmaker class or a factory."""
    return plugins.register(GROUP, name)


def ids() -> list[str]:
    """The matchmakers there are."""
    return sorted({**BUILTIN, **plugins.entries(GROUP)})


def make(id: str) -> Matchmaker:
    """The matchmaker named by `id`, such as `round-robin` or `gauntlet(seeds=2)`.

    Raises UnknownName with the nearest names, or InputError for a wrong parameter.
    """
    name = parse_name(id)
    entry = {**plugins.builtin(BUILTIN), **plugins.entries(GROUP)}.get(name.base)
    if entry is None:
        raise UnknownName("pairing", name.base, ids())
    made = plugins.create("pairing", entry, name.params)
    if not isinstance(made, Matchmaker):
        raise InputError(f"pairing {name.base!r} of {entry.origin} made a {type(made).__name__}, not a Matchmaker")
    return made
