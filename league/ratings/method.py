"""The interface of a rating method."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.matches import Result


@runtime_checkable
class Ratings(Protocol):
    """A rating method: results in, leaderboards out.

    The factory takes the keywords `games`, `config` and `players` (as `OnlineRatings`) and its own parameters. The
    tables must depend on the set of results alone, never on the order they arrive in.
    """

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, each once, in any order."""

    def standings(self) -> tuple[Standing, ...]:
        """Returns the table over all games."""
        ...

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Returns the tables per game."""
        ...

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Returns the tables per game and role."""
        ...

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables together."""
        ...
