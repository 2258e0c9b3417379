"""A run's results as standings read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from league.records.matches import Result, ResultColumns
from league.store import log
from league.store.dialect import DatabaseBackend


class StoredLog:
    """The results of one run, read when asked for; `Store.log` makes it."""

    def __init__(self, database: DatabaseBackend, run: int) -> None:
        self._db, self._run = database, run

    def columns(self) -> Iterator[ResultColumns]:
        """Yields all results as joined columns, in any order, read while they are asked for in one transaction."""
        with self._db.read() as connection:
            yield from log.read_columns(connection, self._run)

    def results(self, games: Collection[str]) -> list[Result]:
        """Returns all results of some games as records, in the order of commit."""
        with self._db.read() as connection:
            return log.read_games(connection, self._run, games)
