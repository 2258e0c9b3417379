"""Reads the file of a tournament or a training, and refuses one of the other kind."""

from __future__ import annotations

import re
import tomllib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Any

from games import InputError

OWN_KEYS = {
    "tournament": frozenset({"budget", "openings", "pairing", "players", "rounds", "stop"}),
    "training": frozenset(
        {
            "advantage", "anchors", "checkpoint", "evaluation", "folder", "group", "imitation",
            "in_flight", "learner", "policies", "loss", "matches_per_step", "opponents", "optimizer", "overlap",
            "partners", "phases", "policy", "recompute_old", "record", "repeat_phases",
            "replay", "returns", "roles", "snapshots", "steps", "tasks", "trackers",
        }
    ),
    "study": frozenset({"arms", "base", "contrasts", "endpoints", "primary", "seeds"}),
}  # fmt: skip
"""kind of file -> the keys that only this kind has"""
_DEEP = re.compile(rb"""(?m)^[ \t\[{]*(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){64}""")
"""a key of more than 64 parts; tomllib takes time with their square, ten seconds for 20,000"""
VERBS = {"tournament": "arena tournament", "training": "arena train", "study": "arena study"}


def read_toml(path: str | Path, kind: str = "tournament") -> dict[str, Any]:
    """Returns a TOML file as a dict. Raises InputError for a syntax error or a file of another kind."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{kind} file {str(path)!r} does not exist") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    settings = parse_toml(data, path)
    _check_kind(path, settings, kind)
    return settings


def parse_toml(data: bytes, path: str | Path) -> dict[str, Any]:
    """TOML as a dict; errors name `path`. Raises InputError."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise InputError(f"{path} is written in UTF-16; save it as UTF-8")
    if deep := _DEEP.search(data):
        line = data.count(b"\n", 0, deep.start()) + 1
        raise InputError(f"{path} is not valid TOML: line {line} holds a key of more than 64 parts; no setting has one")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path} is not UTF-8 (line {line}, byte {data[error.start]:#x}); save it as UTF-8") from None
    except RecursionError:
        raise InputError(f"{path} is not valid TOML: its lists or tables are nested too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not valid TOML: {error}{_hint(str(error))}") from None
    except ValueError as error:
        if "integer string conversion" not in str(error):
            raise InputError(f"{path} is not valid TOML: {error}") from None
        raise InputError(f"{path} holds a number of several thousand digits; write a shorter one") from None


def _hint(error: str) -> str:
    """Returns what TOML's words for a second key or table mean."""
    if not error.startswith(("Cannot overwrite", "Cannot declare", "Cannot mutate")):
        return ""
    return "; a key or a table occurs twice there, or a list of tables is written [name] and not [[name]]"


def _check_kind(path: str | Path, settings: dict[str, Any], kind: str) -> None:
    """Raise InputError for a file with more keys of another kind than of its own."""
    for other, keys in OWN_KEYS.items():
        theirs = [key for key in settings if key in keys]
        if other != kind and len(theirs) > sum(key in OWN_KEYS[kind] for key in settings):
            raise InputError(f"{path} is a {other} file: it sets {', '.join(theirs[:4])}; type: {VERBS[other]} {path}")
