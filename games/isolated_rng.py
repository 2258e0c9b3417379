"""The global random generators, swapped for a game's own while its environment runs.

Some environments, such as those of TextArena, draw from Python's global generator and seed it at every reset. Two
interleaved matches would change each other's cards, and a match would change the numbers of every other user of the
generator.
"""

from __future__ import annotations

import ctypes
import io
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

_BYTES = 4 * (624 + 1)
"""size of a Mersenne twister's state: 624 words and the index of the next one"""
_GAUSS = 3
"""where numpy's state says that it has kept half of a pair of normal numbers"""


class IsolatedGenerators:
    """The state of Python's and numpy's global generators as one game sees them."""

    def __init__(self, seed: int) -> None:
        self._python: Any = random.Random(seed).getstate()
        self._numpy: Any = None
        self._seed = seed % (1 << 32)

    @contextmanager
    def active(self) -> Iterator[None]:
        """Give the global generators this state, and restore theirs afterwards; keep the new state if nothing fails.

        What the environment prints is dropped: it would reach the terminal in the middle of the board.
        """
        with self.tried() as rewind:
            rewind()
            yield
            numpy = sys.modules.get("numpy")
            self._python, self._numpy = random.getstate(), numpy and numpy.random.get_state()

    @contextmanager
    def tried(self) -> Iterator[Callable[[], None]]:
        """As `active`, but keeps no new state. Yields a function that sets the generators to this game's state."""
        numpy = sys.modules.get("numpy")
        python_before, numpy_before = random.getstate(), numpy and numpy.random.get_state()
        if numpy is not None and self._numpy is None:
            self._numpy = numpy.random.RandomState(self._seed).get_state()
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                yield self._rewinder()
        finally:
            random.setstate(python_before)
            if numpy is not None:
                numpy.random.set_state(numpy_before)

    def _rewinder(self) -> Callable[[], None]:
        """Returns a function that sets both states, numpy's only if it has changed: setting it takes 0.1 ms."""
        numpy = sys.modules.get("numpy")
        set_to: bytes | None = None

        def rewind() -> None:
            nonlocal set_to
            random.setstate(self._python)
            if numpy is not None and self._numpy is not None and (set_to is None or _state(numpy) != set_to):
                numpy.random.set_state(self._numpy)
                set_to = None if self._numpy[_GAUSS] else _state(numpy)

        return rewind


def _state(numpy: Any) -> bytes | None:
    """Returns the raw memory of numpy's global generator, 100 times as fast as `get_state`."""
    generator = numpy.random.get_bit_generator()
    if type(generator) is not numpy.random.MT19937:
        return None
    return ctypes.string_at(generator.ctypes.state_address, _BYTES)
