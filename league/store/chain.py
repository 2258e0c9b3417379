"""The hash chain of a run's results: a result that is changed, removed, inserted or moved leaves a break in it.

Each result has a digest of the digest before it, of its plan, of its own columns, of its episode as it is stored, and
of the run's settings. It is written in the transaction of the result. Anyone who can write to the database can
also rebuild the whole chain, so keep a copy of the last digest, the head, elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from league.store import schema
from league.store.dialect import DamagedRow, as_blob

C, R = schema.chain.c, schema.results.c
NOTHING = bytes(32)
"""the digest before the first chained result"""
FREE = frozenset({"budget", "file", "named", "plugins", "stop", "workers"})
"""settings that may change at any time and that no digest covers"""

_LAST = select(func.max(R.seq)).where(R.run == bindparam("of_run")).scalar_subquery()
_NEWEST = (
    select(_LAST, C.since, C.seq, C.digest, C.settings)
    .where(C.run == bindparam("of_run"))
    .order_by(C.since.desc())
    .limit(1)
)
_MOVE = (
    schema.chain.update()
    .where(C.run == bindparam("of_run"), C.since == bindparam("from_since"))
    .values(seq=bindparam("to_seq"), digest=bindparam("to_digest"))
)


class Segment(msgspec.Struct, frozen=True):
    """Results of a run that were written under the same settings."""

    since: int
    """`seq` of the first"""
    seq: int
    """of the last; below `since` where there is none yet"""
    digest: bytes
    """of the last"""
    settings: bytes

    @property
    def empty(self) -> bool:
        """Whether no result was written under these settings yet."""
        return self.seq < self.since


def settings_digest(name: str, seed: int, created: str, config: Mapping[str, Any]) -> bytes:
    """Returns what identifies a run and how it is rated: its name and every setting that may not change at any time."""
    kept = {key: value for key, value in config.items() if key not in FREE}
    return hashlib.sha256(msgspec.json.encode([name, seed, created, kept], order="sorted")).digest()


def content_digest(plan: Sequence[Any], result: Sequence[Any], episode: bytes) -> bytes:
    """Of one match: its columns in the plan, those of its result but `seq`, and its episode as it is stored."""
    row = msgspec.json.encode([plan, result, hashlib.sha256(episode).hexdigest()])
    return hashlib.sha256(row).digest()


def link(before: bytes, settings: bytes, seq: int, content: bytes) -> bytes:
    """Returns the digest of a result, from that of the result before it."""
    return hashlib.sha256(b"".join((before, settings, seq.to_bytes(8, "big"), content))).digest()


def newest(connection: Connection, run: int) -> tuple[int, Segment]:
    """`seq` of the run's last result, 0 before the first, and the segment that the next one joins."""
    row = connection.execute(_NEWEST, {"of_run": run}).first()
    if row is None:  # it was deleted: the chain starts again, and `arena verify` reports where
        last = connection.execute(select(func.max(R.seq)).where(R.run == run)).scalar() or 0
        return last, start(connection, run, last, NOTHING, NOTHING)
    last, *segment = row
    return last or 0, Segment(*segment)


def move(connection: Connection, run: int, segment: Segment, seq: int, digest: bytes) -> None:
    """Note the segment's new last result."""
    values = {"of_run": run, "from_since": segment.since, "to_seq": seq, "to_digest": digest}
    connection.execute(_MOVE, values)


def start(connection: Connection, run: int, last: int, digest: bytes, settings: bytes) -> Segment:
    """Begin a segment after the result `last`, whose digest is given."""
    made = Segment(last + 1, last, digest, settings)
    connection.execute(schema.chain.insert(), {"run": run, **msgspec.structs.asdict(made)})
    return made


def settle(connection: Connection, run: int, settings: bytes) -> None:
    """Make future results covered by the run's present settings."""
    last, segment = newest(connection, run)
    if segment.settings == settings:
        return
    if segment.empty:
        where = (C.run == run) & (C.since == segment.since)
        connection.execute(schema.chain.update().where(where).values(settings=settings))
    else:
        start(connection, run, last, segment.digest, settings)


def segments(connection: Connection, run: int) -> list[Segment]:
    """Returns every segment of a run, oldest first. Raises DamagedRow."""
    query = select(C.since, C.seq, C.digest, C.settings).where(C.run == run).order_by(C.since)
    rows = connection.execute(query).all()
    if not all(type(since) is type(seq) is int for since, seq, _, _ in rows):
        raise DamagedRow("the chain", "a number in it has another type")
    return [Segment(since, seq, *(as_blob(digest) or b"" for digest in digests)) for since, seq, *digests in rows]
