"""Plugins, folders and the store."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from arena.cache import cache_dir
from games import ArenaError, plugins
from league.config.database_url import DEFAULT_DB, DatabaseUrl
from league.doctor.diagnosis import Diagnosis
from league.doctor.machine import GIB
from league.store import Store
from league.trust.memory import state_dir


def installed_plugins() -> Iterator[Diagnosis]:
    """Yields one line for each plugin of an installed package or a file."""
    for group in plugins.GROUPS:
        for name, entry in plugins.entries(group).items():
            label = f"{group.removeprefix('arena.')} {name}"
            try:
                entry.load()
            except Exception as error:  # noqa: BLE001  a plugin can raise anything at import
                detail = f"{entry.origin} is broken: {plugins.reason(error)}"
                yield Diagnosis("plugins", label, "wrong", detail)
            else:
                yield Diagnosis("plugins", label, "ok", entry.origin)
    for misplaced in plugins.misplaced():
        yield Diagnosis("plugins", misplaced.group, "wrong", str(misplaced))


def folders() -> Iterator[Diagnosis]:
    """Yields whether the arena's folders can be written to."""
    for name, folder, variable in (
        ("cache", cache_dir(), "ARENA_CACHE"),
        ("state", state_dir(), "ARENA_STATE"),
        ("here", Path.cwd(), ""),
    ):
        existing = next(path for path in (folder, *folder.parents) if path.is_dir())
        free = f"{shutil.disk_usage(existing).free / GIB:.1f} GiB free"
        try:
            with tempfile.NamedTemporaryFile(dir=existing):
                pass
        except OSError as error:
            fix = f"export {variable}=FOLDER" if variable else ""
            yield Diagnosis("folders", name, "wrong", f"cannot write to {folder}: {error.strerror}", fix)
        else:
            yield Diagnosis("folders", name, "ok", f"{folder}, {free}")


def store(db: DatabaseUrl | str | None) -> Diagnosis:
    """Returns whether a store can be opened, and what it holds."""
    url = db or DEFAULT_DB
    if db is None and not os.path.exists(DEFAULT_DB.path or ""):
        return Diagnosis("store", "store", "note", f"{url} does not exist yet; the first run creates it")
    try:
        with Store.open(url, read_only=True) as opened:
            return Diagnosis("store", "store", "ok", f"{opened.url} holds {len(opened.runs()):,} runs")
    except ArenaError as error:
        return Diagnosis("store", "store", "wrong", str(error))
