"""Everybody meets everybody, or the first few meet everybody else."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from games import InputError
from games.randomness import derive
from league.matchmaking.matchmaker import Field, Matchmaker, Pairing
from league.matchmaking.tables import everybody, everybody_count, interleave
from league.records import Result

LIMIT = 1000
"""Tables of a game in one round; only games of three or more seats can have more."""


class _Fixed(Matchmaker):
    """Rounds that do not depend on results."""

    ahead = True

    def next(self, field: Field, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """The same meetings in every round, the games in turn."""
        if round >= field.rounds:
            return None
        return tuple(interleave([self._game(field, game, round) for game in field.games]))

    def total(self, field: Field) -> int:
        """Meetings times sides, each round."""
        each = (self._count(field, game) * info.size for game, info in field.games.items())
        return field.rounds * sum(each)

    @abstractmethod
    def _game(self, field: Field, game: str, round: int) -> list[Pairing]: ...

    @abstractmethod
    def _count(self, field: Field, game: str) -> int: ...


class RoundRobin(_Fixed):
    """Each round, every group of as many players as a game has seats meets once in it.

    Two seats: every pair, in the order of Berger's tables. More: all groups up to `limit`, beyond it a balanced part
    that changes from round to round (see `tables.everybody`).
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit

    def _game(self, field: Field, game: str, round: int) -> list[Pairing]:
        seed = derive(field.seed, "round-robin", game, round)
        tables = everybody(field.entrants(game), field.games[game].size, self.limit, seed)
        return [Pairing(game, table) for table in tables]

    def _count(self, field: Field, game: str) -> int:
        return everybody_count(len(field.entrants(game)), field.games[game].size, self.limit)


class Gauntlet(_Fixed):
    """The first `seeds` players of the file meet everybody else; the others do not meet, nor the seeds one another.

    In a game of n > 2 seats a seed meets every group of n - 1 others, up to `limit` groups.
    """

    def __init__(self, seeds: int = 1, limit: int = LIMIT) -> None:
        if not isinstance(seeds, int) or seeds < 1:
            raise InputError(f"gauntlet(seeds={seeds}): seeds must be a whole number of at least 1")
        self.seeds, self.limit = seeds, limit

    def _game(self, field: Field, game: str, round: int) -> list[Pairing]:
        seeds, others = self._split(field, game)
        wanted = field.games[game].size - 1
        seed = derive(field.seed, "gauntlet", game, round)
        groups = [(p,) for p in others] if wanted == 1 else everybody(others, wanted, self.limit, seed)
        return [Pairing(game, (one, *group)) for group in groups for one in seeds]

    def _count(self, field: Field, game: str) -> int:
        seeds, others = self._split(field, game)
        wanted = field.games[game].size - 1
        return len(seeds) * everybody_count(len(others), wanted, self.limit)

    def _split(self, field: Field, game: str) -> tuple[list[str], list[str]]:
        first = list(field.players)[: self.seeds]
        entrants = field.entrants(game)
        seeds, others = [p for p in entrants if p in first], [p for p in entrants if p not in first]
        wanted = field.games[game].size - 1
        if wanted < 1:
            raise InputError(f"gauntlet needs games of two or more seats; {game!r} has one")
        if not seeds:
            raise InputError(f"gauntlet: {', '.join(first)} does not play {game!r}; list a player of it first")
        if len(others) < wanted:
            raise InputError(
                f"gauntlet(seeds={self.seeds}): {game!r} needs {wanted} players beside a seed, it has {len(others)}"
            )
        return seeds, others
