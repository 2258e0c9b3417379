"""Reads what `arena board` shows of a run; it writes nothing to the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from league.board.state import Status, status_now
from league.config.database_url import DatabaseUrl
from league.matchmaking.planner import total_for
from league.records.leaderboard import Leaderboard
from league.records.run_spec import RunSpec
from league.runs.ratings import ratings_for
from league.runs.rebuild import read_snapshot
from league.stopping.monitor import needs_ratings
from league.store import Store
from league.trust import find_plugins, readable, warn_of_changes
from league.views.run_panels import RunPanels
from league.views.wording_gaps import gaps_of

if TYPE_CHECKING:
    from league.ratings.engine import RatingEngine


@dataclass(frozen=True)
class BoardReport:
    """The standings, panels and status of a run."""

    snapshot: Leaderboard
    panels: RunPanels
    status: Status
    head: str = ""
    """digest of the last result; `arena verify --head` checks that the log still contains it"""


def ratings_of(db: DatabaseUrl | str, spec: RunSpec, *, trust: bool = False) -> RatingEngine:
    """Empty ratings for a run in the store at `db`; `trust` as in `read_snapshot`."""
    with Store.open(db, read_only=True) as store:
        find_plugins(store, spec, trust)
    return ratings_for(spec)


def panels_of(db: DatabaseUrl | str, spec: RunSpec, *, metagame: bool | None = None) -> RunPanels:
    """Returns the panels of a run in the store at `db`."""
    with Store.open(db, read_only=True) as store:
        return RunPanels(readable(store, spec), metagame)


def read_board(db: DatabaseUrl | str, name: str | None = None, *, trust: bool = False) -> BoardReport:
    """Returns the current state of a run. A run that a stop rule ended is finished, even if planned matches are left.

    `trust` as in `read_snapshot`.
    """
    snapshot = read_snapshot(db, name, trust=trust)
    with Store.open(db, read_only=True) as store:
        run = store.run(name)
        warn_of_changes(store, run)
        if needs_ratings(run.spec.stop):
            find_plugins(store, run.spec, trust)
        panels = RunPanels(readable(store, run.spec), metagame=False)
        panels.add(store.results(run))
        panels.gaps = gaps_of(store.events(run))
        matches = msgspec.structs.replace(snapshot.matches, total=total_for(run.spec))
        snapshot = msgspec.structs.replace(snapshot, matches=matches)
        status: Status = "finished"
        if not panels.stopping.reason or matches.in_flight:
            status = status_now(run, matches, played=store.played(run))
        return BoardReport(snapshot, panels, status, store.head(run))
