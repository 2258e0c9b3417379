"""Copies runs of a store into a new one, in one reading transaction: what is in a write-ahead log is copied too."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, Table, func, select

from league.store import journal, runs, schema
from league.store.dialect import insert, upsert

Progress = Callable[[int, int], object]
"""called with the number of copied rows and of all rows"""
_BLOCK = 200
_IDENTITY = ("id", "created")
"""what is copied of `meta`. The secrets of runs stay where they are: a copy draws its own"""


def copy_runs(source: Connection, target: Connection, ids: Sequence[int], progress: Progress) -> None:
    """Copy every row of some runs, with their ids and the identity of the store, into empty tables."""
    target.execute(schema.meta.delete().where(schema.meta.c.key.in_(_IDENTITY)))
    queries = dict(_queries(ids))
    total = sum(source.execute(select(func.count()).select_from(q.subquery())).scalar_one() for q in queries.values())
    copied = 0
    for table, query in queries.items():
        for block in source.execute(query.execution_options(yield_per=_BLOCK)).mappings().partitions():
            insert(target, table, [dict(row) for row in block])
            copied += len(block)
            progress(copied, total)


def _queries(ids: Sequence[int]) -> Iterator[tuple[Table, Select[Any]]]:
    """Yields every table, after those that it refers to, with the query of its rows."""
    played = select(schema.results.c.match).where(schema.results.c.run.in_(ids))
    special = {
        schema.meta: schema.meta.c.key.in_(_IDENTITY),
        schema.runs: schema.runs.c.id.in_(ids),
        schema.episodes: schema.episodes.c.match.in_(played),
    }
    for table in schema.metadata.sorted_tables:
        yield table, select(table).where(special[table] if table in special else table.c.run.in_(ids))


def renew_id(connection: Connection) -> None:
    """Give a copied store an id of its own: consent for the original, and its witnessed heads, are not the copy's."""
    upsert(connection, schema.meta, [{"key": "id", "value": secrets.token_hex(16)}])
    for run in runs.all_runs(connection):
        journal.add(connection, run.id, "settings", journal.settings(connection, run.id))
