"""Finds what no arena wrote into a database. Called only after an error, so that reading stays fast."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Float, Integer, LargeBinary, Table, func, select

from league.store import runs, schema

_KINDS = ((Integer, ("integer",)), (Float, ("real", "integer")), (LargeBinary, ("blob",)))


def find(connection: Connection) -> str:
    """Returns the first column with a value of a wrong type, or a game that is not its run's; "" if there is none."""
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
