"""Workers whose matches do not count: events of the run exclude and include them, so nothing is deleted."""

from __future__ import annotations

import msgspec

from league.store import Run, Store
from league.store.runs import read_line

EXCLUDE, INCLUDE = "strike", "unstrike"
"""kinds of the run's events; each holds an `ExcludedWorker`"""


class ExcludedWorker(msgspec.Struct, frozen=True):
    """A worker that is excluded, or included again, and the reason."""

    worker: str
    reason: str = ""


def excluded_workers(store: Store, run: Run) -> frozenset[str]:
    """Returns the workers whose matches do not count now."""
    excluded: set[str] = set()
    for event in store.events(run):
        if event.kind in (EXCLUDE, INCLUDE):
            worker = read_line(event, ExcludedWorker).worker
            (excluded.add if event.kind == EXCLUDE else excluded.discard)(worker)
    return frozenset(excluded)
