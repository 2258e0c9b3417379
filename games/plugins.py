"""Plugins of every floor: installed packages by entry point, single files by path.

An entry point's name is the id and its value `module:factory`; the factory is called with the id's parameters as
keywords. Nothing is imported until a name is asked for. A file registers with a decorator (`games.register`,
`roles.register`, ...) and is run once by `load_file`.
"""

from __future__ import annotations

import functools
import inspect
import logging
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, TypeVar

from games import neighbours
from games.errors import ArenaError, InputError, PluginError
from games.parameters import check_types, signature_of

Factory = Callable[..., Any]
F = TypeVar("F", bound=Factory)

log = logging.getLogger(__name__)

OWN = "arena"
"""the origin of what is no plugin"""
GROUPS = tuple(
    f"arena.{kind}" for kind in ("games", "roles", "players", "ratings", "matchmakers", "advantages", "losses")
)
_OURS = {"games", "roles", "arena", "league"}

_registered: dict[str, dict[str, Entry]] = {}
_loaded_files: dict[Path, str] = {}
"""file -> its module, in the order of loading: of two that offer one name the later counts"""
_current_file = ""
_registrations = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing a plugin offers: its name, where it comes from, and how to get its factory."""

    name: str
    origin: str
    load: Callable[[], Factory]


def register(group: str, name: str) -> Callable[[F], F]:
    """Decorator for file plugins: offer `factory` under `name` in an entry-point group such as `arena.games`."""

    def decorate(factory: F) -> F:
        global _registrations
        _registrations += 1
        _registered.setdefault(group, {})[name] = Entry(name, _current_file or factory.__module__, lambda: factory)
        return factory

    return decorate


@functools.cache
def _installed(group: str) -> Mapping[str, Entry]:
    found: dict[str, Entry] = {}
    for point in metadata.entry_points(group=group):
        origin = f"package {point.dist.name}" if point.dist else point.value
        if point.name in found and found[point.name].origin != origin:
            log.warning("%s %r of %s is hidden by %s", group, point.name, origin, found[point.name].origin)
            continue
        found[point.name] = Entry(point.name, origin, point.load)
    return found


def builtin(table: Mapping[str, str]) -> dict[str, Entry]:
    """Entries for a table of our own `name -> "module:factory"`, imported as lazily as a plugin's."""

    def loader(target: str) -> Callable[[], Factory]:
        module, _, attribute = target.partition(":")
        return lambda: getattr(import_module(module), attribute)

    return {name: Entry(name, OWN, loader(target)) for name, target in table.items()}


def entries(group: str) -> dict[str, Entry]:
    """Everything plugins offer in a group, by name; files hide installed packages. Imports nothing."""
    return {**_installed(group), **_registered.get(group, {})}


def working(group: str) -> dict[str, Entry]:
    """The entries whose factories import; each broken one is warned of by name and reason, and skipped."""
    usable = {}
    for name, entry in entries(group).items():
        try:
            entry.load()
        except Exception as error:  # noqa: BLE001  a plugin may raise anything at import
            log.warning("plugin %r of %s is skipped: %s", name, entry.origin, reason(error))
        else:
            usable[name] = entry
    return usable


def load(kind: str, entry: Entry) -> Factory:
    """The factory of an entry. Raises InputError naming where the plugin comes from and what it raised."""
    try:
        return entry.load()
    except ArenaError:
        raise
    except Exception as error:
        raise InputError(f"{kind} {entry.name!r} of {entry.origin} cannot be loaded: {reason(error)}") from error


def create(kind: str, entry: Entry, params: Mapping[str, Any]) -> Any:
    """Load an entry and call its factory with `params`.

    Raises InputError naming what is allowed, or where the plugin comes from and what it raised.
    """
    factory = load(kind, entry)
    try:
        return call(kind, entry.name, factory, params)
    except ArenaError:
        raise
    except Exception as error:
        if entry.origin == OWN:  # not the fault of whoever typed the name
            raise
        raise InputError(f"{kind} {entry.name!r} of {entry.origin} cannot be made: {reason(error)}") from error


