"""A run's results as standings read them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from league.records.matches import CompactRow, Result
from league.store import log
from league.store.dialect import DatabaseBackend


class StoredLog:
    """The results of one run, read when asked for; `Store.log` makes it."""

    def __init__(self, database: DatabaseBackend, run: int) -> None:
        self._db, self._run = database, run

    def compact(self) -> Sequence[CompactRow]:
        """All results, in the order of commit."""
        with self._db.read() as connection:
            return log.read_compact(connection, self._run)

    def results(self, games: Collection[str]) -> list[Result]:
        """All results of some games as records, in the order of commit."""
        with self._db.read() as connection:
            return log.read_games(connection, self._run, games)
