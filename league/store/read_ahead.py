"""Reading on one core while another folds what was read: a database makes rows without Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from queue import Full, Queue
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")
_LOOK = 0.1
"""seconds between two looks at whether somebody still reads"""


def read_ahead(read: Callable[[], Generator[T]], most: int) -> Iterator[T]:
    """Yields what `read` yields, which a thread takes up to `most` items ahead. An error comes where it arose, after
    the items before it. The thread ends with this iterator.
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
