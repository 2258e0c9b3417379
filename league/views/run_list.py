"""The runs of a store, one row each, for `arena runs`."""

from __future__ import annotations

import msgspec

from league.board.state import Status, status_now
from league.records.run_spec import RunKind
from league.store import Store


class RunRow(msgspec.Struct, frozen=True):
    """One run of a store."""

    name: str
    kind: RunKind
    status: Status
    planned: int
    """matches planned so far"""
    finished: int
    void: int
    games: tuple[str, ...]
    players: tuple[str, ...]
    """of a training, its anchors"""
    created: str
    """UTC, ISO 8601"""


def run_rows(store: Store) -> list[RunRow]:
    """Returns every run, newest first."""
    rows = []
    for run in store.runs():
        spec, counts = run.spec, store.counts(run)
        rows.append(
            RunRow(
                name=run.name,
                kind=run.kind,
                status=status_now(run, counts, played=store.played(run)),
                planned=counts.planned,
                finished=counts.finished,
                void=counts.void,
                games=tuple(spec.games),
                players=tuple(spec.plays),
                created=run.created,
            )
        )
    return rows[::-1]
