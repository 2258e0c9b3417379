"""Rating methods by name, those of plugins included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from math import isfinite
from typing import TYPE_CHECKING, Any

from games import PluginError
from games.plugins import Registry
from league.config.tournament import RatingConfig
from league.ratings.method import Ratings
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.matches import Result

if TYPE_CHECKING:
    from games.plugins import Registry
    from league.ratings.method import Ratings

RATINGS = Registry(
    "rating method",
    "arena.ratings",
    Ratings,  # type: ignore[type-abstract]
    {
        "bradley-terry": "league.ratings.engine:BradleyTerryRatings",
        "openskill": "league.ratings.online.openskill:OpenSkill",
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

    def standings(self) -> tuple[Standing, ...]:
        """Returns the table over all games."""
        with self._blamed("standings"):
            rows = self._inner.standings()
        return self._table(rows, "standings")

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Returns the tables per game."""
        with self._blamed("by_game"):
            tables = self._inner.by_game()
        return self._tables(tables, "by_game")

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Returns the tables per game and role."""
        with self._blamed("by_role"):
            tables = self._inner.by_role()
        if not isinstance(tables, Mapping):
            raise self._broken("by_role", tables, "a dict of each game to a dict of each role to its table")
        return {game: self._tables(roles, "by_role") for game, roles in tables.items()}

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables together."""
        with self._blamed("snapshot"):
            board: object = self._inner.snapshot(run, matches)
        if not isinstance(board, Leaderboard):
            raise self._broken("snapshot", board, "a league.records.leaderboard.Leaderboard")
        rows: object = board.standings
        if not isinstance(rows, list | tuple):
            self.standings()  # raises for the method that snapshot usually takes them from
            raise self._broken("snapshot().standings", rows, "a tuple of league.records.leaderboard.Standing")
        self._table(rows, "snapshot")
        self._tables(board.games, "snapshot")
        for roles in board.roles.values():
            self._tables(roles, "snapshot")
        return board

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def _blamed(self, what: str) -> AbstractContextManager[None]:
        return self._registry.blamed(self._id, what)

    def _broken(self, what: str, result: object, requirement: str) -> PluginError:
        return self._registry.broken(self._id, f"{what} returned {result!r:.80}; it returns {requirement}")

    def _tables(self, tables: object, what: str) -> dict[str, tuple[Standing, ...]]:
        if not isinstance(tables, Mapping):
            raise self._broken(what, tables, "a dict of tables")
        return {name: self._table(rows, what) for name, rows in tables.items()}

    def _table(self, rows: object, what: str) -> tuple[Standing, ...]:
        if not isinstance(rows, list | tuple) or not all(isinstance(row, Standing) for row in rows):
            raise self._broken(what, rows, "a tuple of league.records.leaderboard.Standing")
        for row in rows:
            if not all(isinstance(x, int | float) and isfinite(x) for x in (row.rating, row.low, row.high)):
                numbers = f"a rating of {row.rating!r} from {row.low!r} to {row.high!r} for {row.player!r}"
                raise self._registry.broken(self._id, f"{what} returned {numbers}; ratings are finite numbers")
        return tuple(rows)
