"""The folder of a training from any working directory: a stored relative path belongs to the place of its database."""

from __future__ import annotations

import os
from pathlib import Path


def find_folder(folder: str, place: Path | None) -> Path:
    """The folder that a run stores, as an absolute path if it is there.

    A relative one is looked for below the folder of the database (`place`) and the folders above it, and then below the
    working directory, where old trainings with a database elsewhere were started. A project that is moved as a whole
    thereby keeps its curves and players. An absolute one that is gone is looked for below the folder of the database,
    by the longest end of its path that is there: `/old/runs/x` as `old/runs/x`, `runs/x`, `x`.
    """
    stored = Path(folder)
    if stored.is_absolute():
        return stored if place is None or stored.is_dir() else _moved(stored, place)
    above = () if place is None else (place, *place.parents)
    found = (base / stored for base in above if (base / stored).is_dir())
    return next(found, Path(os.path.abspath(stored)))


def _moved(stored: Path, place: Path) -> Path:
    parts = stored.parts[1:]
    ends = (place.joinpath(*parts[start:]) for start in range(len(parts)) if ".." not in parts)
    return next((end for end in ends if end.is_dir()), stored)


def stored_folder(folder: Path, place: Path | None) -> str:
    """What a new run stores: the path as it is given if `find_folder` finds it from anywhere, else an absolute one."""
    if not folder.is_absolute() and place is not None:
        for base in (place, *place.parents):
            if (base / folder).is_dir():
                if os.path.realpath(base / folder) == os.path.realpath(folder):
                    return str(folder)
                break
    return os.path.abspath(folder)
