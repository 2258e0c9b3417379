"""Refuses what a database names until the user has allowed it."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import msgspec

import games
from games import InputError, plugins
from games.naming import parse_name
from league import ratings
from league.records.run_spec import RunSpec
from league.store import Store
from league.trust.capabilities import Capability, of_game, unknown_part
from league.trust.memory import TrustFile

log = logging.getLogger(__name__)

HOW = "type --trust-db"


class TrustGate:
    """Decides what an open store may use. With `trust` it may use everything, which is logged and remembered."""

    def __init__(self, store: Store, trust: bool = False) -> None:
        self._store, self._trust = store, trust
        self.url, self._place = store.url, store.place
        self._memory = TrustFile(store.id)

    def allow(self, who: str, capabilities: Iterable[Capability], spec: RunSpec) -> None:
        """Raises InputError unless everything that `who`, a player or game of a stored run, would do is allowed.

        Models may be loaded from the folders of the store's trainings beside the database, which came with it.
        """
        new = [c for c in capabilities if not self._allowed(c, spec)]
        if not new:
            return
        text = "; ".join(dict.fromkeys(t.effect for t in new))
        if not self._trust:
            raise InputError(f"{who} of the database {self.url} would {text}; if you want that, {HOW}")
        log.warning("--trust-db: %s of %s may %s", who, self.url, text)
        self._memory.add(t.key for t in new)

    def run_plugins(self, spec: RunSpec, missing: Callable[[], str]) -> None:
        """Loads the allowed plugin files of a run if `missing()` names something.

        Raises InputError with the files if something is missing afterwards.
        """
        if not missing():
            self._memory.add(plugins=plugins.loaded_files())  # those of --plugin; next time they are found without it
            return
        named = _files(spec)
        strange = [file for file in named if not self._memory.ran(file)]
        for file in dict.fromkeys([*named, *self._memory.plugins]):
            if file not in strange:
                plugins.load_file(file)
        there = [file for file in strange if file.is_file()]
        if missing() and there and self._trust:
            log.warning("--trust-db: %s runs the code in %s", self.url, _listed(there))
            for file in there:
                plugins.load_file(file)
            self._memory.add(plugins=there)
        if what := missing():
            raise InputError(f"run {spec.name!r} of {self.url} {what}; {self._why(there, strange)}")

    def plugin_files(self, spec: RunSpec) -> list[Path]:
        """Returns the plugin files of a run that are here, for copying. Raises InputError for one not allowed."""
        there = [file for file in _files(spec) if file.is_file()]
        allowed = plugins.loaded_files()
        strange = [file for file in there if file not in allowed and not self._memory.ran(file)]
        if strange and not self._trust:
            raise InputError(f"run {spec.name!r} of {self.url} needs code; {self._why(strange, strange)}")
        return there

    def remember(self, capabilities: Iterable[Capability], folders: Iterable[Path] = ()) -> None:
        """Remembers as allowed what the user's own file of a run names, and the plugin files it loaded."""
        keys = [capability.key for capability in capabilities] + [_folder_key(folder) for folder in folders]
        self._memory.add(keys, plugins.loaded_files())

    def readable(self, folder: Path) -> bool:
        """Returns whether a run's files may be read from a folder: below the database's, or of a run started here."""
        return self._beside(folder) or _folder_key(folder) in self._memory.capabilities

    def _why(self, there: list[Path], strange: list[Path]) -> str:
        changed = [file for file in there if self._memory.knows(file)]
        if changed:
            text = f"its plugin file {_listed(changed)} has changed since you ran it for this database"
        elif there:
            text = f"its plugin file {_listed(there)} is code that you have not run for this database"
        elif strange:
            return f"the run's plugin file is gone: {_listed(strange)}; add --plugin PATH of the file that brings it"
        else:
            return "add --plugin PATH of the file that brings it, or install its package"
        return f"{text}; look at it, then add --plugin {there[0]}, or {HOW}"

    def _allowed(self, capability: Capability, spec: RunSpec) -> bool:
        if capability.key in self._memory.capabilities:
            return True
        if capability.folder is None:
            return False
        folders = [Path(each.folder) for each in (spec, *self._trainings) if each.folder]
        return any(
            self.readable(folder) and capability.folder.is_relative_to(os.path.realpath(folder)) for folder in folders
        )

    @cached_property
    def _trainings(self) -> list[RunSpec]:
        return [run.spec for run in self._store.runs("training")]

    def _beside(self, folder: Path) -> bool:
        real = Path(os.path.realpath(folder))
        return self._place is not None and real != self._place and real.is_relative_to(self._place)


def find_plugins(store: Store, spec: RunSpec, trust: bool = False) -> None:
    """Load the plugin file of a run's rating method if it is needed and allowed. Raises InputError."""
    method = parse_name(spec.ratings.method).base

    def missing() -> str:
        return "" if method in ratings.ids() else f"is rated by {method!r}, which is not known here"

    TrustGate(store, trust).run_plugins(spec, missing)


def allow_game(store: Store, spec: RunSpec, id: str, trust: bool = False) -> None:
    """Raises InputError unless a game of a stored run may be made. Loads the run's plugins if they define it."""
    gate = TrustGate(store, trust)
    gate.run_plugins(spec, lambda: "" if _is_game(id) else f"plays {id}, which is not known here")
    gate.run_plugins(spec, lambda: (part := unknown_part(id)) and f"plays {id}, whose {part} is not known here")
    gate.allow(f"the game {id}", of_game(id), spec)


def _is_game(id: str) -> bool:
    base = parse_name(id).base
    if base.startswith("openspiel/"):
        from games.openspiel.parameters import types

        return base.removeprefix("openspiel/") in types()
    if base.startswith(("openenv/", "pettingzoo/", "textarena/", "verifiers/")):
        return True
    return any(name == base or name.startswith(f"{base}-v") for name in games.ids())


def readable(store: Store, spec: RunSpec) -> RunSpec:
    """Returns the settings; without the run's folder if it must not be read (see `TrustGate`)."""
    if not spec.folder or TrustGate(store).readable(Path(spec.folder)):
        return spec
    return msgspec.structs.replace(spec, folder="")


def _folder_key(folder: Path) -> str:
    return f"folder {os.path.realpath(folder)}"


def _files(spec: RunSpec) -> list[Path]:
    return [Path(os.path.realpath(Path(file).expanduser())) for file in spec.plugins]


def _listed(files: Iterable[Path]) -> str:
    return ", ".join(map(str, files))
