"""Matchmakers that repeat a round: all against all, or a few against all others."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from annotated_types import Ge

from games import InputError
from games.randomness import derive
from league.matchmaking.designs import everybody, everybody_count, interleave
from league.matchmaking.matchmaker import Matchmaker, Pairing, PairingContext
from league.records.matches import Result

LIMIT = 1000
"""The most tables of a game in one round; only games of three or more seats can have more."""


class _Fixed(Matchmaker):
    """Plans rounds whose tables do not depend on results."""

    ahead = True

    def next(self, context: PairingContext, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """Returns the pairings of a round, with the games taking turns."""
        if round >= context.rounds:
            return None
        return tuple(interleave([self._game(context, game, round) for game in context.games]))

    def total(self, context: PairingContext) -> int:
        """Pairings times sides times rounds."""
        each = (self._count(context, game) * info.size for game, info in context.games.items())
        return context.rounds * sum(each)

    @abstractmethod
    def _game(self, context: PairingContext, game: str, round: int) -> list[Pairing]: ...

    @abstractmethod
    def _count(self, context: PairingContext, game: str) -> int: ...


class RoundRobin(_Fixed):
    """In each round every group of players that fills a game meets once.

    Two seats: every pair, in the order of the Berger tables. More seats: all groups up to `LIMIT`, otherwise a balanced
    selection that changes from round to round (see `designs.everybody`).
    """

    def _game(self, context: PairingContext, game: str, round: int) -> list[Pairing]:
        seed = derive(context.seed, "round-robin", game, round)
        tables = everybody(context.entrants(game), context.games[game].size, LIMIT, seed)
        return [Pairing(game, table) for table in tables]

    def _count(self, context: PairingContext, game: str) -> int:
        return everybody_count(len(context.entrants(game)), context.games[game].size, LIMIT)


class Gauntlet(_Fixed):
    """The first `seeds` players of the file meet all others. Seeds do not meet each other, and neither do the others.

    In a game of n > 2 seats a seed meets every group of n - 1 others, up to `LIMIT` groups. A seed that forfeited all
    of its matches in a game, `floor` or more, plays it no more; 0: it plays on.
    """

    def __init__(self, seeds: Annotated[int, Ge(1)] = 1, floor: Annotated[int, Ge(0)] = 0) -> None:
        self.seeds, self.floor = seeds, floor
        self.ahead = not floor

    def next(self, context: PairingContext, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """Returns the pairings of a round without those of seeds at the floor."""
        pairings = super().next(context, round, log)
        if pairings is None or not self.floor:
            return pairings
        seats = [(seat, result.game) for result in log if result.status != "void" for seat in result.seats]
        played = Counter((seat.player, game) for seat, game in seats)
        answered = {(seat.player, game) for seat, game in seats if not seat.forfeited}
        silent = {key for key, matches in played.items() if matches >= self.floor} - answered
        return tuple(one for one in pairings if (one.players[0], one.game) not in silent)

    def _game(self, context: PairingContext, game: str, round: int) -> list[Pairing]:
        seeds, others = self._split(context, game)
        opponents = context.games[game].size - 1
        seed = derive(context.seed, "gauntlet", game, round)
        groups = [(p,) for p in others] if opponents == 1 else everybody(others, opponents, LIMIT, seed)
        return [Pairing(game, (one, *group)) for group in groups for one in seeds]

    def _count(self, context: PairingContext, game: str) -> int:
        seeds, others = self._split(context, game)
        opponents = context.games[game].size - 1
        return len(seeds) * everybody_count(len(others), opponents, LIMIT)

    def _split(self, context: PairingContext, game: str) -> tuple[list[str], list[str]]:
        first = list(context.players)[: self.seeds]
        entrants = context.entrants(game)
        seeds, others = [p for p in entrants if p in first], [p for p in entrants if p not in first]
        opponents = context.games[game].size - 1
        if opponents < 1:
            raise InputError(f"gauntlet needs games of two or more seats; {game!r} has one")
        if not seeds:
            raise InputError(f"gauntlet: {', '.join(first)} does not play {game!r}; list a player of this game first")
        if len(others) < opponents:
            raise InputError(
                f"gauntlet(seeds={self.seeds}): {game!r} needs {opponents} players besides a seed, "
                f"but has {len(others)}"
            )
        return seeds, others
