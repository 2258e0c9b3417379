"""Reading ahead yields what a plain reading yields, and its thread ends with the reader."""

import threading

import pytest

from league.store.stored_log import read_ahead


def numbers(end, seen, error=None):
    """Reads numbers, and notes what it has read."""

    def read():
        try:
            for n in range(end):
                seen.append(n)
                yield n
            if error is not None:
                raise error
        finally:
            seen.append("closed")

    return read


@pytest.mark.parametrize("most", [1, 3, 50])
def test_all_items_come_in_order(most):
    assert list(read_ahead(numbers(20, []), most)) == list(range(20))


def test_an_error_comes_after_the_items_before_it():
    items = read_ahead(numbers(3, [], OverflowError("late")), 2)
    assert [next(items), next(items), next(items)] == [0, 1, 2]
    with pytest.raises(OverflowError, match="late"):
        next(items)


def test_a_reader_that_leaves_ends_the_reading():
    seen, before = [], threading.active_count()
    reader = read_ahead(numbers(1000, seen), 2)
    assert [next(reader), next(reader)] == [0, 1]
    reader.close()
    assert threading.active_count() == before
    assert seen[-1] == "closed"
    assert len(seen) < 10
