"""How much the players of a run depend on wording: `arena eval --wordings` keeps it as an event, boards read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from games import InputError
from league.config.database_url import DatabaseUrl
from league.runs.stored_players import Names
from league.store import Event, NoDatabase, Store
from league.store.runs import read_line

if TYPE_CHECKING:
    from arena.evaluation import InvarianceGap

KIND = "wordings"


class StoredEstimate(msgspec.Struct, frozen=True):
    """A figure with its 95% interval."""

    value: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The figure as text."""
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


class WordingGap(msgspec.Struct, frozen=True):
    """A measurement without its single wordings."""

    player: str
    game: str
    nash_conv: float
    """in the game itself"""
    wordings: int
    mean: StoredEstimate
    gap: StoredEstimate

    @property
    def line(self) -> str:
        """The measurement as text."""
        return (
            f"{self.player} in {self.game}: {self.gap.text} between two wordings; NashConv {self.nash_conv:.2f}, "
            f"in {self.wordings} wordings {self.mean.text}"
        )


def keep_gap(measured: InvarianceGap, db: DatabaseUrl | str) -> str:
    """Adds a measurement to the runs whose player it is. Returns which, as a line; "" if it is no player of a store."""
    try:
        runs = Names(db).runs_of(measured.player)
    except NoDatabase:
        return ""
    if not runs:
        return ""
    kept = msgspec.convert(msgspec.to_builtins(measured) | {"wordings": len(measured.wordings)}, WordingGap)
    with Store.open(db) as store:
        for run in runs:
            store.add_event(store.run(run), KIND, msgspec.json.encode(kept).decode())
    return f"kept with {', '.join(runs)}: `arena board --run {runs[0]}` shows it"


def gaps_of(events: Iterable[Event]) -> tuple[WordingGap, ...]:
    """Returns the newest measurement of each player and game. A damaged one is left out: it decides nothing."""
    newest: dict[tuple[str, str], WordingGap] = {}
    for event in events:
        if event.kind == KIND:
            try:
                gap = read_line(event, WordingGap)
            except InputError:
                continue
            newest[gap.player, gap.game] = gap
    return tuple(newest.values())


def gap_rows(gaps: Iterable[WordingGap]) -> list[Mapping[str, Any]]:
    """Returns measurements as plain JSON."""
    return [msgspec.to_builtins(gap) for gap in gaps]
