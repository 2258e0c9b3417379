"""What belongs to a run: the runs that it needs, its plugin files, and the files of trainings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from games import InputError, plugins
from league.pack.manifest import PLUGINS, RUNS, is_name
from league.records.metrics_file import METRICS, TIMING
from league.store import Run, Store
from league.store.paths import MARK, absolute, changed
from league.trust import TrustGate

SNAPSHOTS, CHECKPOINTS = "snapshots", "checkpoints"


@dataclass
class PackContents:
    """The runs and files of a pack."""

    run: Run
    """a tournament, or the run of a training that rates its snapshots"""
    runs: list[Run]
    """the packed run, the other runs of its training, and trainings whose snapshots play in it"""
    places: dict[Path, str] = field(default_factory=dict)
    """file or folder here -> its name in the pack"""
    folders: list[Path] = field(default_factory=list)
    """those whose files are packed whole; they grow while the run is played"""
    opened: dict[str, BinaryIO] = field(default_factory=dict)
    """name in the pack -> a file that may be deleted meanwhile"""
    absent: dict[Path, None] = field(default_factory=dict)
    """what the settings name and the pack lacks: other models, and files that are gone"""

    def settings(self, place: Path | None, run: Run) -> dict[str, Any]:
        """Returns the settings of a run with the paths of the pack. `place`: the folder of the store that is packed."""
        return changed(run.settings, partial(self._moved, place))

    def _moved(self, place: Path | None, text: str) -> str:
        path = Path(absolute(place, text))
        if not path.is_absolute():
            return text
        home = self._home(path)
        if home is None:
            self.absent[path] = None
            return text
        return MARK + (Path(self.places[home]) / path.relative_to(home)).as_posix()

    def _home(self, path: Path) -> Path | None:
        """Returns the place that a path is in, the innermost if one lies in another."""
        return max(
            (here for here in self.places if path.is_relative_to(here)), key=lambda p: len(p.parts), default=None
        )

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yields each file but the log and those opened: name in the pack, path. Raises InputError for a link."""
        for here, name in self.places.items():
            if here.is_file():
                yield name, here
        for folder in self.folders:
            home = self._home(folder) or folder
            for path in sorted(p for p in folder.rglob("*") if p.is_symlink() or not p.is_dir()):
                _check_file(path, home)
                yield f"{self.places[home]}/{path.relative_to(home).as_posix()}", path


def _check_file(path: Path, home: Path) -> None:
    """Raises InputError unless it is a file and no link to elsewhere, because packs are sent to others."""
    leaves = not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(home))
    if leaves or (path.exists() and not path.is_file()):  # a checkpoint may be deleted meanwhile
        raise InputError(f"{path} is no file below {home}, but perhaps a link to one; replace it by a file")


def gather(store: Store, name: str, trust: bool, stack: ExitStack) -> PackContents:
    """Returns what belongs to a run. Files that may be deleted while it is packed stay open until the stack closes.

    Raises InputError for an unknown run, and for files that the database names and the user has not allowed.
    """
    runs, gate = store.runs(), TrustGate(store, trust)
    chosen = store.run(name)
    run = store.run(chosen.spec.training_name)
    family = [each for each in runs if each.spec.training_name == run.name]
    contents = PackContents(run, family)
    if run.kind == "training":
        _add_training(contents, run, gate, trust, stack)
    for other in runs:
        if other.kind == "training" and other.name != run.name and (used := _seated(run, other)):
            contents.runs.append(other)
            contents.places[Path(other.spec.folder)] = f"{RUNS}/{other.name}"
            contents.folders += used
            _check_folder(other, gate, trust)
    _add_plugins(contents, gate)
    contents.runs.sort(key=lambda each: each.id)
    for odd in (place for place in contents.places.values() if not is_name(place)):
        raise InputError(f"{odd!r} cannot be the name of a file in a pack; rename it")
    return contents


def _add_training(contents: PackContents, run: Run, gate: TrustGate, trust: bool, stack: ExitStack) -> None:
    """Add the folder of a training: its newest checkpoint now, so that the log, which is copied later, is no older."""
    folder, name = Path(run.spec.folder or "/nowhere"), f"{RUNS}/{run.name}"
    if not folder.is_dir():
        return
    _check_folder(run, gate, trust)
    contents.places[folder] = name
    opened = [*_newest_checkpoint(folder / CHECKPOINTS, stack)]
    opened += [(p, stack.enter_context(p.open("rb"))) for p in (folder / METRICS, folder / TIMING) if p.is_file()]
    for path, file in opened:
        _check_file(path, folder)
        contents.opened[f"{name}/{path.relative_to(folder).as_posix()}"] = file
    contents.folders.append(folder / SNAPSHOTS)


def _newest_checkpoint(folder: Path, stack: ExitStack) -> Sequence[tuple[Path, BinaryIO]]:
    from arena.learner import checkpoint

    while (newest := checkpoint.latest(folder)) is not None:
        with ExitStack() as files:
            try:
                opened = [(path, files.enter_context(path.open("rb"))) for path in sorted(newest.iterdir())]
            except FileNotFoundError:
                continue  # a newer one has replaced it
            stack.push(files.pop_all())
            return opened
    return []


def _check_folder(run: Run, gate: TrustGate, trust: bool) -> None:
    if not trust and not gate.readable(Path(run.spec.folder)):
        raise InputError(
            f"run {run.name!r} names the folder {run.spec.folder}, which is not below that of the database; if its "
            "files should be in the pack, type --trust-db"
        )


def _seated(run: Run, training: Run) -> list[Path]:
    """Returns the snapshots of a training that play in another run."""
    home, models = Path(training.spec.folder or "/nowhere"), dict[Path, None]()

    def collect(text: str) -> str:
        path = Path(absolute(run.place, text))
        if path.is_absolute() and path.is_relative_to(home) and path.is_dir():
            models[path] = None
        return text

    changed(run.settings, collect)
    return list(models)


def _add_plugins(contents: PackContents, gate: TrustGate) -> None:
    """Add the plugin files of all runs and what they import, with the folders that they share."""
    files: dict[Path, None] = {}
    for run in contents.runs:
        files |= {file: None for plugin in gate.plugin_files(run.spec) for file in plugins.files_of(plugin)}
    if files:
        base = Path(os.path.commonpath([file.parent for file in files]))
        contents.places |= {file: f"{PLUGINS}/{file.relative_to(base).as_posix()}" for file in files}
