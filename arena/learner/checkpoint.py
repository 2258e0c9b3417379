"""Checkpoints: tensors in safetensors, everything else in JSON, written atomically.

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
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games import InputError

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
    tensors: dict[str, dict[str, Tensor]]
    """file name without suffix -> name -> tensor, on the CPU"""
    state: dict[str, Any]


def save(
    folder: str | Path,
    step: int,
    *,
    tensors: Mapping[str, Mapping[str, Tensor]],
    state: Mapping[str, Any],
    files: Mapping[str, bytes] | None = None,
    keep: int = 3,
) -> Path:
    """Write a checkpoint and delete all but the newest `keep`. Raises OSError.

    `state` must be JSON-serialisable. `files` maps names to contents; read them from `Checkpoint.path`.

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
        _write(work, step, tensors, state, files or {})
        if target.exists():  # replace the checkpoint of the same step
            target.rename(home / f".old-{target.name}.{os.getpid()}")
        work.rename(target)
        _flush(home)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    _tidy(home, target, keep)
    return target


def _write(
    work: Path,
    step: int,
    tensors: Mapping[str, Mapping[str, Tensor]],
    state: Mapping[str, Any],
    extra: Mapping[str, bytes],
) -> None:
    """Write all files of a checkpoint and flush them to disk."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    for name, group in tensors.items():
        try:
            save_file({k: t.detach().cpu().contiguous() for k, t in group.items()}, work / f"{name}.safetensors")
        except SafetensorError as error:  # raised when the disk is full
            raise OSError(str(error)) from error
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
    """Read a checkpoint. Raises InputError if it is missing or damaged."""
    from safetensors.torch import load_file

    place = Path(path)
    if problem := _problem(place):
        raise InputError(f"checkpoint {str(path)!r} cannot be read: {problem}")
    tensors = {file.stem: load_file(file) for file in sorted(place.glob("*.safetensors"))}
    step = json.loads((place / _MANIFEST).read_text(encoding="utf-8"))["step"]
    return Checkpoint(place, step, tensors, json.loads((place / "state.json").read_text(encoding="utf-8")))


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
