"""All that `arena board` shows of a run at one moment, read without touching its store."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from league.board.state import Status, status_now
from league.panels import RunPanels
from league.planning import total_for
from league.rebuild import read_snapshot
from league.standings import Snapshot
from league.store import Store
from league.strikes import struck


@dataclass(frozen=True)
class Shown:
    """Standings, what stands under them, and where the run stands."""

    snapshot: Snapshot
    panels: RunPanels
    status: Status
    head: str = ""
    """digest of the run's last result, by which `arena verify --head` knows the log again"""


def read_board(db: str, name: str | None = None) -> Shown:
    """A run as it is now. A run that a stop rule ended is finished, whatever is left of its plan."""
    snapshot = read_snapshot(db, name)
    with Store.open(db, read_only=True) as store:
        run = store.run(name)
        panels = RunPanels(run.config, struck(store, run), metagame=False)
        panels.add(store.results(run))
        matches = msgspec.structs.replace(snapshot.matches, total=total_for(run.config))
        snapshot = msgspec.structs.replace(snapshot, matches=matches)
        status: Status = "finished"
        if not panels.stopping.reason or matches.in_flight:
            status = status_now(run, matches, played=store.played(run))
        return Shown(snapshot, panels, status, store.head(run))
