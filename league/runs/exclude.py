"""Excluding a worker's matches from the standings of a run, and including them again."""

from __future__ import annotations

import msgspec

from games import InputError, UnknownName
from league.config.database_url import DatabaseUrl
from league.runs.excluded_workers import EXCLUDE, INCLUDE, ExcludedWorker, excluded_workers
from league.runs.rebuild import compute, save
from league.store import Store
from league.trust import find_plugins


def exclude_worker(
    db: DatabaseUrl | str, name: str | None, worker: str, *, undo: bool = False, reason: str = "", trust: bool = False
) -> str:
    """Exclude a worker, or include it again with `undo`, and rebuild the standings. Returns what was done.

    `name` is the run, None: the newest. Raises InputError for a worker that played no match or already is in that
    state.
    """
    with Store.open(db, make=False) as store:
        run = store.run(name)
        find_plugins(store, run.spec, trust)
        played = [result.worker for result in store.results(run)]
        workers, excluded = dict.fromkeys(w for w in played if w), excluded_workers(store, run)
        if worker not in workers:
            raise UnknownName(f"worker of run {run.name!r}", worker, workers)
        if (worker in excluded) is not undo:
            state = "not excluded" if undo else "excluded already"
            raise InputError(f"worker {worker!r} of run {run.name!r} is {state}")
        event = msgspec.json.encode(ExcludedWorker(worker, reason)).decode()
        store.add_event(run, INCLUDE if undo else EXCLUDE, event)
        save(store, run, compute(store, run))
    state = "count again" if undo else "are excluded"
    return f"{run.name}: the {played.count(worker):,} matches of {worker} {state}; standings rebuilt"
