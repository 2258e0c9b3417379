"""Asking before something that a database names is used."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import games
from games import InputError, plugins
from games.naming import parse_name
from league import ratings
from league.store import Store
from league.trust.memory import Memory
from league.trust.things import Thing, of_game

log = logging.getLogger(__name__)

HOW = "type --trust-db"


class Gate:
    """What may be used of an open store. `trust`: all of it; what that is, is logged and remembered."""

    def __init__(self, store: Store, trust: bool = False) -> None:
        self.shown, self._place, self._trust = store.url, store.place, trust
        self._memory = Memory(store.id)

    def allow(self, who: str, things: Iterable[Thing], config: Mapping[str, Any]) -> None:
        """Raise InputError unless everything that `who` of a stored run would do is allowed.

        A run may load models from its own folder beside the database: such a folder came with it and holds weights.
        """
        new = [t for t in things if not self._allowed(t, config)]
        if not new:
            return
        told = "; ".join(dict.fromkeys(t.told for t in new))
        if not self._trust:
            raise InputError(f"{who} of the database {self.shown} would {told}; if you want that, {HOW}")
        log.warning("--trust-db: %s of %s may %s", who, self.shown, told)
        self._memory.add(t.key for t in new)

    def run_plugins(self, config: Mapping[str, Any], missing: Callable[[], str]) -> None:
        """Run the plugin files that a run names if something of theirs is `missing`, in words, and they are allowed.

        Raises InputError that names the files if it is still missing then.
        """
        if not missing():
            self._memory.add(plugins=plugins.loaded_files())  # those of --plugin, found again next time
            return
        named = [Path(os.path.realpath(Path(str(file)).expanduser())) for file in config.get("plugins", ())]
        strange = [file for file in named if not self._memory.ran(file)]
        for file in dict.fromkeys([*named, *self._memory.plugins]):
            if file not in strange:
                plugins.load_file(file)
        there = [file for file in strange if file.is_file()]
        if missing() and there and self._trust:
            log.warning("--trust-db: %s runs the code in %s", self.shown, _listed(there))
            for file in there:
                plugins.load_file(file)
            self._memory.add(plugins=there)
        if what := missing():
            raise InputError(f"run {config.get('name')!r} of {self.shown} {what}; {self._why(there, strange)}")

    def remember(self, things: Iterable[Thing], folders: Iterable[Path] = ()) -> None:
        """Allow what the user's own file of a run says, and the plugin files that were run for it."""
        keys = [thing.key for thing in things] + [_folder_key(folder) for folder in folders]
        self._memory.add(keys, plugins.loaded_files())

    def readable(self, folder: Path) -> bool:
        """Whether a run's own files may be read from a folder: one below the database's, or of a run from here."""
        return self._beside(folder) or _folder_key(folder) in self._memory.things

    def _why(self, there: list[Path], strange: list[Path]) -> str:
        changed = [file for file in there if self._memory.knows(file)]
        if changed:
            told = f"its plugin file {_listed(changed)} has changed since you ran it for this database"
        elif there:
            told = f"its plugin file {_listed(there)} is code that you have not run for this database"
        elif strange:
            return f"the run's plugin file is gone: {_listed(strange)}; add --plugin PATH of the file that brings it"
        else:
            return "add --plugin PATH of the file that brings it, or install its package"
        return f"{told}; look at it, then add --plugin {there[0]}, or {HOW}"

    def _allowed(self, thing: Thing, config: Mapping[str, Any]) -> bool:
        if thing.key in self._memory.things:
            return True
        if thing.folder is None:
            return False
        name = str(config.get("name", "")).removesuffix(".training").removesuffix(".gate")
        own = [Path(config["folder"])] if config.get("folder") else []
        own += [self._place / name] if self._place is not None and name else []
        return any(self.readable(folder) and thing.folder.is_relative_to(os.path.realpath(folder)) for folder in own)

    def _beside(self, folder: Path) -> bool:
        real = Path(os.path.realpath(folder))
        return self._place is not None and real != self._place and real.is_relative_to(self._place)


def find_plugins(store: Store, config: Mapping[str, Any], trust: bool = False) -> None:
    """Run the plugin file of a run's rating method if it is needed and allowed. Raises InputError."""
    method = parse_name(str(config.get("ratings", {}).get("method", "trueskill"))).base

    def missing() -> str:
        return "" if method in ratings.ids() else f"is rated by {method!r}, which is not known here"

    Gate(store, trust).run_plugins(config, missing)


def allow_game(store: Store, config: Mapping[str, Any], id: str, trust: bool = False) -> None:
    """Raise InputError unless a game that a stored run names may be made; run the run's plugins if it is of one."""
    gate = Gate(store, trust)
    gate.run_plugins(config, lambda: "" if _is_game(id) else f"plays {id}, which is not known here")
    gate.allow(f"the game {id}", of_game(id), config)


def _is_game(id: str) -> bool:
    base = parse_name(id).base
    if base.startswith("openspiel/"):
        from games.openspiel.parameters import types

        return base.removeprefix("openspiel/") in types()
    if base.startswith("pettingzoo/"):
        return True
    return any(known == base or known.startswith(f"{base}-v") for known in games.ids())


def readable(store: Store, config: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stored configuration without the run's folder if that must not be read: see `Gate.readable`."""
    folder = config.get("folder")
    if folder and not Gate(store).readable(Path(str(folder))):
        return {**config, "folder": ""}
    return config


def _folder_key(folder: Path) -> str:
    return f"folder {os.path.realpath(folder)}"


def _listed(files: Iterable[Path]) -> str:
    return ", ".join(map(str, files))
