"""Paths in the settings of a run. The store keeps `store:PATH`, relative to its folder or to one above it.

So a store that moves with its files finds them again. A database on a server has no folder and keeps absolute paths.
Whether a file may be used is decided later, by `league.trust`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from games import InputError
from games.naming import Name, parse_name

MARK = "store:"
_EACH = "*"
_PLACES = (
    ("folder",),
    ("plugins", _EACH),
    ("players", _EACH, "player"),
    ("training", "anchors", _EACH, "player"),
    ("training", "policy", "model"),
    ("training", "policies", _EACH, "policy", "model"),
)
"""where settings hold a path, or the id of a player that names one"""

Change = Callable[[str], str]


def to_store(settings: Mapping[str, Any], place: Path | None) -> dict[str, Any]:
    """Returns the settings with paths as the store in the folder `place` keeps them."""
    return dict(settings) if place is None else changed(settings, partial(_relative, place))


def from_store(settings: Mapping[str, Any], place: Path | None) -> dict[str, Any]:
    """Returns the settings with absolute paths. Raises InputError for a path that leaves the folder."""
    return changed(settings, partial(absolute, place))


def changed(settings: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """Returns the settings with every path and model changed, also those in the ids of players."""
    result: Any = settings
    for keys in _PLACES:
        result = _at(result, keys, partial(_in_id, change))
    return dict(result)


def _at(value: Any, keys: tuple[str, ...], change: Change) -> Any:
    if not keys:
        return change(value) if isinstance(value, str) else value
    key, *rest = keys
    if key == _EACH:
        return [_at(each, tuple(rest), change) for each in value] if isinstance(value, list | tuple) else value
    if isinstance(value, Mapping) and key in value:
        return {**value, key: _at(value[key], tuple(rest), change)}
    return value


def _in_id(change: Change, text: str) -> str:
    """Change a path, or every path in an id and in the ids that are its parameters."""
    if "(" not in text or text.startswith(("/", MARK)):
        return change(text)
    try:
        name = parse_name(text)
    except InputError:  # no id; whoever makes it reports the fault
        return text
    params = {k: _in_id(change, v) if isinstance(v, str) else v for k, v in name.params.items()}
    return str(Name(name.base, params)) if params != name.params else text


def _relative(place: Path, text: str) -> str:
    if not os.path.isabs(text):
        return text
    real = Path(os.path.realpath(text))
    for base in _bases(place):
        if real != base and real.is_relative_to(base):
            path = real.relative_to(base).as_posix()
            return f"{MARK}{path}" if _find(place, path) == real else text
    return text


def absolute(place: Path | None, text: str) -> str:
    """Returns the path of a stored one. Raises InputError if it leaves the folder."""
    if place is None or not text.startswith(MARK):
        return text
    path = text.removeprefix(MARK)
    if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
        raise InputError(f"the stored path {path!r:.200} leaves the folder of the database; restore a copy of it")
    return str(_find(place, path))


def _find(place: Path, path: str) -> Path:
    """Returns the first that exists below the database's folder or one above it."""
    return next((base / path for base in _bases(place) if os.path.exists(base / path)), place / path)


def _bases(place: Path) -> tuple[Path, ...]:
    return (place, *place.parents[:-1])
