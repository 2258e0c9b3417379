"""The results of a run as columns. Every `BLOCK` results are kept as a block, in the transaction of the last of them.

Blocks say nothing that rows do not say: tables are computed from them because ten million rows take minutes.
`arena verify` compares them with the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import Connection, Text, bindparam, cast, delete, func, select

from league.records.matches import ResultColumns
from league.store import schema
from league.store.dialect import UNREADABLE, DamagedRow, as_blob, insert
from league.store.result_rows import check_status

if TYPE_CHECKING:
    from league.outcomes.columns import MatchColumns

R, B = schema.results.c, schema.blocks.c
BLOCK = 16_384
"""Results of a block: making one takes a tenth of a second, and one that is not full is read row by row."""
JOINED = 4000
"""the number of results whose columns one statement joins: some hundred bytes each"""
SEPARATOR = "\x1f"
"""between joined texts; names and JSON contain no control characters"""
_FIRST = select(func.min(R.seq)).where(R.run == bindparam("run"), R.seq.between(bindparam("since"), bindparam("last")))
_JOINED = (
    select(
        R.game,
        R.worker,
        R.status,
        *(func.aggregate_strings(cast(column, Text), ",") for column in (R.index, R.seed, R.transcript, R.task)),
        *(func.aggregate_strings(text, SEPARATOR) for text in (R.pairing, R.seats + R.ranks)),
    )
    .where(R.run == bindparam("run"), R.seq.between(bindparam("since"), bindparam("last")))
    .group_by(R.game, R.worker, R.status)
)
_LIST = select(B.since, B.seq).where(B.run == bindparam("run")).order_by(B.since)
_DATA = select(B.data).where(B.run == bindparam("run"), B.since == bindparam("since"))
_ALL = 2**31 - 1
"""the largest number that the column holds"""

_whole = msgspec.json.Decoder(list[int])


def read(connection: Connection, run: int) -> Iterator[ResultColumns | MatchColumns]:
    """Yields all results as columns, in any order: those of blocks, and of rows that are in none. Raises DamagedRow."""
    from league.outcomes.columns import read_block

    after = 0
    for since, seq in _blocks(connection, run):
        yield from _rows(connection, run, after + 1, since - 1)
        try:
            parts = read_block(_data(connection, run, since))
        except ValueError as error:
            raise DamagedRow("a block of results", error) from None
        for part in parts:
            check_status(part.status)
        yield from parts
        after = seq
    yield from _rows(connection, run, after + 1, _ALL)


def fill(connection: Connection, run: int, last: int) -> None:
    """Write the blocks that the results up to the number `last` fill. The caller holds the run."""
    from league.outcomes.columns import block_of

    stored = _blocks(connection, run)
    since = stored[-1][1] + 1 if stored else 1
    for first in range(since, last - BLOCK + 2, BLOCK):
        seq = first + BLOCK - 1
        row = {"run": run, "since": first, "seq": seq, "data": block_of(_rows(connection, run, first, seq))}
        insert(connection, schema.blocks, [row])


def renew(connection: Connection, run: int, last: int) -> None:
    """Make all blocks again. The caller holds the run."""
    connection.execute(delete(schema.blocks).where(B.run == run))
    fill(connection, run, last)


def faults(connection: Connection, run: int) -> Iterator[str]:
    """Describes each block that does not hold its results."""
    from league.outcomes.columns import same_block

    for since, seq in _blocks(connection, run):
        try:
            same = same_block(_data(connection, run, since), list(_rows(connection, run, since, seq)))
        except DamagedRow:  # of the rows, which others describe
            continue
        if not same:
            yield f"the block of results {since:,} to {seq:,}, from which tables are made, holds others; restore a copy"


def _blocks(connection: Connection, run: int) -> list[tuple[int, int]]:
    """Returns the first and last number of each block, in order. Raises DamagedRow if two overlap."""
    out, after = list[tuple[int, int]](), 0
    for since, seq in connection.execute(_LIST, {"run": run}):
        if not after < since <= seq:
            raise DamagedRow("the place of a block of results", f"{since} to {seq} after {after}")
        out.append((since, seq))
        after = seq
    return out


def _data(connection: Connection, run: int, since: int) -> bytes:
    return as_blob(connection.execute(_DATA, {"run": run, "since": since}).scalar()) or b""


def _rows(connection: Connection, run: int, since: int, last: int) -> Iterator[ResultColumns]:
    """Yields the results of a range, whose columns the database joins in a third of the time of rows."""
    # From one number that exists to the next: a damaged number must not make a loop of a billion steps.
    while since <= last and (first := connection.execute(_FIRST, _range(run, since, last)).scalar()) is not None:
        since = first + JOINED
        for row in connection.execute(_JOINED, _range(run, first, min(since - 1, last))):
            check_status(row[2])
            try:
                numbers = [_whole.decode(f"[{text}]") for text in row[3:7]]
                texts = [text.split(SEPARATOR) for text in row[7:]]
            except (*UNREADABLE, AttributeError) as error:
                raise DamagedRow("a column of results", error) from None
            if len({*map(len, numbers), *map(len, texts)}) > 1:
                raise DamagedRow("a column of results", "it has more values than results")
            yield ResultColumns(*row[:3], *numbers, *texts)


def _range(run: int, since: int, last: int) -> dict[str, int]:
    return {"run": run, "since": since, "last": last}
