"""A plugin file and its test, from templates that pass their conformance kit as they are."""

from __future__ import annotations

import keyword
import pkgutil
import re
import sys
from dataclasses import dataclass
from importlib import import_module, resources
from pathlib import Path
from string import Template
from typing import Literal, get_args

from games import InputError, plugins, registry
from games.conformance.report import Report

PluginKind = Literal["game", "role", "player"]
KINDS: tuple[PluginKind, ...] = get_args(PluginKind)
GameTemplate = Literal["board", "two-role", "dialogue", "verifier", "solo"]
GAME_TEMPLATES: tuple[GameTemplate, ...] = get_args(GameTemplate)

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_CHECKS = {
    "game": "games:check",
    "role": "roles.conformance:check_role",
    "player": "arena.conformance.players:check_player",
}
_LISTS = {"role": "roles.registry:ROLES", "player": "arena.players.registry:PLAYERS"}


@dataclass(frozen=True, slots=True)
class NewPlugin:
    """What `write_plugin` wrote."""

    kind: PluginKind
    id: str
    file: Path
    test: Path
    report: Report
    """of the conformance kit"""


def write_plugin(kind: PluginKind, name: str, folder: Path = Path(), template: GameTemplate = "board") -> NewPlugin:
    """Write NAME.py and test_NAME.py into a folder, load the plugin and check it. `template` is that of a game.

    Raises InputError for a name that cannot be used, or if one of the files exists.
    """
    base = name.removesuffix("-v0")
    if not _NAME.fullmatch(base):
        raise InputError(f"{name!r} is not a name; write small letters, digits and dashes, such as my-{kind}")
    if kind == "game" and re.search(r"-v\d+$", base):
        plain = re.sub(r"-v\d+$", "", base)
        raise InputError(f"a new game has version 0; write the name without one: arena new game {plain}")
    id = f"{base}-v0" if kind == "game" else base
    version = re.compile(rf"{re.escape(base)}-v\d+" if kind == "game" else re.escape(base))
    if other := next(filter(version.fullmatch, _registered_ids(kind)), None):
        raise InputError(f"there is a {kind} {other!r} already; `arena info {other}` describes it; choose another name")
    stem = base.replace("-", "_")
    file, test = folder / f"{stem}.py", folder / f"test_{stem}.py"
    _refuse_hidden_module(stem, file)
    words = {"id": id, "file": file.name, "test": test.name, "function": stem}
    words["Class"] = "".join(map(str.capitalize, base.split("-")))
    form = f"game_{template}" if kind == "game" else kind
    _write({file: _filled(f"{form}.py", words), test: _filled(f"test_{form}.py", words)})
    plugins.load_file(file)
    module, _, function = _CHECKS[kind].partition(":")
    return NewPlugin(kind, id, file, test, getattr(import_module(module), function)(id))


def _refuse_hidden_module(stem: str, file: Path) -> None:
    """Raise InputError for a file that Python would import instead of a module, as `python -m arena` does beside it."""
    reserved = stem in sys.stdlib_module_names or keyword.iskeyword(stem)
    if reserved or (not file.exists() and stem in {module.name for module in pkgutil.iter_modules()}):
        what = f"a file {stem}.py would hide the Python module {stem!r} from programs that run beside it"
        raise InputError(f"{what}; choose another name")


def _registered_ids(kind: PluginKind) -> list[str]:
    if kind == "game":
        return registry.ids()
    module, _, name = _LISTS[kind].partition(":")
    ids: list[str] = getattr(import_module(module), name).ids()
    return ids


def _filled(template: str, words: dict[str, str]) -> str:
    text = resources.files("arena.scaffold").joinpath("templates", f"{template}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(words)


def _write(texts: dict[Path, str]) -> None:
    """Write new files. Raises InputError, before anything is written, if one exists."""
    for path in texts:
        if path.exists():
            raise InputError(f"{path} exists already; choose another name, or another folder with --out")
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            for part in texts:
                part.unlink(missing_ok=True)
            raise InputError(f"cannot write {path}: {error.strerror}; name another folder with --out") from None
