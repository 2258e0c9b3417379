"""Writes a pack."""

from __future__ import annotations

import os
import tempfile
import zipfile
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

import arena
from games import InputError
from games.errors import InfrastructureError
from league.config.database_url import DatabaseUrl
from league.pack.contents import PackContents, gather
from league.pack.manifest import (
    FORMAT,
    LOG,
    MANIFEST,
    Manifest,
    PackedFile,
    ShowProgress,
    copy,
    counted,
    is_name,
    silent,
)
from league.reports.reproduce import file_stem
from league.store import Store
from league.store.export import whole_file
from league.store.schema import VERSION

_STORED = (".safetensors",)
"""suffixes of files that do not shrink"""


class PackedRun(msgspec.Struct, frozen=True):
    """What was written."""

    file: Path
    runs: tuple[str, ...]
    files: int
    size: int
    """bytes of the pack"""
    absent: tuple[Path, ...]
    """files and folders that the settings name and that are not packed"""


def pack_run(
    db: DatabaseUrl | str, name: str, out: Path | None = None, *, trust: bool = False, show: ShowProgress = silent
) -> PackedRun:
    """Write a run into one file, which appears when it is complete; another process may play the run meanwhile.

    `out`: the file; None: the name of the run. `trust`: pack files that the database names and the user has not
    allowed. Raises InputError.
    """
    out = out or Path(f"{file_stem(name)}.arena")
    if out.exists() and not out.is_file():
        raise InputError(f"cannot write {out}: it is not a regular file; name another --out")
    try:
        with Store.open(db, read_only=True) as store, ExitStack() as stack:
            contents = gather(store, name, trust, stack)
            file = stack.enter_context(whole_file(out))
            work = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.")))
            _copy_log(store, contents, work / LOG, show)
            manifest = _write(file, contents, work / LOG, show)
    except OSError as error:
        raise InfrastructureError(f"{out} is not written: {error}") from error
    names = tuple(run.name for run in contents.runs)
    return PackedRun(out, names, len(manifest.files), out.stat().st_size, tuple(contents.absent))


def _copy_log(store: Store, contents: PackContents, path: Path, show: ShowProgress) -> None:
    with Store.open(str(path), synchronous="NORMAL") as target, show(f"rows of {contents.run.name}", 0) as progress:
        target.copy_runs(store, contents.runs, partial(contents.settings, store.place), progress)


def _write(file: BinaryIO, contents: PackContents, log: Path, show: ShowProgress) -> Manifest:
    """Write the entries. Snapshots are listed only now that the log is copied: it names no later ones."""
    entries: list[tuple[str, Path | BinaryIO]] = [(LOG, log), *contents.opened.items(), *contents.files()]
    total, files = sum(_size(source) for _, source in entries), dict[str, PackedFile]()
    with zipfile.ZipFile(file, "w") as archive, show(f"bytes of {contents.run.name}", total) as progress:
        add = counted(progress, total)
        for name, source in entries:
            if not is_name(name) or name in files:
                raise InputError(f"{name!r} cannot be the name of a file in a pack; rename it")
            with source.open("rb") if isinstance(source, Path) else nullcontext(source) as stream:
                info = zipfile.ZipInfo(name)
                info.compress_type = zipfile.ZIP_STORED if name.endswith(_STORED) else zipfile.ZIP_DEFLATED
                with archive.open(info, "w", force_zip64=True) as target:
                    files[name] = copy(stream, target, _size(source), add)
        manifest = Manifest(FORMAT, arena.__version__, VERSION, contents.run.name, files)
        archive.writestr(MANIFEST, msgspec.json.encode(manifest), zipfile.ZIP_DEFLATED)
    return manifest


def _size(source: Path | BinaryIO) -> int:
    """Returns the bytes of a file now; a training appends to some."""
    return os.stat(source if isinstance(source, Path) else source.fileno()).st_size
