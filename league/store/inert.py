"""Finds what no arena wrote into a database, and refuses one in which reading a table runs something.

No arena makes triggers, views or computed columns. A view in place of a table can run for ever, or show other rows to
each reader.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Column, Connection, Float, Integer, LargeBinary, Table, bindparam, func, select, text

from games import InputError
from league.config.database_url import DatabaseUrl
from league.store import runs, schema

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


_KINDS = ((Integer, ("integer",)), (Float, ("real", "integer")), (LargeBinary, ("blob",)))


def find_damage(connection: Connection) -> str:
    """Returns the first column with a value of a wrong type, or a game that is not its run's; "" if there is none.

    Called only after an error, so that reading stays fast.
    """
    if connection.dialect.name == "sqlite":  # which stores any type in any column
        for table in schema.metadata.sorted_tables:
            if fault := _mistyped(connection, table):
                return fault
    return _strange_game(connection)


def _mistyped(connection: Connection, table: Table) -> str:
    counts = [func.count().filter(func.typeof(column).not_in(_types(column))) for column in table.columns]
    wrong = connection.execute(select(*counts).select_from(table)).one()
    for column, rows in zip(table.columns, wrong, strict=True):
        if rows:
            return f"{table.name}.{column.name} holds no {_types(column)[0]} in {rows:,} row{'s' if rows > 1 else ''}"
    return ""


def _types(column: Column[object]) -> tuple[str, ...]:
    kinds = next((names for kind, names in _KINDS if isinstance(column.type, kind)), ("text",))
    return (*kinds, "null") if column.nullable else kinds


def _strange_game(connection: Connection) -> str:
    R = schema.results.c
    for run in runs.all_runs(connection):
        for game in connection.execute(select(R.game).where(R.run == run.id).distinct()).scalars():
            if game not in run.spec.games:
                return f"a result of run {run.name!r} is of the game {game!r}, which it does not play"
    return ""
