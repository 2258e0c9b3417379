"""Creates the tables, or migrates those of an older version, in one transaction."""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection, bindparam, func, inspect, select

from arena.match import decode
from games import InputError
from league.records.matches import transcript_of
from league.store import chain, journal, runs, schema
from league.store.dialect import DatabaseBackend

_PAGE = 1000
"""episodes a migration reads at a time"""


def _results_name_their_worker(connection: Connection) -> None:
    """Version 2: who played a match, for runs with several workers."""
    connection.exec_driver_sql("ALTER TABLE results ADD COLUMN worker VARCHAR NOT NULL DEFAULT ''")


def _plans_name_their_task(connection: Connection) -> None:
    """Version 3: matches on tasks of a pool, and the pool."""
    connection.exec_driver_sql("ALTER TABLE plan ADD COLUMN task TEXT NOT NULL DEFAULT ''")
    schema.tasks.create(connection)
    schema.task_trials.create(connection)


def _results_are_chained(connection: Connection) -> None:
    """Version 4: new results have a digest; existing results have none."""
    _identify(connection)
    kind = "BLOB" if connection.dialect.name == "sqlite" else "BYTEA"
    connection.exec_driver_sql(f"ALTER TABLE results ADD COLUMN digest {kind}")
    schema.chain.create(connection)
    for run, last in _last_results(connection):
        chain.start(connection, run.id, last, chain.NOTHING, runs.settings_digest(run))


def _last_results(connection: Connection) -> list[tuple[runs.Run, int]]:
    r = schema.results.c
    found = runs.all_runs(connection)
    last = select(func.max(r.seq)).where(r.run == bindparam("run"))
    return [(run, connection.execute(last, {"run": run.id}).scalar() or 0) for run in found]


def _results_hash_their_transcript(connection: Connection) -> None:
    """Version 5: openings, and the hash of each match, which identifies repeated matches."""
    connection.exec_driver_sql("ALTER TABLE plan ADD COLUMN opening INTEGER NOT NULL DEFAULT 0")
    connection.exec_driver_sql("ALTER TABLE results ADD COLUMN transcript BIGINT NOT NULL DEFAULT 0")
    episodes, results = schema.episodes.c, schema.results
    change = results.update().where(results.c.match == bindparam("of")).values(transcript=bindparam("hash"))
    last = ""
    while True:
        page = select(episodes.match, episodes.data).where(episodes.match > last).order_by(episodes.match).limit(_PAGE)
        rows = connection.execute(page).all()
        if not rows:
            return
        hashes = [{"of": match, "hash": _transcript(data)} for match, data in rows]
        connection.execute(change, hashes)
        last = rows[-1][0]


def _plans_hold_notes(connection: Connection) -> None:
    """Version 6: what players learned from their earlier matches."""
    connection.exec_driver_sql("ALTER TABLE plan ADD COLUMN notes TEXT NOT NULL DEFAULT ''")


def _tasks_have_parents(connection: Connection) -> None:
    """Version 7: what a pooled task is made from and asks, and how many answers a trial counts."""
    for name in ("kind", "question", "parents"):
        _add_column(connection, "tasks", name, "TEXT NOT NULL DEFAULT ''")
    _add_column(connection, "task_trials", "answers", "INTEGER NOT NULL DEFAULT 1")


def _changes_are_journalled(connection: Connection) -> None:
    """Version 8: one chain over settings, plan, results, events and tasks, which begins with what is there."""
    schema.journal.create(connection, checkfirst=True)
    for run in runs.all_runs(connection):
        journal.begin(connection, run.id)


def _add_column(connection: Connection, table: str, name: str, kind: str) -> None:
    """Add a column, unless this program has just created the table with it (`_plans_name_their_task`)."""
    if name not in {column["name"] for column in inspect(connection).get_columns(table)}:
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


def _transcript(data: bytes) -> int:
    """Return the hash of a stored episode, or 0 if it cannot be read; `replay` and `export` report that."""
    try:
        return transcript_of(decode(zlib.decompress(data)))
    except (zlib.error, msgspec.MsgspecError):
        return 0


MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    1: _results_name_their_worker,
    2: _plans_name_their_task,
    3: _results_are_chained,
    4: _results_hash_their_transcript,
    5: _plans_hold_notes,
    6: _tasks_have_parents,
    7: _changes_are_journalled,
}
"""version n -> the function that migrates tables of version n to version n + 1"""


def version(connection: Connection, url: str) -> int:
    """Return the version of the tables, 0 if there are none. Raises InputError for a foreign database."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return 0
    if schema.meta.name not in tables:
        raise InputError(f"{url} is a database of another program (tables {', '.join(tables[:3])}); name another --db")
    found = connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "schema")).scalar()
    if found is None or not found.isdigit():
        raise InputError(f"{url} does not say its schema version; it is not an arena database")
    return int(found)


def check(connection: Connection, url: str) -> None:
    """Raise InputError unless the tables have exactly the version this program knows."""
    found = version(connection, url)
    refuse_newer(found, url)
    refuse_empty(found, url)
    if found < schema.VERSION:
        raise InputError(
            f"{url} was made by arena schema {found}, this one knows {schema.VERSION}; "
            f"type: arena rebuild --db {url}, which opens it for writing and brings it up to date"
        )


def upgrade(database: DatabaseBackend, *, make: bool = True) -> None:
    """Create the tables, or migrate older ones. Writes nothing if they are current.

    Without `make`, raises InputError if there are no tables.
    """
    with database.read() as connection:
        found = version(connection, str(database.url))
    if not make:
        refuse_empty(found, str(database.url))
    refuse_newer(found, str(database.url))
    if found == schema.VERSION:
        return
    with database.write() as connection:
        database.hold_schema(connection)
        found = version(connection, str(database.url))  # another process may have migrated in the meantime
        if found == 0:
            _create(connection)
        for step in range(found or schema.VERSION, schema.VERSION):
            MIGRATIONS[step](connection)
        row = schema.meta.c.key == "schema"
        connection.execute(schema.meta.update().where(row).values(value=str(schema.VERSION)))


def _create(connection: Connection) -> None:
    schema.metadata.create_all(connection)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    rows = [{"key": "schema", "value": str(schema.VERSION)}, {"key": "created", "value": now}]
    connection.execute(schema.meta.insert(), rows)
    _identify(connection)


def _identify(connection: Connection) -> None:
    """Give the store an id, under which this machine stores the user's consent: see `league.trust`."""
    connection.execute(schema.meta.insert(), {"key": "id", "value": secrets.token_hex(16)})


def id_of(connection: Connection) -> str:
    """Return the store's id, or "" if it was removed."""
    return connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "id")).scalar() or ""


def refuse_empty(found: int, url: str) -> None:
    """Raise InputError if there are no tables."""
    if found == 0:
        raise InputError(f"{url} is empty; `arena tournament FILE.toml --db {url}` fills it")


def refuse_newer(found: int, url: str) -> None:
    """Raise InputError for tables of a newer version than this program knows."""
    if found > schema.VERSION:
        raise InputError(
            f"{url} was made by arena schema {found}, this one knows {schema.VERSION}; "
            "upgrade with pip install -U selfplay-arena"
        )
