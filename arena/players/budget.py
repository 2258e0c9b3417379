"""What the players that cost money may use in a run, all together: a hard limit that survives the process.

Before a request is sent, the most it can use is put aside; what it did use is booked when it is answered. So the
limit is never passed, and near it requests wait for those before them instead of stopping early. What is put aside
is written to the ledger in blocks ahead of its use: a process that is killed has used no more than stands there.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import msgspec

from games.errors import RunPaused

# Of the limit: how much is written to the ledger at once. A killed process wastes at most this and what it had in
# flight.
BLOCK = 0.01


class Spent(msgspec.Struct, frozen=True):
    """An amount used: tokens read and written, and what they cost in the currency of the prices."""

    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.tokens - other.tokens, self.cost - other.cost)


class Ledger(Protocol):
    """Where the amounts of a run are kept, by all its processes."""

    def total(self) -> Spent:
        """All that was ever added."""
        ...

    def add(self, amount: Spent) -> None:
        """Add an amount, on disk when this returns; a negative one gives back."""
        ...


class _InMemory:
    """The ledger of a process that keeps nothing."""

    def __init__(self) -> None:
        self._total = Spent()

    def total(self) -> Spent:
        return self._total

    def add(self, amount: Spent) -> None:
        self._total += amount


class Charge:
    """One request's place in the budget. Whoever sends it sets `used`; left alone, nothing was used."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        self.used = Spent()


class Budget:
    """At most `tokens` and `cost` in the run of `ledger`; None: no limit."""

    def __init__(self, tokens: int | None = None, cost: float | None = None, ledger: Ledger | None = None) -> None:
        self._tokens, self._cost = tokens, cost
        self._ledger: Ledger = ledger or _InMemory()
        self._used, self._held = Spent(), Spent()  # of this process: answered, and put aside for what is not
        self._written = Spent()  # of this process: what stands in the ledger
        self._total = self._ledger.total()
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
    async def charge(self, most: Spent) -> AsyncIterator[Charge]:
        """Put `most` aside while a request is answered. Raises RunPaused where the budget does not hold it."""
        await self._take(most)
        charge = Charge()
        try:
            yield charge
        finally:
            self._held -= most
            self._used += charge.used
            waiting, self._waiting = self._waiting, []
            for future in waiting:
                if not future.done():
                    future.get_loop().call_soon_threadsafe(_wake, future)

    def settle(self) -> None:
        """At the end of a run: the ledger holds what was used, no more."""
        if self._written != self._used:
            self._ledger.add(self._used - self._written)
            self._written = self._used

    async def _take(self, most: Spent) -> None:
        while not self._fits(self._used + self._held + most):
            if not self._held.tokens:
                raise RunPaused(self._line(most))
            future = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future
        self._held += most

    def _fits(self, wanted: Spent) -> bool:
        """Whether this process may hold `wanted`; written to the ledger where it does not stand there yet."""
        if (self._tokens is None or wanted.tokens <= self._written.tokens) and (
            self._cost is None or wanted.cost <= self._written.cost
        ):
            return True
        self._total = self._ledger.total()
        others = self._total - self._written
        if not self._within(others + wanted):
            return False
        block = Spent(int((self._tokens or 0) * BLOCK), (self._cost or 0.0) * BLOCK)
        ahead = wanted + block if self._within(others + wanted + block) else wanted
        self._ledger.add(ahead - self._written)
        self._total, self._written = others + ahead, ahead
        return True

    def _within(self, amount: Spent) -> bool:
        return (self._tokens is None or amount.tokens <= self._tokens) and (
            self._cost is None or amount.cost <= self._cost * (1 + 1e-12)
        )

    def _line(self, most: Spent) -> str:
        total = self.total
        parts = []
        if self._tokens is not None:
            parts.append(f"{total.tokens:,} of {self._tokens:,} tokens used, the next request may need {most.tokens:,}")
        if self._cost is not None:
            parts.append(f"{total.cost:.4f} of {self._cost:.4f} spent, the next request may cost {most.cost:.4f}")
        return f"the budget is used up: {'; '.join(parts)}. Raise it under [budget] and start the run again to go on"


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
