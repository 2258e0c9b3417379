"""Publishes the turns of matches in flight, so that `arena watch` in another process can follow them."""

from __future__ import annotations

from itertools import islice

from arena.runner import Runner
from league.store import Run, Store

EVERY = 1.0
"""seconds between two looks at the matches in flight; nothing is written while no turn was played"""
MOST = 32
"""matches that can be followed at a time, those that began first; with 32 a call takes about 15 ms"""


class TurnPublisher:
    """Stores the turns of the matches of a runner that have changed since the last call."""

    def __init__(self, store: Store, run: Run, owner: str, runner: Runner) -> None:
        self._store, self._run, self._owner, self._runner = store, run, owner, runner
        self._published: dict[str, int] = {}
        """match id -> number of turns in the store"""

    def publish(self) -> None:
        """Store new turns in one transaction, if there are any."""
        now = dict(islice(self._runner.turns_in_flight().items(), MOST))
        changed = {match: turns for match, turns in now.items() if self._published.get(match) != len(turns)}
        if changed:
            self._store.publish_turns(self._run, self._owner, changed)
        self._published = {match: len(turns) for match, turns in now.items()}
