"""Standings computed from the results. Stored standings are a cache, which a rebuild reproduces bit for bit."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from arena.gc_thresholds import rare_collections
from games import ArenaError
from league.config.database_url import DatabaseUrl
from league.records.leaderboard import Leaderboard
from league.runs.ratings import ratings_for
from league.store import Run, Store
from league.trust import find_plugins

if TYPE_CHECKING:
    from league.ratings.engine import RatingEngine

# The version of what computes cached standings: change it with every change of a number in them.
ALGORITHM = "skill-model/19"


def compute(store: Store, run: Run) -> Leaderboard:
    """Returns the standings that follow from the log now."""
    return _final(store, run, _filled(store, run))


def save(store: Store, run: Run, snapshot: Leaderboard) -> None:
    """Cache a run's standings after its last result."""
    counts = store.counts(run)
    store.save_standings(run, _encode(snapshot), counts.finished + counts.void, _algorithm(run))


def read_snapshot(db: DatabaseUrl | str, name: str | None = None, *, trust: bool = False) -> Leaderboard:
    """Returns the standings of a run, without a change to its store: cached ones if current, else computed.

    `trust` loads the plugin file of its rating method even if this user never ran it: see `league.trust`.
    """
    with Store.open(db, read_only=True) as store:
        run = store.run(name)
        counts = store.counts(run)
        cached = store.load_standings(run, _algorithm(run))
        if cached is not None and cached[1] == counts.finished + counts.void:
            with suppress(msgspec.MsgspecError, RecursionError):  # recompute a damaged cache
                return msgspec.structs.replace(msgspec.json.decode(cached[0], type=Leaderboard), matches=counts)
        find_plugins(store, run.spec, trust)
        return compute(store, run)


def compare(store: Store, run: Run) -> tuple[str, bool]:
    """Compare the cached standings with those that follow from the results. Returns a sentence, and whether they agree.

    Standings of another version of the program or of fewer results are not compared; they are recomputed when needed.
    """
    counts, cached = store.counts(run), store.load_standings(run, _algorithm(run))
    ended = counts.finished + counts.void
    if cached is None:
        return "none are cached", True
    if cached[1] > ended:
        return f"the cached ones are of {cached[1]:,} results, the log has {ended:,}", False
    if cached[1] < ended:
        return f"the cached ones are of the first {cached[1]:,} results", True
    if cached[0] == _encode(compute(store, run)):
        return "the cached ones follow from the log", True
    return "the cached ones do NOT follow from the log; `arena rebuild` recomputes them", False


def rebuild(db: DatabaseUrl | str, name: str | None = None, *, trust: bool = False) -> str:
    """Recompute outcomes and standings from the results and store them. Returns in words whether they were the same.

    `trust` is as in `read_snapshot`.
    """
    with Store.open(db, make=False) as store:
        run = store.run(name)
        find_plugins(store, run.spec, trust)
        before = store.load_standings(run, _algorithm(run))
        snapshot, wrong = compute_again(store, run)
        save(store, run, snapshot)
    ended = snapshot.matches.finished + snapshot.matches.void
    summary = f"{run.name}: standings rebuilt from {ended:,} results"
    if wrong:
        summary += f"; the stored outcomes of {wrong:,} did NOT follow from them"
    if before is None:
        return f"{summary}; none were cached"
    if before[1] != ended:
        return f"{summary}; the cached ones were of the first {before[1]:,}"
    return f"{summary}; {'identical to' if before[0] == _encode(snapshot) else 'NOT the same as'} the cached ones"


def compute_again(store: Store, run: Run) -> tuple[Leaderboard, int]:
    """Returns the standings, and how many stored outcomes did not follow from the results; they do afterwards.

    One reading does for both where all do.
    """
    with suppress(ArenaError):  # outcomes that cannot be read
        ratings = _filled(store, run)
        if ratings.follows():
            return _final(store, run, ratings), 0
    wrong = store.decide_again(run)
    return compute(store, run), wrong


def _filled(store: Store, run: Run) -> RatingEngine:
    ratings = ratings_for(run.spec)
    with rare_collections():  # millions of small objects and no cycles: the collector took a third of the time
        ratings.fill(store.log(run))
    return ratings


def _final(store: Store, run: Run, ratings: RatingEngine) -> Leaderboard:
    with rare_collections():
        return ratings.final(run.name, store.counts(run))


def _algorithm(run: Run) -> str:
    """Returns a key of all that decides the tables: rating method and changes of players."""
    changes = len(run.spec.changes)
    return f"{ALGORITHM}-changes={changes}" if changes else ALGORITHM


def _encode(snapshot: Leaderboard) -> bytes:
    """Returns the JSON of the part of a leaderboard that follows from the results."""
    return msgspec.json.encode(msgspec.structs.replace(snapshot, matches=type(snapshot.matches)()))
