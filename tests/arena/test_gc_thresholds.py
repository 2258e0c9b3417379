"""Collections are rare while matches are played; afterwards the old thresholds return."""

import gc

import pytest

from arena.gc_thresholds import YOUNG, rare_collections


@pytest.fixture(autouse=True)
def nothing_is_frozen():
    """Tests start with their modules frozen (tests/conftest.py), as no user's program does."""
    gc.unfreeze()
    yield
    gc.freeze()


def test_what_the_caller_froze_stays_frozen():
    gc.freeze()
    frozen = gc.get_freeze_count()
    with rare_collections():
        assert gc.get_threshold()[0] == YOUNG
    assert 0 <= frozen - gc.get_freeze_count() < 100  # a frozen object still goes with its last reference


def test_thresholds_come_back_also_after_an_error():
    before = gc.get_threshold()

    def broken():
        with rare_collections():
            assert gc.get_threshold()[0] == YOUNG
            assert gc.get_freeze_count() > 0
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_cycles_are_still_collected():
    class Loop:
        alive = 0

        def __init__(self):
            Loop.alive += 1
            self.me = self

        def __del__(self):
            Loop.alive -= 1

    with rare_collections():
        for _ in range(2 * YOUNG):
            Loop()
        assert Loop.alive < 2 * YOUNG
