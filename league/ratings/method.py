"""The interface of a rating method."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.matches import Result


@runtime_checkable
class Ratings(Protocol):
    """A rating method: results in, leaderboards out.

    The factory takes the keywords `games`, `config` and `players` (as `OnlineRatings`) and its own parameters. The
    tables must depend on the set of results alone, never on the order they arrive in.
    """

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, each once, in any order."""

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns the tables over all games, per game, and per game and role."""
        ...
