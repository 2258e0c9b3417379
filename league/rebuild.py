"""Standings from the log. They are a cache: made again from the results at any time, bit for bit."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from league.ratings.bulk import bulk_table
from league.standings import Snapshot
from league.store import Run, Store
from league.stored import rated_games, ratings_for
from league.strikes import counted, struck
from league.trust import find_plugins

# Names what made a cached table; change it with everything that changes a number in one.
ALGORITHM = "skill-model/9"


def compute(store: Store, run: Run) -> Snapshot:
    """The standings as the log has them now, struck workers left out."""
    ratings, out = ratings_for(run.config), struck(store, run)
    results = counted(store.results(run), out)  # first, because it says which row is damaged
    table = bulk_table(store.columns(run), rated_games(run.config), list(run.config["plays"]), out)
    ratings.fill(results, table)
    return ratings.settled(run.name, store.counts(run))


def save(store: Store, run: Run, snapshot: Snapshot) -> None:
    """Cache a run's standings as of its last result."""
    counts = store.counts(run)
    store.save_standings(run, _encode(snapshot), counts.finished + counts.void, _algorithm(store, run))


def read_snapshot(db: str, name: str | None = None, *, trust: bool = False) -> Snapshot:
    """The standings of a run, read without touching its store: cached where nothing was played since, else computed.

    `trust`: run the plugin file of its rating method, if that is needed, although this user never did: `league.trust`.
    """
    with Store.open(db, read_only=True) as store:
        run = store.run(name)
        counts = store.counts(run)
        cached = store.load_standings(run, _algorithm(store, run))
        if cached is not None and cached[1] == counts.finished + counts.void:
            with suppress(msgspec.MsgspecError):  # a damaged cache is made again
                return msgspec.structs.replace(msgspec.json.decode(cached[0], type=Snapshot), matches=counts)
        find_plugins(store, run.config, trust)
        return compute(store, run)


def compare(store: Store, run: Run) -> tuple[str, bool]:
    """How the cached standings compare with those that follow from the log, in words, and whether that is as it should.

    Standings of another version of the program, or of fewer results, say nothing: they are made again when needed.
    """
    counts, cached = store.counts(run), store.load_standings(run, _algorithm(store, run))
    ended = counts.finished + counts.void
    if cached is None:
        return "none are cached", True
    if cached[1] > ended:
        return f"the cached ones are of {cached[1]:,} results, the log has {ended:,}", False
    if cached[1] < ended:
        return f"the cached ones are of the first {cached[1]:,} results", True
    if cached[0] == _encode(compute(store, run)):
        return "the cached ones follow from the log", True
    return "the cached ones do NOT follow from the log; `arena rebuild` makes them again", False


def rebuild(db: str, name: str | None = None, *, trust: bool = False) -> str:
    """Make the standings again from the log and cache them; says whether the cached ones were the same.

    `trust`: as in `read_snapshot`.
    """
    with Store.open(db, make=False) as store:
        run = store.run(name)
        find_plugins(store, run.config, trust)
        before = store.load_standings(run, _algorithm(store, run))
        snapshot = compute(store, run)
        save(store, run, snapshot)
    ended = snapshot.matches.finished + snapshot.matches.void
    found = f"{run.name}: standings made again from {ended:,} results"
    if before is None:
        return f"{found}; none were cached"
    if before[1] != ended:
        return f"{found}; the cached ones were of the first {before[1]:,}"
    return f"{found}; {'identical to' if before[0] == _encode(snapshot) else 'NOT the same as'} the cached ones"


def _algorithm(store: Store, run: Run) -> str:
    """What makes the tables now: struck workers are a part of it."""
    return "-".join((ALGORITHM, *sorted(struck(store, run))))


def _encode(snapshot: Snapshot) -> bytes:
    """The part of a snapshot that is a function of the log, as JSON."""
    return msgspec.json.encode(msgspec.structs.replace(snapshot, matches=type(snapshot.matches)()))
