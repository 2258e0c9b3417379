"""A folder for the files of a worker: plugins, snapshots. Workers are killed, so the next one tidies up after them."""

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
"""in each folder: locked for as long as the process lives"""
_held: list[IO[bytes]] = []


@cache
def folder() -> Path:
    """This process's own folder. Those of processes that are gone are removed first."""
    place = Path(tempfile.gettempdir()) / f"arena-workers-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    with (place / ".lock").open("wb") as turn:  # nobody sweeps between the making of a folder and its lock
        fcntl.flock(turn, fcntl.LOCK_EX)
        for other in place.iterdir():
            if other.is_dir() and _abandoned(other):
                shutil.rmtree(other, ignore_errors=True)
        mine = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=place))
        lock = (mine / _LOCK).open("wb")
        fcntl.flock(lock, fcntl.LOCK_EX)
        _held.append(lock)  # an open file is what holds the lock
    return mine


def remove() -> None:
    """Remove this process's folder, if it has one: nothing in it is needed any more."""
    if folder.cache_info().currsize:
        shutil.rmtree(folder(), ignore_errors=True)
        folder.cache_clear()
        while _held:
            _held.pop().close()


def _abandoned(place: Path) -> bool:
    with suppress(OSError), (place / _LOCK).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return not (place / _LOCK).exists()
