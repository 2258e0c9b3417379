"""Rating methods by name: the seam for those of plugins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from games import InputError, UnknownName, plugins
from games.naming import parse_name
from league.config import RatingConfig
from league.ratings.outcomes import GameInfo
from league.records import Result
from league.standings import MatchCounts, Snapshot, Standing

GROUP = "arena.ratings"
BUILTIN = {
    "bradley-terry": "league.ratings.refine:Batch",
    "openskill": "league.ratings.openskill_ledger:OpenSkill",
    "trueskill": "league.ratings.ledger:Ledger",
}


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


def ids() -> list[str]:
    """The rating methods there are."""
    return sorted({**BUILTIN, **plugins.entries(GROUP)})


def make(
    id: str, games: Mapping[str, GameInfo], config: RatingConfig | None = None, players: Sequence[str] = ()
) -> Ratings:
    """The rating method named by `id`. Raises UnknownName, or InputError for a wrong parameter."""
    name = parse_name(id)
    entry = {**plugins.builtin(BUILTIN), **plugins.entries(GROUP)}.get(name.base)
    if entry is None:
        raise UnknownName("rating method", name.base, ids())
    given = {"games": games, "config": config, "players": players}
    made = plugins.create("rating method", entry, {**name.params, **given})
    if not isinstance(made, Ratings):
        raise InputError(f"rating method {name.base!r} of {entry.origin} made a {type(made).__name__}, not Ratings")
    return made
