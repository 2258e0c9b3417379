"""Rating methods by name: the seam for those of plugins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from games.registries import Registry
from league.config import RatingConfig
from league.ratings.guarded import Guarded
from league.ratings.sides import GameInfo
from league.records import Result
from league.standings import MatchCounts, Snapshot, Standing


@runtime_checkable
class Ratings(Protocol):
    """What a rating method is: results in, leaderboards out.

    The factory takes the keywords `games`, `config` and `players` (as `Ledger`) and its own parameters. The tables
    must depend on the set of results alone, never on the order they came in.
    """

    def add(self, results: Iterable[Result]) -> None:
        """Take in results of matches that ended, each once, in any order."""

    def standings(self) -> tuple[Standing, ...]:
        """Over all games."""
        ...

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Per game."""
        ...

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Per game and role."""
        ...

    def snapshot(self, run: str, matches: MatchCounts) -> Snapshot:
        """All tables together."""
        ...


RATINGS = Registry(
    "rating method",
    "arena.ratings",
    Ratings,  # type: ignore[type-abstract]
    {
        "bradley-terry": "league.ratings.batch:Batch",
        "openskill": "league.ratings.openskill_ledger:OpenSkill",
        "trueskill": "league.ratings.ledger:Ledger",
    },
)

ids = RATINGS.ids


def make(
    id: str, games: Mapping[str, GameInfo], config: RatingConfig | None = None, players: Sequence[str] = ()
) -> Ratings:
    """The rating method named by `id`. Raises UnknownName, or InputError for a wrong parameter."""
    made = RATINGS.make(id, games=games, config=config, players=players)
    return Guarded(made, id, RATINGS) if RATINGS.is_plugin(id) else made
