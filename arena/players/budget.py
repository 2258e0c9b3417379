"""A hard limit on what the paid players of a run use together. It survives the process.

Before a request is sent, the most that it can use is reserved; when it is answered, its real use is booked. So the
limit is exceeded only if requests use more than was reserved, and then by those in flight at most. Near it requests
wait for earlier ones instead of failing early. Reserved amounts are
written to a store in blocks before they are used: a killed process has never used more than the store says.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import msgspec

from games.errors import RunPaused

# Share of the limit that is written to the store at once. A killed process wastes at most this and its requests in
# flight.
BLOCK = 0.01


class Spent(msgspec.Struct, frozen=True):
    """An amount used: tokens read and written, and their cost in the currency of the prices."""

    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.tokens - other.tokens, self.cost - other.cost)


class UsageStore(Protocol):
    """Keeps the amounts that all processes of a run use."""

    def total(self) -> Spent:
        """Returns the sum of all amounts added."""
        ...

    def add(self, amount: Spent) -> None:
        """Add an amount durably. A negative amount gives back."""
        ...


class _InMemory:
    """A store for a process that keeps nothing."""

    def __init__(self) -> None:
        self._total = Spent()

    def total(self) -> Spent:
        return self._total

    def add(self, amount: Spent) -> None:
        self._total += amount


class Reservation:
    """The reserved amount of one request. Its sender sets `used`; the default is that nothing was used."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        self.used = Spent()


class Budget:
    """Limits a run to `tokens` and `cost`; None: no limit. `store` holds what all processes of the run used."""

    def __init__(self, tokens: int | None = None, cost: float | None = None, store: UsageStore | None = None) -> None:
        self._tokens, self._cost = tokens, cost
        self._store: UsageStore = store or _InMemory()
        self._used, self._reserved = Spent(), Spent()  # by this process: answered requests, unanswered requests
        self._written = Spent()  # by this process, according to the store
        self._total = self._store.total()
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def used(self) -> Spent:
        """What this process has used."""
        return self._used

    @property
    def total(self) -> Spent:
        """What the run has used, as far as this process knows."""
        return self._total - self._written + self._used

    @asynccontextmanager
    async def reserve(self, most: Spent) -> AsyncIterator[Reservation]:
        """Reserve `most` for one request. Raises RunPaused if the budget does not suffice for it."""
        await self._reserve(most)
        reservation = Reservation()
        try:
            yield reservation
        finally:
            self._book(most, reservation.used)
            waiting, self._waiting = self._waiting, []
            for future in waiting:
                if not future.done():
                    future.get_loop().call_soon_threadsafe(_wake, future)

    def close(self) -> None:
        """Corrects the store at the end of a run to exactly what was used."""
        if self._written != self._used:
            more = self._used - self._written
            self._store.add(more)
            self._total, self._written = self._total + more, self._used

    async def _reserve(self, most: Spent) -> None:
        while not self._fits(self._used + self._reserved + most):
            if not self._reserved.tokens:
                raise RunPaused(self._exhausted(most))
            future = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future
        self._reserved += most

    def _book(self, most: Spent, used: Spent) -> None:
        """Book what a request used. What exceeds the reserved amount is stored at once: the store is never behind."""
        self._reserved -= most
        self._used += used
        more = self._used + self._reserved - self._written
        if not self._is_written(self._used + self._reserved):
            self._store.add(more)
            self._total, self._written = self._total + more, self._written + more

    def _is_written(self, amount: Spent) -> bool:
        """Returns whether the store covers an amount of this process, as far as it is limited."""
        return (self._tokens is None or amount.tokens <= self._written.tokens) and (
            self._cost is None or amount.cost <= self._written.cost * (1 + 1e-12)
        )

    def _fits(self, total: Spent) -> bool:
        """Returns whether this process may use `total` in all. Writes it to the store unless that covers it."""
        if self._is_written(total):
            return True
        self._total = self._store.total()
        others = self._total - self._written
        if not self._within(others + total):
            return False
        block = Spent(int((self._tokens or 0) * BLOCK), (self._cost or 0.0) * BLOCK)
        ahead = total + block if self._within(others + total + block) else total
        self._store.add(ahead - self._written)
        self._total, self._written = others + ahead, ahead
        return True

    def _within(self, amount: Spent) -> bool:
        return (self._tokens is None or amount.tokens <= self._tokens) and (
            self._cost is None or amount.cost <= self._cost * (1 + 1e-12)
        )

    def _exhausted(self, most: Spent) -> str:
        total = self.total
        parts = []
        if self._tokens is not None:
            parts.append(f"{total.tokens:,} of {self._tokens:,} tokens used, the next request may need {most.tokens:,}")
        if self._cost is not None:
            parts.append(f"{total.cost:.4f} of {self._cost:.4f} spent, the next request may cost {most.cost:.4f}")
        return f"the budget is used up: {'; '.join(parts)}. Raise it under [budget] and start the run again to continue"


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
