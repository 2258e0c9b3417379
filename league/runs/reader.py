"""A store opened for reading: `league.open_store(db)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from arena.match import Episode
from league.config.database_url import DatabaseUrl
from league.records.leaderboard import Leaderboard
from league.records.matches import Result
from league.store import Store
from league.store.reading import Closeable

if TYPE_CHECKING:
    from league.store import Run


def open_store(db: DatabaseUrl | str) -> OpenStore:
    """Open a store for reading. Raises InputError if it does not exist."""
    return OpenStore(Store.open(db, read_only=True))


class OpenStore(Closeable):
    """The runs, matches and standings of a store. A context manager, or call `close`.

    `run` is the name of a run; None is the newest. Episodes and results are those of ended matches, in plan order.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def runs(self) -> list[Run]:
        """Returns every run, oldest first."""
        return self._store.runs()

    def episodes(self, run: str | None = None) -> Iterator[Episode]:
        """Returns the full record of every match, read lazily. Raises UnknownName."""
        stored = self._store.run(run)
        return (episode for _, episode in self._store.episodes(stored))

    def results(self, run: str | None = None) -> list[Result]:
        """Returns the result of every match: seats, scores, status, counts. Raises UnknownName."""
        return self._store.results_in_plan_order(self._store.run(run))

    def standings(self, run: str | None = None) -> Leaderboard:
        """Returns every leaderboard, computed from the results. Raises UnknownName."""
        from league.runs.rebuild import compute

        return compute(self._store, self._store.run(run))

    def close(self) -> None:
        """Close the store."""
        self._store.close()
