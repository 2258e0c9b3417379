"""Decides which interrupted matches are played again."""

from __future__ import annotations

from collections.abc import Sequence

import games
from arena.match import Episode, MatchPlan, void

ATTEMPTS = 3
"""attempts for a match that an engine or endpoint interrupts; after them it stays void"""


class RetryQueue:
    """Interrupted matches that wait for another attempt. Each match gets at most `attempts` in this process.

    `isolate_after`: after this many failures a match is a suspect: `take` no longer returns it, `suspect` does.
    """

    def __init__(self, attempts: int = ATTEMPTS, isolate_after: int | None = None) -> None:
        self._attempts, self._isolate_after = attempts, isolate_after or attempts
        self._waiting: list[MatchPlan] = []
        self._failures: dict[str, int] = {}
        """match id -> interrupted attempts"""

    def add(self, plan: MatchPlan) -> bool:
        """Count a failed attempt. Returns whether the match has another one left; it then waits for it."""
        self._failures[plan.id] = self._failures.get(plan.id, 0) + 1
        if self._failures[plan.id] >= self._attempts:
            return False
        self._waiting.append(plan)
        return True

    def add_all(self, plans: Sequence[MatchPlan], reason: str) -> list[Episode]:
        """Count a failed attempt of each match. Returns void episodes, with `reason`, of those without one left."""
        return [void(games.make(plan.game), plan, reason) for plan in plans if not self.add(plan)]

    def take(self, room: int) -> list[MatchPlan]:
        """Remove and return at most `room` matches that are not suspects."""
        taken = [plan for plan in self._waiting if not self._is_suspect(plan)][: max(0, room)]
        ids = {plan.id for plan in taken}
        self._waiting = [plan for plan in self._waiting if plan.id not in ids]
        return taken

    def suspect(self) -> MatchPlan | None:
        """Returns a waiting match that may itself kill workers. Play it alone, so that it interrupts no other match."""
        return next(filter(self._is_suspect, self._waiting), None)

    def remove(self, plan: MatchPlan) -> None:
        """Remove a match that `suspect` returned."""
        self._waiting.remove(plan)

    def clear(self) -> None:
        """Remove all waiting matches. The failure counts stay."""
        self._waiting.clear()

    def _is_suspect(self, plan: MatchPlan) -> bool:
        return self._failures.get(plan.id, 0) >= self._isolate_after
