"""The tokens and costs of a run, stored as its events, so that a budget holds across restarts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec

from arena.players import Player
from arena.players.budget import Budget, Spent
from games import InputError
from league.config.tournament import BudgetConfig
from league.store import Run, Store
from league.store.runs import read_line

SPENT = "spent"
"""the kind of these events; each holds an amount to add"""


class RunUsageStore:
    """The usage of a run in the store, shared by all processes that play the run."""

    def __init__(self, store: Store, run: Run) -> None:
        self._store, self._run = store, run

    def total(self) -> Spent:
        """Returns the sum of all amounts."""
        amounts = [event for event in self._store.events(self._run) if event.kind == SPENT]
        return sum((read_line(event, Spent) for event in amounts), Spent())

    def add(self, amount: Spent) -> None:
        """Add an amount, which is durable on return."""
        self._store.add_event(self._run, SPENT, msgspec.json.encode(amount).decode())


class SharedBudget:
    """One budget of all players that cost something, also of those that join later."""

    def __init__(self, limits: BudgetConfig, store: Store, run: Run) -> None:
        self._limits, self._usage = limits, RunUsageStore(store, run)
        self._budget: Budget | None = None
        self._priced = False

    def give(self, players: Iterable[Player]) -> None:
        """Give the budget to those of the players that cost something.

        Raises InputError if costs are limited and a player has no prices.
        """
        paying = [player for player in players if player.budget is not None]
        if self._limits.cost is not None and (unpriced := [p.name for p in paying if not p.priced]):
            raise InputError(
                f"budget.cost is set and player {unpriced[0]!r} has no prices; add price_in=... and price_out=... "
                "(per million tokens) to it"
            )
        for player in paying:
            self._budget = self._budget or Budget(self._limits.tokens, self._limits.cost, self._usage)
            player.budget = self._budget
            self._priced |= player.priced

    def close(self, log: Callable[[str], None]) -> None:
        """Store the usage and log it."""
        if self._budget is None:
            return
        self._budget.close()
        total = self._budget.total
        cost = f" for {total.cost:.4f}" if self._priced else ""
        tokens = f"{total.tokens:,} tokens{cost}" if total.tokens else "no tokens counted"
        log(f"endpoints: {tokens} in this run so far")


@contextmanager
def shared_budget(
    limits: BudgetConfig, store: Store, run: Run, players: Iterable[Player], log: Callable[[str], None]
) -> Iterator[SharedBudget]:
    """Inside this context, all players that cost something share one budget. At the end, the usage is logged.

    Raises InputError if costs are limited and a player has no prices.
    """
    budget = SharedBudget(limits, store, run)
    budget.give(players)
    try:
        yield budget
    finally:
        budget.close(log)
