"""All that `arena board` shows of a run at one moment, read without touching its store."""

from __future__ import annotations

from dataclasses import dataclass

from league.board.state import Status
from league.board.text import status_of
from league.panels import RunPanels
from league.rebuild import read_snapshot
from league.standings import MatchCounts, Snapshot
from league.store import Run, Store
from league.strikes import struck


@dataclass(frozen=True)
class Shown:
    """Standings, what stands under them, and where the run stands."""

    snapshot: Snapshot
    panels: RunPanels
    status: Status


def read_board(db: str, name: str | None = None) -> Shown:
    """A run as it is now. A run that a stop rule ended is finished, whatever is left of its plan."""
    snapshot = read_snapshot(db, name)
    with Store.open(db, read_only=True) as store:
        run = store.run(name)
        panels = RunPanels(run.config, struck(store, run), metagame=False)
        panels.add(store.results(run))
        if panels.stopping.reason and not snapshot.matches.in_flight:
            return Shown(snapshot, panels, "finished")
        return Shown(snapshot, panels, _status(run, snapshot.matches, played=store.played(run)))


def _status(run: Run, matches: MatchCounts, *, played: bool) -> Status:
    """What the run says of itself. One that says it is running while nobody plays it was killed, or is played where
    its lock cannot be seen: its counts tell, but not whether a training has steps left.
    """
    if run.status != "running" or played:
        return run.status
    found = status_of(matches)
    return "interrupted" if found == "finished" and "training" in run.config else found
