"""Errors of plugins: which plugin failed, in which file and line, in one line."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from games.errors import ArenaError, PluginError
from games.plugins.entry import BUILTIN, GROUPS, PluginEntry
from games.plugins.imports import PREFIX

_INSTALLED = {"site-packages", "dist-packages"}
_OUR_PACKAGES = {"games", "roles", "arena", "league"}


@contextmanager
def blamed(kind: str, entry: PluginEntry, what: str = "") -> Iterator[None]:
    """Turn any error of a plugin raised inside into a PluginError that names the plugin, its file and the line.

    An ArenaError, and any error of a built-in entry, passes unchanged.
    """
    try:
        yield
    except ArenaError:
        raise
    except (Exception, SystemExit) as error:
        if entry.origin == BUILTIN:
            raise
        module = getattr(entry.load(), "__module__", "")
        raise PluginError(
            f"{kind} {entry.name!r} of {entry.origin} failed{what and f' in {what}'}: {reason(error, module)}"
        ) from error


def reason(error: BaseException, module: str = "") -> str:
    """Returns an error in one line: type, first line of the message, last place in a plugin or `module`'s package."""
    line = f"{type(error).__name__}: {error}".splitlines()[0]
    place = ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{Path(error.filename).name}, line {error.lineno}"
    if module:
        place = culprit(error) or _last_place(error, {_top(module)}) or place
    return f"{line} ({place})" if place and ", line " not in line else line


def culprit(error: BaseException) -> str:
    """Returns the last plugin file and line in the traceback of an error, `stones.py, line 12`; "" without one."""
    points = [
        p for group in metadata.entry_points().groups if group in GROUPS for p in metadata.entry_points(group=group)
    ]
    return _last_place(error, {_top(point.value.partition(":")[0]) for point in points} - _OUR_PACKAGES, PREFIX)


def library(error: BaseException) -> str:
    """Returns the package in which an error was raised, if it is neither ours nor Python's: `jinja2`, `transformers`.

    What a model, a tokenizer, a template or an optional library does wrong is raised there.
    """
    last = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        package = _top(str(frame.f_globals.get("__name__", "")))
        if package in _OUR_PACKAGES:
            last = ""
        elif not _INSTALLED.isdisjoint(Path(frame.f_code.co_filename).parts):
            last = package
    return last


def defined_at(function: Callable[..., Any]) -> str:
    """Returns file and line where a function or method is defined, ` (stones.py, line 12)`; "" if it has none."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code else ""


def raised(error: BaseException) -> str:
    """Returns an error as checks report it: `raised`, type, first line of the message, file and line of the plugin."""
    line, place = (str(error).splitlines() or [""])[0], culprit(error)
    return f"raised {type(error).__name__}{line and f': {line}'}{place and f' ({place})'}"


def _last_place(error: BaseException, packages: set[str], prefix: str | None = None) -> str:
    """Returns file and line of the last frame of a traceback that runs in a top package or under the prefix."""
    place = ""
    for frame, number in traceback.walk_tb(error.__traceback__):
        package = _top(str(frame.f_globals.get("__name__", "")))
        if package in packages or (prefix is not None and package.startswith(prefix)):
            place = f"{Path(frame.f_code.co_filename).name}, line {number}"
    return place


def _top(module: str) -> str:
    return module.partition(".")[0]