def call(kind: str, name: str, factory: Factory, params: Mapping[str, Any]) -> Any:
    """Call a factory by keywords; a wrong parameter becomes one line with the allowed ones, or with what it must be."""
    signature = signature_of(factory)
    try:
        signature.bind(**params)
    except TypeError as error:
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        allowed = [p.name for p in signature.parameters.values() if p.kind in kinds]
        text = f"allowed: {', '.join(allowed)}" if allowed else "it takes none"
        raise InputError(f"wrong parameters for {kind} {name!r}: {error}; {text}") from None
    check_types(name, factory, params)
    return factory(**params)


@contextmanager
def blamed(kind: str, entry: Entry, what: str = "") -> Iterator[None]:
    """Any error inside that is none of ours becomes a PluginError that names the plugin, its file and the line."""
    try:
        yield
    except ArenaError:
        raise
    except Exception as error:
        if entry.origin == OWN:
            raise
        module = getattr(entry.load(), "__module__", "")
        raise PluginError(
            f"{kind} {entry.name!r} of {entry.origin} failed{what and f' in {what}'}: {reason(error, module)}"
        ) from error


def culprit(error: BaseException) -> str:
    """The plugin file and line that an error went through last, `stones.py, line 12`; "" if it went through none."""
    tops = {name.partition(".")[0] for name in _loaded_files.values()} | _distributed()
    place = ""
    for frame, number in traceback.walk_tb(error.__traceback__):
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] in tops:
            place = f"{Path(frame.f_code.co_filename).name}, line {number}"
    return place


def _distributed() -> set[str]:
    """The top packages of installed plugins."""
    points = [
        p for group in metadata.entry_points().groups if group in GROUPS for p in metadata.entry_points(group=group)
    ]
    return {point.value.partition(":")[0].partition(".")[0] for point in points} - _OURS


def load_file(path: str | Path) -> None:
    """Run one plugin file, once. Raises InputError if it cannot be read or run, or registers nothing."""
    global _current_file
    file = Path(path).expanduser().resolve()
    if file in _loaded_files:
        return
    if not file.is_file():
        what = "is a folder; name the file in it that registers something" if file.is_dir() else "does not exist"
        raise InputError(f"plugin file {str(path)!r} {what}")
    if file.suffix != ".py":
        raise InputError(f"plugin file {str(path)!r} is not a Python file; its name must end in .py")
    name = neighbours.name_of(file)
    if not neighbours.is_imported(file):
        before, outer, _current_file = _offered(), _current_file, str(path)
        try:
            neighbours.run(file)
        except Exception as error:
            raise InputError(f"plugin file {str(path)!r} is broken: {reason(error, name)}") from error
        finally:
            _current_file = outer
        if _offered() == before:
            raise InputError(f"plugin file {str(path)!r} registers nothing; {_HOW}")
    _loaded_files[file] = name


_HOW = (
    "put a decorator above a class or function in it, such as @games.register('name-v0'), @roles.register('name') or "
    "@arena.players.register('name')"
)


def _offered() -> tuple[int, int]:
    """How much was registered so far, here and with OpenSpiel, whose games a file may add to as well."""
    spiel = sys.modules.get("pyspiel")
    return _registrations, len(spiel.registered_names()) if spiel is not None else 0


def loaded_files() -> list[Path]:
    """The plugin files that were run, in that order, for processes elsewhere that need them too."""
    return list(_loaded_files)


def reason(error: BaseException, module: str = "") -> str:
    """An error in one line: its type, its first line, and the last place of a module, or its package, it came from."""
    line = f"{type(error).__name__}: {error}".splitlines()[0]
    top, place = module.partition(".")[0], ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{Path(error.filename).name}, line {error.lineno}"
    for frame, number in traceback.walk_tb(error.__traceback__) if top else ():
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == top:
            place = f"{Path(frame.f_code.co_filename).name}, line {number}"
    return f"{line} ({place})" if place and place not in line else line
