"""The heads of all journals that this machine wrote or read: a free witness against logs that are cut or replaced.

Whoever can write to a database can make its chains again. What they cannot do is to change what other machines
remember: the longest journal of each run, by the id of its store, in the state folder.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path

from games.files import write_whole
from league.store import Run, Store
from league.trust.memory import state_dir

log = logging.getLogger(__name__)

FOLDER = "heads"


def witness(store: Store, run: Run) -> str:
    """Compare a run with what this machine remembers of it, and remember it. Returns the contradiction, or ""."""
    file, key = _file(store), str(run.id)
    if file is None:
        return ""
    heads = _read(file)
    now = store.journal_head(run)
    length, digest = heads.get(key, (0, ""))
    if length > now.length:
        return (
            f"this machine has seen {length:,} entries of the journal of run {run.name!r} and {store.url} holds "
            f"{now.length:,}: the log was cut, or an older copy was restored; if you did that, remove {file}"
        )
    if length and store.journal_digest(run, length).hex() != digest:
        return (
            f"the journal of run {run.name!r} in {store.url} is not the one that this machine has seen: entry "
            f"{length:,} was {digest[:16]}; if you replaced the log, remove {file}"
        )
    if now.length > length:
        _write(file, heads | {key: (now.length, now.digest.hex())})
    return ""


def warn_of_changes(store: Store, run: Run) -> None:
    """Log a warning if a run is not the one that this machine remembers."""
    if change := witness(store, run):
        log.warning("%s", change)


def _file(store: Store) -> Path | None:
    """Returns the file of a store; its id comes from the database, so it does not choose the name."""
    if not store.id:
        return None
    return state_dir() / FOLDER / f"{hashlib.sha256(store.id.encode()).hexdigest()[:32]}.json"


def _read(file: Path) -> dict[str, tuple[int, str]]:
    try:
        heads = json.loads(file.read_text(encoding="utf-8"))
        return {str(key): (int(length), str(digest)) for key, (length, digest) in heads.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        log.warning("cannot read %s, so its heads are not compared: %s", file, error)
        return {}


def _write(file: Path, heads: Mapping[str, tuple[int, str]]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(file, json.dumps(heads))
    except OSError as error:
        log.warning("the head of this run is not remembered: cannot write %s: %s", file, error.strerror)
