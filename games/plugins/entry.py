"""What plugins offer, by entry-point group and name."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any, TypeVar

Factory = Callable[..., Any]
F = TypeVar("F", bound=Factory)

log = logging.getLogger(__name__)

OWN = "arena"
"""the origin of built-in entries"""
GROUPS = tuple(
    f"arena.{kind}"
    for kind in ("games", "roles", "players", "ratings", "matchmakers", "advantages", "losses", "tasks", "curricula")
)

registered: dict[str, dict[str, PluginEntry]] = {}
"""what plugin files have registered: group -> name -> entry"""
_origin = ""
_registrations = 0


@dataclass(frozen=True, slots=True)
class PluginEntry:
    """One factory that a plugin offers. `origin` is the file or package it comes from."""

    name: str
    origin: str
    load: Callable[[], Factory]


def register(group: str, name: str) -> Callable[[F], F]:
    """Decorator for plugin files: offer a factory under `name` in an entry-point group such as `arena.games`."""

    def decorate(factory: F) -> F:
        global _registrations
        _registrations += 1
        registered.setdefault(group, {})[name] = PluginEntry(name, _origin or factory.__module__, lambda: factory)
        return factory

    return decorate


@contextmanager
def registering(origin: str) -> Iterator[None]:
    """Name the file as the origin of everything registered inside."""
    global _origin
    outer, _origin = _origin, origin
    try:
        yield
    finally:
        _origin = outer


def registrations() -> int:
    """How often `register` has been used in this process."""
    return _registrations


@functools.cache
def installed(group: str) -> Mapping[str, PluginEntry]:
    """The entries of installed distributions; of two with the same name the first is used, with a warning."""
    found: dict[str, PluginEntry] = {}
    for point in metadata.entry_points(group=group):
        origin = f"package {point.dist.name}" if point.dist else point.value
        if point.name in found and found[point.name].origin != origin:
            log.warning("%s %r of %s is hidden by %s", group, point.name, origin, found[point.name].origin)
            continue
        found[point.name] = PluginEntry(point.name, origin, point.load)
    return found


def builtin(table: Mapping[str, str]) -> dict[str, PluginEntry]:
    """Entries for a table `name -> "module:factory"` of our own, imported as lazily as those of plugins."""

    def loader(target: str) -> Callable[[], Factory]:
        module, _, attribute = target.partition(":")
        return lambda: getattr(import_module(module), attribute)

    return {name: PluginEntry(name, OWN, loader(target)) for name, target in table.items()}


def entries(group: str) -> dict[str, PluginEntry]:
    """Everything plugins offer in a group, by name; files override installed packages. Imports nothing."""
    return {**installed(group), **registered.get(group, {})}
