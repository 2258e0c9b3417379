"""A store opened to read what was played: `league.open_store(db)`."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.match import Episode
from league.records import Result
from league.standings import Snapshot
from league.store import Store

if TYPE_CHECKING:
    from league.store import Run


def open_store(db: str) -> OpenStore:
    """Open a store to read it; nothing in it changes. Raises InputError if there is none at this address."""
    return OpenStore(Store.open(db, read_only=True))


class OpenStore:
    """Runs, matches and tables of a store. A context manager; `close` does as well. `run` is a name, None: the newest.

    Episodes and results come in the order of the plan, as far as their matches have ended.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def runs(self) -> list[Run]:
        """Every run, oldest first."""
        return self._store.runs()

    def episodes(self, run: str | None = None) -> Iterator[Episode]:
        """The full record of every match, read as it is asked for. Raises UnknownName."""
        found = self._store.run(run)
        return (episode for _, episode in self._store.episodes(found))

    def results(self, run: str | None = None) -> list[Result]:
        """The line of every match in the log: seats, scores, status, counts. Raises UnknownName."""
        return self._store.results_in_plan_order(self._store.run(run))

    def standings(self, run: str | None = None) -> Snapshot:
        """Every leaderboard, made from the log. Raises UnknownName."""
        from league.rebuild import compute

        return compute(self._store, self._store.run(run))

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


__all__ = ["OpenStore", "open_store"]
