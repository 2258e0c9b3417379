"""Results as rows of their table, and rows as results; a row may be damaged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from league.records.matches import Ranks, Result, SeatResult, to_json
from league.store import guard
from league.store.dialect import UNREADABLE, DamagedRow

Row = Sequence[Any]

_seats = msgspec.json.Decoder(tuple[SeatResult, ...])
_ranks = msgspec.json.Decoder(Ranks)


def results_of(rows: Iterable[Row]) -> list[Result]:
    """Returns rows as records. Equal seats are decoded once. Raises DamagedRow."""
    memo: dict[str, tuple[SeatResult, ...]] = {}
    return [record_of(row, memo) for row in rows]


def row_of(result: Result) -> dict[str, Any]:
    """Returns a result as the row of its table, but for run, place, digest and ranks."""
    row = msgspec.structs.asdict(result)
    del row["seq"], row["ranks"]
    row["seats"] = to_json(result.seats)
    return row


def record_of(row: Row, memo: dict[str, tuple[SeatResult, ...]] | None = None) -> Result:
    """Returns a row as a record. `memo` maps JSON to seats that were decoded before. Raises DamagedRow."""
    index, round, pairing, match, game, seed, status, reason, seats, seconds, seq, worker, transcript, task, ranks = row
    if not (type(index) is type(round) is type(seed) is type(seq) is int and isinstance(seconds, float)):
        raise DamagedRow(f"a number in the result of match {match}", "it has another type")
    if not (type(match) is type(game) is type(pairing) is type(status) is type(reason) is type(worker) is str):
        raise DamagedRow(f"a text in the result of match {match!r}", "it has another type")
    check_status(status)
    played = memo.get(seats) if memo is not None else None
    try:
        if played is None:
            played = _seats.decode(seats)
        decided = _ranks.decode(ranks)
    except UNREADABLE as error:
        raise DamagedRow(f"seats or ranks of the result of match {match}", error) from None
    if memo is not None:
        memo[seats] = played
    return Result(
        index, round, pairing, match, game, seed, status, reason, played, seconds, seq, worker, transcript, task,
        decided,
    )  # fmt: skip


def check_status(status: str) -> None:
    """Raises DamagedRow for a status that no result has."""
    if status not in guard.STATUSES:
        raise DamagedRow("the status of a result", f"{status!r} is none of {', '.join(sorted(guard.STATUSES))}")
