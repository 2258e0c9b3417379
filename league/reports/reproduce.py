"""How to play a run again: its file, written from the stored settings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from league.config.tournament import TournamentConfig
from league.config.training import TrainingConfig
from league.store import Run

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Reproduction:
    """A file, the command that plays it, and what has to be equal for equal results."""

    file: str
    toml: str
    command: str
    remark: str


def file_stem(name: str) -> str:
    """Returns the name of a run as that of a file."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-") or "run"


def reproduction(run: Run, *, here: bool = False, **more: Any) -> Reproduction:
    """Returns the file of a run, with `more` settings and without the database: it starts a new run elsewhere.

    `here`: the file continues the run in its store, whose players it may name.
    """
    spec = run.spec
    if spec.kind == "tournament":
        keys = set(TournamentConfig.model_fields)
        settings, verb = spec.to_json(), "tournament"
        remark = (
            "Players that are deterministic given their seed (bots, and models in this process on the same machine and "
            "package versions) play the same matches again. Models behind endpoints do not."
        )
    else:
        keys = set(TrainingConfig.model_fields)
        settings = {**spec.training_file(), "name": spec.training_name, "seed": run.seed, "steps": spec.rounds}
        verb, remark = "train", "On the same machine and package versions, a training repeats bit for bit."
    kept = {key: value for key, value in settings.items() if key in keys and key != "folder"}
    for key in {"players", "anchors"} & kept.keys() if here else ():
        players = (dict(player) for player in kept[key])
        kept[key] = [player | {"player": spec.named.get(player["name"], player["player"])} for player in players]
    kept |= {"plugins": [Path(file).name for file in spec.plugins]} | more
    file = f"{file_stem(settings['name'])}.toml"
    return Reproduction(file, to_toml(kept), f"arena {verb} {file} --db runs/again.db", remark)


def to_toml(settings: Mapping[str, Any]) -> str:
    """Returns a TOML file with the keys of nested dicts as tables; None is left out."""
    return "\n".join(_table(settings, ())) + "\n"


def _table(settings: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    inner = {k: v for k, v in settings.items() if isinstance(v, Mapping) and _filled(v)}
    tables = {k: v for k, v in settings.items() if _is_tables(v)}
    for key, value in settings.items():
        if key not in tables and not isinstance(value, Mapping) and value is not None:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in inner.items():
        yield f"\n[{'.'.join(map(_key, (*path, key)))}]"
        yield from _table(value, (*path, key))
    for key, values in tables.items():
        for value in values:
            yield f"\n[[{'.'.join(map(_key, (*path, key)))}]]"
            yield from _table(value, (*path, key))


def _filled(table: Mapping[str, Any]) -> bool:
    return any(value is not None and (not isinstance(value, Mapping) or _filled(value)) for value in table.values())


def _is_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(v, Mapping) for v in value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return _text(str(value))


def _text(text: str) -> str:
    """Returns a basic string; JSON escapes all that TOML forbids but DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
