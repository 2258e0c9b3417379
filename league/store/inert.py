"""Refuses a database in which reading a table runs something: triggers, views, computed columns.

No arena makes any. A view in place of a table can run for ever, or show other rows to each reader.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, bindparam, text

from games import InputError
from league.config.database_url import DatabaseUrl
from league.store import schema

_SQLITE = text(
    "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' "
    "UNION ALL SELECT 'computed column', tables.name || '.' || columns.name "
    "FROM sqlite_master AS tables, pragma_table_xinfo(tables.name) AS columns "
    "WHERE tables.type = 'table' AND columns.hidden > 0 LIMIT 1"
)
_POSTGRES = text(
    "WITH ours AS (SELECT oid, relname, relkind, relrowsecurity FROM pg_class "
    "  WHERE oid IN (SELECT to_regclass(quote_ident(name)) FROM unnest(CAST(:names AS text[])) AS name)) "
    "SELECT 'view', relname FROM ours WHERE relkind NOT IN ('r', 'p') "
    "UNION ALL SELECT 'trigger', tgname FROM pg_trigger JOIN ours ON tgrelid = ours.oid WHERE NOT tgisinternal "
    "UNION ALL SELECT 'rule', rulename FROM pg_rewrite JOIN ours ON ev_class = ours.oid WHERE relkind IN ('r', 'p') "
    "UNION ALL SELECT 'row security', relname FROM ours WHERE relrowsecurity "
    "UNION ALL SELECT 'computed column', attname FROM pg_attribute JOIN ours ON attrelid = ours.oid "
    "  WHERE attgenerated <> '' LIMIT 1"
).bindparams(bindparam("names"))


def check(connection: Connection, url: DatabaseUrl) -> None:
    """Raise InputError that names the first trigger, view or computed column."""
    for kind, name in _programs(connection):
        raise InputError(
            f"{url} holds the {kind} {name!r}, which runs when the store is used; no arena made it: drop it, or take "
            "another copy of the store"
        )


def _programs(connection: Connection) -> Iterator[tuple[str, str]]:
    if connection.dialect.name == "sqlite":
        rows = connection.execute(_SQLITE)
    else:
        rows = connection.execute(_POSTGRES, {"names": [table.name for table in schema.metadata.sorted_tables]})
    yield from ((str(kind), str(name)) for kind, name in rows)
