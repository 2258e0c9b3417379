"""A run's results as standings read them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from league.records.matches import Result, ResultColumns
from league.store import columns, log
from league.store.dialect import DatabaseBackend
from league.store.read_ahead import read_ahead

if TYPE_CHECKING:
    from league.outcomes.columns import MatchColumns

AHEAD = 8
"""parts that are read ahead, of thousands of results each"""


class StoredLog:
    """The results of one run, read when asked for; `Store.log` makes it."""

    def __init__(self, database: DatabaseBackend, run: int) -> None:
        self._db, self._run = database, run

    def columns(self) -> Iterator[ResultColumns | MatchColumns]:
        """Yields all results as columns, in any order, read in one transaction while earlier ones are folded."""
        yield from read_ahead(self._read, AHEAD)

    def _read(self) -> Generator[ResultColumns | MatchColumns]:
        with self._db.read() as connection:
            yield from columns.read(connection, self._run)

    def results(self) -> list[Result]:
        """Returns all results as records, in the order of commit."""
        with self._db.read() as connection:
            return log.read(connection, self._run, 0)
