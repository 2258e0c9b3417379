"""Opens a pack: checks and unpacks it into a new folder, whose store is a copy with an id of its own."""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from games import InputError
from league.pack.contents import SNAPSHOTS
from league.pack.manifest import (
    DAMAGE,
    LOG,
    Manifest,
    ShowProgress,
    copy,
    counted,
    damaged,
    read_manifest,
    silent,
)
from league.records.run_spec import RunSpec
from league.reports.reproduce import file_stem, reproduction
from league.store import Run, Store
from league.store.paths import changed, from_store
from league.trust import Capability, of_game, of_model, of_player, of_roles, of_tasks


class OpenedRun(msgspec.Struct, frozen=True):
    """A run in its new folder."""

    run: str
    kind: str
    folder: Path
    db: str
    """the file of the store"""
    settings: str
    """the name of the settings file, which continues the run"""
    game: str
    """its first game"""
    matches: int
    snapshots: bool
    """whether it has snapshots that can play"""
    plugins: tuple[str, ...]
    """plugin files of the run, relative to the folder"""
    effects: tuple[str, ...]
    """what its games and players do beyond computing, as the end of the sentence `it would ...`"""


def open_pack(file: Path, folder: Path | None = None, *, show: ShowProgress = silent) -> OpenedRun:
    """Unpacks a run into a new folder, which appears when it is complete; runs no code of the pack.

    `folder`: None stands for the name of the run in the working directory. Raises InputError for a file that is no
    pack, is damaged or of a newer arena, and for a folder that exists.
    """
    with _archive(file) as archive:
        manifest = read_manifest(archive, str(file))
        target = folder or Path(file_stem(manifest.run))
        with _new_folder(target, file, manifest) as work:
            _unpack(archive, file, manifest, work, show)
            return _opened(manifest, work, target)


@contextmanager
def _archive(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        raise InputError(f"{file} is not a pack, or not a whole one; `arena pack RUN -o FILE` writes one") from None
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from None
    with archive:
        yield archive


@contextmanager
def _new_folder(target: Path, file: Path, manifest: Manifest) -> Iterator[Path]:
    """A folder that gets its name when it is complete; a failure leaves nothing behind."""
    if os.path.lexists(target):
        raise InputError(f"{target} exists already; name another folder: arena open {file} FOLDER")
    parent = Path(os.path.abspath(target)).parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=parent, prefix=f".{target.name}."))
    except OSError as error:
        raise InputError(f"cannot make the folder {target}: {error.strerror}; name another one") from None
    try:
        if (free := shutil.disk_usage(work).free) < 2 * manifest.size:
            raise InputError(f"{file} needs {2 * manifest.size:,} bytes and {parent} has {free:,}; name another folder")
        yield work
        work.chmod(0o755)
        work.rename(target)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def _unpack(archive: zipfile.ZipFile, file: Path, manifest: Manifest, work: Path, show: ShowProgress) -> None:
    with show(f"bytes of {manifest.run}", manifest.size) as progress:
        add = counted(progress, manifest.size)
        for name, packed in manifest.files.items():
            path = work / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, path.open("xb") as target:
                    written = copy(source, target, packed.size, add)
            except DAMAGE as error:
                raise damaged(str(file), f"{name!r} cannot be read ({error})") from None
            except OSError as error:
                raise InputError(f"cannot write {name!r} of {file}: {error.strerror or error}") from None
            if written != packed:
                raise damaged(str(file), f"the content of {name!r} is not what was packed")


def _opened(manifest: Manifest, work: Path, target: Path) -> OpenedRun:
    """Give the store its own id, and write the settings file: from the log, because `verify` checks that one."""
    with Store.open(str(work / LOG), make=False) as store:
        store.renew_id()
        run = store.run(manifest.run)
        spec, counts, home = run.spec, store.counts(run), Path(os.path.realpath(work))
    final = Path(os.path.realpath(target.parent), target.name)
    inside = bool(spec.folder) and Path(spec.folder).is_relative_to(home)
    folder = {"folder": os.path.relpath(spec.folder, home)} if inside else {}
    again = reproduction(_in_folder(run, home, final), here=True, db=f"sqlite:///{LOG}", plugins=None, **folder)
    (work / again.file).write_text(again.toml, encoding="utf-8")
    code = [Path(file) for file in spec.plugins if Path(file).is_relative_to(home)]
    effects = [
        capability.effect.replace(str(home), str(final))
        for capability in capabilities_of(spec)
        if not (capability.folder is not None and capability.folder.is_relative_to(home))
    ]
    return OpenedRun(
        run=run.name,
        kind=spec.kind,
        folder=target,
        db=LOG,
        settings=again.file,
        game=next(iter(spec.games), ""),
        matches=counts.finished + counts.void,
        snapshots=any(f"/{SNAPSHOTS}/" in name for name in manifest.files),
        plugins=tuple(str(file.relative_to(home)) for file in code),
        effects=tuple(dict.fromkeys(effects)),
    )


def _in_folder(run: Run, home: Path, final: Path) -> Run:
    """Returns the run with its paths in the folder `final` instead of `home`."""

    def moved(text: str) -> str:
        return str(final / Path(text).relative_to(home)) if Path(text).is_relative_to(home) else text

    return msgspec.structs.replace(run, settings=changed(from_store(run.settings, home), moved), place=None)


def capabilities_of(spec: RunSpec) -> Iterator[Capability]:
    """Yields what the games, players, models, roles and suites of a run would do. Raises InputError."""
    settings = spec.training
    for id in spec.games:
        yield from of_game(id)
    for player in spec.players:
        yield from of_player(player.player)
    for policy in settings.policies:
        yield from of_model(policy.policy.model) if policy.policy.model else ()
        yield from of_roles(policy.roles.values())
    for suite in settings.suite:
        yield from of_tasks(suite)
