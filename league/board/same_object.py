"""Keys of caches for what is drawn from large objects."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class SameObject(Generic[T]):
    """A key that equals only a key of the very same object: hashing all of it would take longer than drawing it."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObject) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)
