"""Checkpoints: tensors in safetensors, everything else in JSON, complete or not there at all.

A checkpoint is a folder `step-00000012`. It is written under another name, flushed to the disk, and renamed; its
`manifest.json` lists every file with its size and CRC-32, so that what a crash or a full disk left behind is known
and passed over.
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
    """What was saved."""

    path: Path
    step: int
    tensors: dict[str, dict[str, Tensor]]
    """file name without ending -> name -> tensor, on the CPU"""
    state: dict[str, Any]


def save(
    folder: str | Path,
    step: int,
    *,
    tensors: Mapping[str, Mapping[str, Tensor]],
    state: Mapping[str, Any],
    keep: int = 3,
) -> Path:
    """Write a checkpoint and drop all but the newest `keep`. `state` is anything JSON can hold.

    Later steps than this one are none of the `keep` and stay: they were passed over as damaged, or the run went back.
    A process that dies at any moment leaves the checkpoints of before, or those and this one. Raises OSError.
    """
    if keep < 1:
        raise InputError(f"keep is {keep}; at least 1 checkpoint must be kept")
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    target, work = home / f"step-{step:08d}", home / f".step-{step:08d}.{os.getpid()}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try:
        _write(work, step, tensors, state)
        if target.exists():  # the same step again: the new one takes its place
            target.rename(home / f".old-{target.name}.{os.getpid()}")
        work.rename(target)
        _flush(home)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    _tidy(home, target, keep)
    return target


def _write(work: Path, step: int, tensors: Mapping[str, Mapping[str, Tensor]], state: Mapping[str, Any]) -> None:
    """All files of a checkpoint, on the disk when this returns."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    for name, group in tensors.items():
        try:
            save_file({k: t.detach().cpu().contiguous() for k, t in group.items()}, work / f"{name}.safetensors")
        except SafetensorError as error:  # so it calls a full disk
            raise OSError(str(error)) from error
    (work / "state.json").write_text(json.dumps(dict(state)), encoding="utf-8")
    files = {f.name: {"size": f.stat().st_size, "crc32": _crc32(f)} for f in sorted(work.iterdir())}
    (work / _MANIFEST).write_text(json.dumps({"step": step, "files": files}), encoding="utf-8")
    for file in work.iterdir():
        _flush(file)
    _flush(work)


def latest(folder: str | Path) -> Path | None:
    """The newest complete checkpoint, or None; a damaged one is warned of and passed over."""
    for path in reversed(_all(Path(folder))):
        if problem := _problem(path):
            log.warning("checkpoint %s is passed over: %s", path, problem)
        else:
            return path
    return None


def load(path: str | Path) -> Checkpoint:
    """Read a checkpoint. Raises InputError where it is not there or damaged."""
    from safetensors.torch import load_file

    place = Path(path)
    if problem := _problem(place):
        raise InputError(f"checkpoint {str(path)!r} cannot be read: {problem}")
    tensors = {file.stem: load_file(file) for file in sorted(place.glob("*.safetensors"))}
    step = json.loads((place / _MANIFEST).read_text(encoding="utf-8"))["step"]
    return Checkpoint(place, step, tensors, json.loads((place / "state.json").read_text(encoding="utf-8")))


def _all(home: Path) -> list[Path]:
    """All checkpoint folders, oldest first."""
    found = [(int(m[1]), p) for p in home.glob("step-*") if (m := _NAME.fullmatch(p.name))]
    return [path for _, path in sorted(found)]


def _problem(path: Path) -> str:
    """Why a checkpoint is not complete; "" where it is."""
    try:
        files = json.loads((path / _MANIFEST).read_text(encoding="utf-8"))["files"]
        for name, known in files.items():
            file = path / name
            if file.stat().st_size != known["size"] or _crc32(file) != known["crc32"]:
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
    """Have a file, or the names in a folder, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _tidy(home: Path, newest: Path, keep: int) -> None:
    """Remove the oldest checkpoints and what dead processes left half written."""
    known = _all(home)
    for path in [*known[: known.index(newest) + 1][:-keep], *home.glob(".step-*"), *home.glob(".old-*")]:
        shutil.rmtree(path, ignore_errors=True)
