"""Matches that something under them interrupted, to be played again."""

from __future__ import annotations

from arena.match import Episode, MatchPlan

# A match that a failing engine or endpoint interrupted is played again; then it is void.
ATTEMPTS = 3


class Again:
    """Void matches that wait for another attempt, of ATTEMPTS that each has in this process."""

    def __init__(self) -> None:
        self._waiting: list[MatchPlan] = []
        self._failures: dict[str, int] = {}
        """match id -> times that something under it failed"""

    def wants(self, episode: Episode, plan: MatchPlan) -> bool:
        """Whether a match that ended is void and has an attempt left; it waits then."""
        if episode.status != "void":
            return False
        self._failures[episode.match] = self._failures.get(episode.match, 0) + 1
        if self._failures[episode.match] >= ATTEMPTS:
            return False
        self._waiting.append(plan)
        return True

    def take(self, room: int) -> list[MatchPlan]:
        """Up to `room` of those that wait."""
        room = max(0, room)
        taken, self._waiting = self._waiting[:room], self._waiting[room:]
        return taken

    def clear(self) -> None:
        """None waits any more."""
        self._waiting.clear()
