"""Numbers for names that are hashes: a table in which thousands of names are looked up by a few steps of numpy.

Ten million names took seven seconds in a dictionary, a second here. Open addressing with linear probing (Knuth, "The
art of computer programming", volume 3, 6.4): a name is already spread evenly.
"""

from __future__ import annotations

import numpy as np

from league.outcomes.arrays import Ints

_ROOM = 2
"""places for each name, at least"""
_FREE = -1


class HashTable:
    """Numbers names, which are not negative, as they come."""

    def __init__(self) -> None:
        self._names = np.full(1 << 10, _FREE, np.int64)
        self._numbers = np.full(1 << 10, _FREE, np.int64)
        self._size = 0

    def numbers(self, names: Ints, start: int) -> tuple[Ints, Ints]:
        """Returns (n,) the numbers of different names, and the places of new ones, which have `start`, ... in order.
        Raises ValueError for a name that occurs twice or is negative.
        """
        if len(names) and names.min() < 0:
            raise ValueError("a name is negative")
        out, places = np.full(len(names), _FREE, np.int64), self._places(names)
        present = self._names[places] == names
        out[present] = self._numbers[places[present]]
        new = np.flatnonzero(~present)
        if not len(new):
            return out, new
        out[new] = start + np.arange(len(new))
        self._enter(names[new], out[new])
        if (self._numbers[self._places(names[new])] != out[new]).any():
            raise ValueError("a name occurs twice")
        return out, new

    def _places(self, names: Ints) -> Ints:
        """Returns the place of each name, or where it would be entered."""
        mask = len(self._names) - 1
        places = names & mask
        rest = np.arange(len(names))
        while len(rest):
            there = self._names[places[rest]]
            rest = rest[(there != names[rest]) & (there != _FREE)]
            places[rest] = (places[rest] + 1) & mask
        return places

    def _enter(self, names: Ints, numbers: Ints) -> None:
        """Enter new names."""
        self._size += len(names)
        if _ROOM * self._size > len(self._names):
            kept = self._names != _FREE
            names = np.concatenate([self._names[kept], names])
            numbers = np.concatenate([self._numbers[kept], numbers])
            size = 1 << (_ROOM * 2 * self._size - 1).bit_length()
            self._names, self._numbers = (np.full(size, _FREE, np.int64) for _ in range(2))
        while len(names):
            places = self._places(names)
            self._names[places] = names  # of several for one place the last one stays
            stays = self._names[places] == names
            self._numbers[places[stays]] = numbers[stays]
            names, numbers = names[~stays], numbers[~stays]
