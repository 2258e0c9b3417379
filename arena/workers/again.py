"""Matches whose worker died: they are played again, a few times; those that may be what kills it, alone."""

from __future__ import annotations

from collections.abc import Sequence

import games
from arena.match import Episode, MatchPlan, void

LOSSES = 5
"""times that a match is played whose worker died meanwhile; then it is void"""


class Again:
    """What is to be played once more."""

    def __init__(self) -> None:
        self._plans: list[MatchPlan] = []
        self._losses: dict[str, int] = {}

    def lost(self, plans: Sequence[MatchPlan]) -> list[Episode]:
        """These went down with their worker. Returns the void episodes of those that did so too often."""
        given_up = []
        for plan in plans:
            self._losses[plan.id] = self._losses.get(plan.id, 0) + 1
            if self._losses[plan.id] < LOSSES:
                self._plans.append(plan)
            else:
                given_up.append(void(games.make(plan.game), plan, f"its worker died {LOSSES} times"))
        return given_up

    def take(self, most: int) -> list[MatchPlan]:
        """Up to so many that are beyond suspicion."""
        taken = [plan for plan in self._plans if not self._suspected(plan)][:most]
        ids = {plan.id for plan in taken}
        self._plans = [plan for plan in self._plans if plan.id not in ids]
        return taken

    def suspect(self) -> MatchPlan | None:
        """A match that lost its worker twice: it is to be played alone, so that it costs no other match."""
        return next(filter(self._suspected, self._plans), None)

    def remove(self, plan: MatchPlan) -> None:
        """It is being played."""
        self._plans.remove(plan)

    def clear(self) -> None:
        """Forget what waits; how often each was lost is remembered."""
        self._plans.clear()

    def _suspected(self, plan: MatchPlan) -> bool:
        return self._losses.get(plan.id, 0) > 1
