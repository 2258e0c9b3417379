"""Workers whose matches are struck out: lines in the run's diary, never a deletion, so that it can be undone."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from games import InputError, UnknownName
from league.faults import strike_out, worker_of
from league.records import Result
from league.store import Run, Store
from league.store.runs import read_line

STRIKE, UNDO = "strike", "unstrike"
"""kinds of the diary's lines; each holds a `Strike`"""


class Strike(msgspec.Struct, frozen=True):
    """Who is struck out, or taken in again, and why."""

    worker: str
    reason: str = ""


def struck(store: Store, run: Run) -> frozenset[str]:
    """The workers whose matches do not count now."""
    out: set[str] = set()
    for event in store.events(run):
        if event.kind in (STRIKE, UNDO):
            worker = read_line(event, Strike).worker
            (out.add if event.kind == STRIKE else out.discard)(worker)
    return frozenset(out)


def counted(results: Iterable[Result], out: Collection[str]) -> list[Result]:
    """The results that count."""
    return strike_out(results, worker_of, out) if out else list(results)


def strike(db: str, name: str | None, worker: str, *, undo: bool = False, reason: str = "", trust: bool = False) -> str:
    """Strike out a worker of a run, or undo it, and make the standings again. Returns what was done.

    Raises InputError for a worker that played nothing, is struck out already, or was not.
    """
    from league.rebuild import compute, save
    from league.trust import find_plugins

    with Store.open(db, make=False) as store:
        run = store.run(name)
        find_plugins(store, run.config, trust)
        played = [result.worker for result in store.results(run)]
        known, out = dict.fromkeys(w for w in played if w), struck(store, run)
        if worker not in known:
            raise UnknownName(f"worker of run {run.name!r}", worker, known)
        if (worker in out) is not undo:
            raise InputError(f"worker {worker!r} of run {run.name!r} is {'not ' if undo else ''}struck out already")
        line = msgspec.json.encode(Strike(worker, reason)).decode()
        store.add_event(run, UNDO if undo else STRIKE, line)
        save(store, run, compute(store, run))
    what = "count again" if undo else "are struck out"
    return f"{run.name}: the {played.count(worker):,} matches of {worker} {what}; standings made again"
