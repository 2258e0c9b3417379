"""Remembers what running a program has shown: solvers repeat each other, and a match may be replayed."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Values by key, at most `most`; the one that came first leaves first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value of a key; None if it is not known."""
        return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        """Keep a value, and return it."""
        self._values[key] = value
        if len(self._values) > self._most:
            self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget everything."""
        self._values.clear()
