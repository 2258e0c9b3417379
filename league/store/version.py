"""Creates the tables of a new store; there is one version of them, and others are refused."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from sqlalchemy import Connection, inspect, select

from games import InputError
from league.store import schema
from league.store.dialect import DatabaseBackend


def check(connection: Connection, url: str) -> None:
    """Raise InputError unless the tables have exactly the version this program knows."""
    if _version(connection, url) == 0:
        raise InputError(f"{url} is empty; `arena tournament FILE.toml --db {url}` fills it")


def create(database: DatabaseBackend, *, make: bool = True) -> None:
    """Create the tables of an empty database, in one transaction. Raises InputError as `check` does.

    Without `make`, raises InputError if there are no tables.
    """
    url = str(database.url)
    with database.read() as connection:
        if not make:
            check(connection, url)
        if _version(connection, url):
            return
    with database.write() as connection:
        database.hold_schema(connection)
        if _version(connection, url) == 0:  # another process may have made them in the meantime
            _create(connection)


def id_of(connection: Connection) -> str:
    """Return the store's id, under which this machine stores the user's consent, or "" if it was removed."""
    return connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "id")).scalar() or ""


def _version(connection: Connection, url: str) -> int:
    """Return the version of the tables, 0 if there are none. Raises InputError for another one."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return 0
    if schema.meta.name not in tables:
        raise InputError(f"{url} is a database of another program (tables {', '.join(tables[:3])}); name another --db")
    version = connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "schema")).scalar()
    if version is None or not version.isdigit():
        raise InputError(f"{url} does not say its schema version; it is not an arena database")
    if int(version) > schema.VERSION:
        advice = "upgrade with pip install -U selfplay-arena"
    else:
        advice = "open it with the arena that made it, or name a new --db"
    if int(version) != schema.VERSION:
        raise InputError(f"{url} was made by arena schema {version}, this one knows {schema.VERSION} alone; {advice}")
    return schema.VERSION


def _create(connection: Connection) -> None:
    schema.metadata.create_all(connection)
    values = {
        "schema": str(schema.VERSION),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "id": secrets.token_hex(16),
    }
    connection.execute(schema.meta.insert(), [{"key": key, "value": value} for key, value in values.items()])
