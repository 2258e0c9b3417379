"""What plugins offer, by entry-point group and name."""

from __future__ import annotations

import difflib
import functools
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any, NamedTuple, TypeVar

from games.errors import InputError

Factory = Callable[..., Any]
F = TypeVar("F", bound=Factory)

log = logging.getLogger(__name__)

BUILTIN = "arena"
"""the origin of built-in entries"""
GROUPS = tuple(
    f"arena.{kind}"
    for kind in (
        "games",
        "roles",
        "players",
        "ratings",
        "matchmakers",
        "advantages",
        "losses",
        "tasks",
        "curricula",
    )
)
_COMMANDS = "arena.commands"
"""the group of verbs of the command"""
_NEAR = 0.8
"""similarity from which a group is taken for a misspelt one"""

registered: dict[str, dict[str, PluginEntry]] = {}
"""what plugin files have registered: group -> name -> entry"""
_origin = ""
_of_file: set[tuple[str, str]] = set()
"""group and name of what the file that is being loaded has registered"""
_registrations = 0
_replaced: set[PluginEntry] = set()
"""entries of plugins whose warning is printed"""


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
        new = PluginEntry(name, _origin or factory.__module__, lambda: factory)
        if _origin and (group, name) in _of_file:
            raise InputError(f"{group} {name!r} is registered twice in this file; give one of them another name")
        _of_file.add((group, name))
        if (old := registered.setdefault(group, {}).get(name)) is not None and old.origin != new.origin:
            log.warning("%s %r of %s is hidden by %s", group, name, old.origin, new.origin)
        registered[group][name] = new
        return factory

    return decorate


@contextmanager
def registering(origin: str) -> Iterator[None]:
    """Name the file as the origin of everything registered inside."""
    global _origin, _of_file
    outer, _origin, _of_file = (_origin, _of_file), origin, set()
    try:
        yield
    finally:
        _origin, _of_file = outer


def registrations() -> int:
    """Returns how often `register` has been used in this process."""
    return _registrations


@functools.cache
def installed(group: str) -> Mapping[str, PluginEntry]:
    """Returns the entries of installed distributions; of two with the same name the first is used, with a warning."""
    by_name: dict[str, PluginEntry] = {}
    for point in metadata.entry_points(group=group):
        origin = f"package {point.dist.name}" if point.dist else point.value
        if point.name in by_name and by_name[point.name].origin != origin:
            log.warning("%s %r of %s is hidden by %s", group, point.name, origin, by_name[point.name].origin)
            continue
        by_name[point.name] = PluginEntry(point.name, origin, point.load)
    return by_name


class MisplacedEntries(NamedTuple):
    """Entry points in a group that nothing reads, which looks like one of ours."""

    group: str
    package: str
    names: tuple[str, ...]
    likely: str
    """the most similar group; "" if none is"""

    def __str__(self) -> str:
        meant = f"the group is {self.likely!r}" if self.likely else f"the groups: {', '.join(GROUPS)}"
        return f"{self.package} offers {', '.join(self.names)} in the group {self.group!r}, which is not read; {meant}"


def misplaced() -> list[MisplacedEntries]:
    """Returns entry points of installed packages in misspelt groups, such as `arena.game`."""
    groups = []
    for group in sorted(metadata.entry_points().groups - {*GROUPS, _COMMANDS}):
        near = difflib.get_close_matches(group.lower(), GROUPS, 1, _NEAR)
        if near or group.lower().startswith("arena."):
            by_package: dict[str, list[str]] = {}
            for point in metadata.entry_points(group=group):
                by_package.setdefault(point.dist.name if point.dist else point.value, []).append(point.name)
            likely = near[0] if near else ""
            groups += [MisplacedEntries(group, f"package {p}", tuple(n), likely) for p, n in by_package.items()]
    return groups


def builtin(table: Mapping[str, str]) -> dict[str, PluginEntry]:
    """Entries for a table `name -> "module:factory"` of our own, imported as lazily as those of plugins."""

    def loader(target: str) -> Callable[[], Factory]:
        module, _, attribute = target.partition(":")
        return lambda: getattr(import_module(module), attribute)

    return {name: PluginEntry(name, BUILTIN, loader(target)) for name, target in table.items()}


def entries(group: str) -> dict[str, PluginEntry]:
    """Returns everything plugins offer in a group, by name; files override installed packages. Imports nothing."""
    return {**installed(group), **registered.get(group, {})}


def with_plugins(group: str, table: Mapping[str, PluginEntry]) -> dict[str, PluginEntry]:
    """Returns built-in entries and those of plugins. A plugin replaces a built-in entry, with one warning."""
    offers = entries(group)
    for name, entry in offers.items():
        if name in table:
            warn_replaced(group, name, entry)
    return {**table, **offers}


def warn_replaced(group: str, name: str, entry: PluginEntry) -> None:
    """Warn, once for an entry, that a built-in name now means an entry of a plugin."""
    if entry not in _replaced:
        _replaced.add(entry)
        log.warning("%s %r of the arena is replaced by %s of %s", group, name, entry.name, entry.origin)
