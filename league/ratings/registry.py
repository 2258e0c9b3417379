"""Rating methods by name, those of plugins included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from math import isfinite
from typing import Any

from games import PluginError
from games.plugins import Registry
from league.config.tournament import RatingConfig
from league.ratings.method import Ratings
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.matches import Result

RATINGS = Registry(
    "rating method",
    "arena.ratings",
    Ratings,  # type: ignore[type-abstract]
    {
        "bradley-terry": "league.ratings.engine:BradleyTerryRatings",
        "trueskill": "league.ratings.online.ratings:OnlineRatings",
    },
)

ids = RATINGS.ids
register = RATINGS.register


def make(
    id: str, games: Mapping[str, GameInfo], config: RatingConfig | None = None, players: Sequence[str] = ()
) -> Ratings:
    """Returns the rating method named by `id`. Raises UnknownName, or InputError for a wrong parameter."""
    made = RATINGS.make(id, games=games, config=config, players=players)
    return CheckedRatings(made, id, RATINGS) if RATINGS.is_plugin(id) else made


class CheckedRatings:
    """A plugin's rating method, checked. Raises PluginError if it fails or breaks the contract of `Ratings`."""

    def __init__(self, inner: Ratings, id: str, registry: Registry[Ratings]) -> None:
        self._inner, self._id, self._registry = inner, id, registry

    def add(self, results: Iterable[Result]) -> None:
        """Add results."""
        with self._blamed("add"):
            self._inner.add(results)

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables together."""
        with self._blamed("snapshot"):
            board: object = self._inner.snapshot(run, matches)
        if not isinstance(board, Leaderboard):
            raise self._broken("snapshot", board, "a league.records.leaderboard.Leaderboard")
        self._table(board.standings, "standings")
        self._tables(board.games, "games")
        if not isinstance(board.roles, Mapping):
            raise self._broken(
                "snapshot().roles", board.roles, "a dict of each game to a dict of each role to its table"
            )
        for roles in board.roles.values():
            self._tables(roles, "roles")
        return board

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def _blamed(self, what: str) -> AbstractContextManager[None]:
        return self._registry.blamed(self._id, what)

    def _broken(self, what: str, result: object, requirement: str) -> PluginError:
        return self._registry.broken(self._id, f"{what} returned {result!r:.80}; it returns {requirement}")

    def _tables(self, tables: object, what: str) -> None:
        if not isinstance(tables, Mapping):
            raise self._broken(f"snapshot().{what}", tables, "a dict of tables")
        for rows in tables.values():
            self._table(rows, what)

    def _table(self, rows: object, what: str) -> None:
        if not isinstance(rows, list | tuple) or not all(isinstance(row, Standing) for row in rows):
            raise self._broken(f"snapshot().{what}", rows, "a tuple of league.records.leaderboard.Standing")
        for row in rows:
            if not all(isinstance(x, int | float) and isfinite(x) for x in (row.rating, row.low, row.high)):
                numbers = f"a rating of {row.rating!r} from {row.low!r} to {row.high!r} for {row.player!r}"
                raise self._registry.broken(self._id, f"snapshot returned {numbers}; ratings are finite numbers")
