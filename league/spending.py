"""What a run has spent on models that cost tokens or money, kept in its diary, so that a limit holds over restarts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec

from arena.players import Player
from arena.players.budget import Budget, Spent
from games import InputError
from league.config import BudgetConfig
from league.store import Run, Store

SPENT = "spent"
"""the kind of the diary's lines; each holds an amount to add"""


class RunLedger:
    """A budget's ledger in the store, for all processes that play the run."""

    def __init__(self, store: Store, run: Run) -> None:
        self._store, self._run = store, run

    def total(self) -> Spent:
        """All that was ever added."""
        lines = [event.text for event in self._store.events(self._run) if event.kind == SPENT]
        return sum((msgspec.json.decode(line, type=Spent) for line in lines), Spent())

    def add(self, amount: Spent) -> None:
        """Add an amount; it is on disk when this returns."""
        self._store.add_event(self._run, SPENT, msgspec.json.encode(amount).decode())


@contextmanager
def budgeted(
    limits: BudgetConfig, store: Store, run: Run, players: Iterable[Player], log: Callable[[str], None]
) -> Iterator[None]:
    """Inside, all players that cost something share one budget. Afterwards the log is told what was spent.

    Raises InputError where costs are limited and a player does not know its prices.
    """
    paying = [player for player in players if player.budget is not None]
    if not paying:
        yield
        return
    if limits.cost is not None and (unpriced := [p.name for p in paying if not p.priced]):
        raise InputError(
            f"budget.cost is given and player {unpriced[0]!r} has no prices; add price_in=... and price_out=... "
            "(per million tokens) to it"
        )
    budget = Budget(limits.tokens, limits.cost, RunLedger(store, run))
    for player in paying:
        player.budget = budget
    try:
        yield
    finally:
        budget.settle()
        total = budget.total
        cost = f" for {total.cost:.4f}" if any(p.priced for p in paying) else ""
        log(f"endpoints: {total.tokens:,} tokens{cost} in this run so far")
