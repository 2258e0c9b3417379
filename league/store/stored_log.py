"""A run's results as standings read them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from league.records.matches import Result, ResultColumns
from league.store import columns, log
from league.store.dialect import DatabaseBackend

if TYPE_CHECKING:
    from league.outcomes.columns import MatchColumns
from collections.abc import Callable
from contextlib import closing
from queue import Full, Queue
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")
_LOOK = 0.1
"""seconds between two looks at whether somebody still reads"""
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


def read_ahead(read: Callable[[], Generator[T]], most: int) -> Iterator[T]:
    """Yields what `read` yields, which a thread takes up to `most` items ahead. An error comes where it arose, after
    the items before it. The thread ends with this iterator. A database makes rows without Python's lock, so that one
    core reads while another folds what was read.
    """
    items: Queue[tuple[T | None, BaseException | None]] = Queue(most)
    closed = Event()
    thread = Thread(target=_fill, args=(read, items, closed), daemon=True)
    thread.start()
    try:
        while True:
            item, end = items.get()
            if end is not None:
                if isinstance(end, StopIteration):
                    return
                raise end
            assert item is not None
            yield item
    finally:
        closed.set()
        thread.join()


def _fill(read: Callable[[], Generator[T]], items: Queue[tuple[T | None, BaseException | None]], closed: Event) -> None:
    try:
        with closing(read()) as source:
            for item in source:
                if not _put(items, (item, None), closed):
                    return
        _put(items, (None, StopIteration()), closed)
    except BaseException as error:  # noqa: BLE001  raised where the items are read
        _put(items, (None, error), closed)


def _put(
    items: Queue[tuple[T | None, BaseException | None]], item: tuple[T | None, BaseException | None], closed: Event
) -> bool:
    """Returns whether the item found a place before the reader left."""
    while not closed.is_set():
        try:
            items.put(item, timeout=_LOOK)
            return True
        except Full:
            continue
    return False
