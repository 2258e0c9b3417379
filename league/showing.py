"""All that `arena board` shows of a run at one moment, read without touching its store."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from league.board.state import Status, status_now
from league.panels import RunPanels
from league.planning import total_for
from league.rebuild import read_snapshot
from league.standings import Snapshot
from league.stopping import needs_ratings
from league.store import Store
from league.stored import ratings_for
from league.strikes import struck
from league.trust import find_plugins, readable

if TYPE_CHECKING:
    from league.ratings.refined import Refined


@dataclass(frozen=True)
class Shown:
    """Standings, what stands under them, and where the run stands."""

    snapshot: Snapshot
    panels: RunPanels
    status: Status
    head: str = ""
    """digest of the run's last result, by which `arena verify --head` knows the log again"""


def ratings_of(db: str, config: Mapping[str, Any], *, trust: bool = False) -> Refined:
    """Empty ratings for a configuration that stands in the store at `db`; `trust`: as in `read_snapshot`."""
    with Store.open(db, read_only=True) as store:
        find_plugins(store, config, trust)
    return ratings_for(config)


def panels_of(
    db: str, config: Mapping[str, Any], struck: Collection[str], *, metagame: bool | None = None
) -> RunPanels:
    """The panels of a configuration that stands in the store at `db`."""
    with Store.open(db, read_only=True) as store:
        return RunPanels(readable(store, config), struck, metagame=metagame)


def read_board(db: str, name: str | None = None, *, trust: bool = False) -> Shown:
    """A run as it is now. A run that a stop rule ended is finished, whatever is left of its plan.

    `trust`: as in `read_snapshot`.
    """
    snapshot = read_snapshot(db, name, trust=trust)
    with Store.open(db, read_only=True) as store:
        run = store.run(name)
        if needs_ratings(run.config):
            find_plugins(store, run.config, trust)
        panels = RunPanels(readable(store, run.config), struck(store, run), metagame=False)
        panels.add(store.results(run))
        matches = msgspec.structs.replace(snapshot.matches, total=total_for(run.config))
        snapshot = msgspec.structs.replace(snapshot, matches=matches)
        status: Status = "finished"
        if not panels.stopping.reason or matches.in_flight:
            status = status_now(run, matches, played=store.played(run))
        return Shown(snapshot, panels, status, store.head(run))
