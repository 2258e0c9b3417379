"""Checkpoints: tensors in safetensors, everything else in JSON, written atomically.

Each process of a learner writes its part of the tensors into the folder, and reads what it needs of all parts.

A checkpoint is a folder `step-00000012`. It is written under a temporary name, flushed to disk and renamed. Its
`manifest.json` lists the size and CRC-32 of every file, so that damage by a crash or a full disk is detected and the
checkpoint skipped.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena.learner.stored_tensors import stored_groups
from games import ArenaError, InputError

if TYPE_CHECKING:
    from torch import Tensor

log = logging.getLogger(__name__)

_NAME = re.compile(r"step-(\d{8,})")
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The contents of a checkpoint."""

    path: Path
    step: int
    tensors: Mapping[str, Mapping[str, Tensor]]
    """group -> name -> tensor, read when it is asked for"""
    state: dict[str, Any]
    prefix: str = ""
    """of the names of the groups in the folder"""

    def part(self, prefix: str, state: dict[str, Any]) -> Checkpoint:
        """Returns what belongs to one trainer: the groups whose names begin so, without the beginning."""
        tensors = {name.removeprefix(prefix): t for name, t in self.tensors.items() if name.startswith(prefix)}
        return Checkpoint(self.path, self.step, tensors, state, self.prefix + prefix)


def save(
    folder: str | Path,
    step: int,
    *,
    write: Callable[[Path], None],
    state: Mapping[str, Any],
    files: Mapping[str, bytes] | None = None,
    keep: int = 3,
) -> Path:
    """Write a checkpoint and delete all but the newest `keep`. Raises OSError.

    `write` puts the files with tensors into a folder. `state` must be JSON-serialisable. `files` maps names to
    contents; read them from `Checkpoint.path`.

    Checkpoints of later steps neither count nor are deleted: they are damaged, or the run was reset to an earlier step.
    A crash at any moment leaves the earlier checkpoints intact and this one either complete or absent.
    """
    if keep < 1:
        raise InputError(f"keep is {keep}; at least 1 checkpoint must be kept")
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    target, work = home / f"step-{step:08d}", home / f".step-{step:08d}.{os.getpid()}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try:
        write(work)
        _complete(work, step, state, files or {})
        if target.exists():  # replace the checkpoint of the same step
            target.rename(home / f".old-{target.name}.{os.getpid()}")
        work.rename(target)
        _flush(home)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    _tidy(home, target, keep)
    return target


def _complete(work: Path, step: int, state: Mapping[str, Any], extra: Mapping[str, bytes]) -> None:
    """Write the files without tensors, and the manifest of all; flush them to disk."""
    (work / "state.json").write_text(json.dumps(dict(state)), encoding="utf-8")
    for name, data in extra.items():
        (work / name).write_bytes(data)
    files = {f.name: {"size": f.stat().st_size, "crc32": _crc32(f)} for f in sorted(work.iterdir())}
    (work / _MANIFEST).write_text(json.dumps({"step": step, "files": files}), encoding="utf-8")
    for file in work.iterdir():
        _flush(file)
    _flush(work)


def latest(folder: str | Path) -> Path | None:
    """Returns the newest complete checkpoint, or None. Skips damaged ones with a warning."""
    for path in reversed(paths(Path(folder))):
        if problem := _problem(path):
            log.warning("skipping checkpoint %s: %s", path, problem)
        else:
            return path
    return None


def load(path: str | Path) -> Checkpoint:
    """Open a checkpoint. Raises InputError if it is missing or damaged."""
    place = Path(path)
    if problem := _problem(place):
        raise InputError(f"checkpoint {str(path)!r} cannot be read: {problem}")
    return opened(place)


@contextmanager
def reading(place: Path) -> Iterator[None]:
    """Raise InputError where a checkpoint holds what no training writes: it may come with somebody's pack."""
    from safetensors import SafetensorError

    damage = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, EOFError, OSError)
    try:
        yield
    except ArenaError:
        raise
    except (*damage, zlib.error, msgspec.MsgspecError, SafetensorError) as error:
        raise InputError(
            f"the checkpoint {place} holds what no training writes ({type(error).__name__}: {error!s:.100}); restore a "
            "copy of it, or delete it to resume from the one before"
        ) from error


def opened(place: Path) -> Checkpoint:
    """Open a checkpoint that was checked, by this process or another one."""
    step = json.loads((place / _MANIFEST).read_text(encoding="utf-8"))["step"]
    state = json.loads((place / "state.json").read_text(encoding="utf-8"))
    return Checkpoint(place, step, stored_groups(place), state)


def paths(home: Path) -> list[Path]:
    """Returns all checkpoint folders, oldest first."""
    checkpoints = [(int(m[1]), p) for p in home.glob("step-*") if (m := _NAME.fullmatch(p.name))]
    return [path for _, path in sorted(checkpoints)]


def _problem(path: Path) -> str:
    """Returns why a checkpoint is incomplete; "" if it is complete."""
    try:
        files = json.loads((path / _MANIFEST).read_text(encoding="utf-8"))["files"]
        for name, entry in files.items():
            file = path / name
            if file.stat().st_size != entry["size"] or _crc32(file) != entry["crc32"]:
                return f"{name} is damaged"
    except OSError as error:
        return f"{Path(error.filename or path).name} is missing or unreadable"
    except (ValueError, KeyError, TypeError):
        return f"{_MANIFEST} is damaged"
    return ""


def _crc32(file: Path) -> int:
    value = 0
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            value = zlib.crc32(block, value)
    return value


def _flush(path: Path) -> None:
    """Flush a file, or the names in a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _tidy(home: Path, newest: Path, keep: int) -> None:
    """Delete the oldest checkpoints and incomplete ones of crashed processes."""
    folders = paths(home)
    for path in [*folders[: folders.index(newest) + 1][:-keep], *home.glob(".step-*"), *home.glob(".old-*")]:
        shutil.rmtree(path, ignore_errors=True)
