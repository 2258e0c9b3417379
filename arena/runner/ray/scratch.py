"""The folder for a worker's files: plugins, snapshots. A worker may be killed, so the next one removes its folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

_LOCK = "alive"
"""file in each folder, locked for the lifetime of its process"""
_open_locks: list[IO[bytes]] = []


@cache
def folder() -> Path:
    """Returns this process's folder. Creating it removes the folders of dead processes."""
    parent = Path(tempfile.gettempdir()) / f"arena-workers-{os.getuid()}"
    parent.mkdir(mode=0o700, exist_ok=True)
    with (parent / ".lock").open("wb") as mutex:  # else a new folder could be removed before its own lock is taken
        fcntl.flock(mutex, fcntl.LOCK_EX)
        for other in parent.iterdir():
            if other.is_dir() and _is_abandoned(other):
                shutil.rmtree(other, ignore_errors=True)
        created = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=parent))
        lock = (created / _LOCK).open("wb")
        fcntl.flock(lock, fcntl.LOCK_EX)
        _open_locks.append(lock)  # closing the file would release the lock
    return created


def remove() -> None:
    """Remove this process's folder, if it has one."""
    if folder.cache_info().currsize:
        shutil.rmtree(folder(), ignore_errors=True)
        folder.cache_clear()
        while _open_locks:
            _open_locks.pop().close()


def _is_abandoned(path: Path) -> bool:
    with suppress(OSError), (path / _LOCK).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return not (path / _LOCK).exists()
