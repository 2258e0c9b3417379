"""The interface of matchmakers: pure functions from players, games and results to pairings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from games import InputError, UnknownName
from league.outcomes import compared_seats
from league.ratings import GameInfo
from league.records.matches import Result


class Pairing(msgspec.Struct, frozen=True):
    """The players that meet in a game. `expand` makes the matches, one for each rotation of the sides.

    `players` has one player per side, where a side is a seat or a team of seats. To mix players within teams, it has
    one player per seat, team by team. In a game of strangers the player of a side takes the first seat of a team, and
    other entrants the further ones (`strangers_for`).
    """

    game: str
    players: tuple[str, ...]
    mirrored: bool = True
    """False: a single match, with the seats as listed"""


@dataclass(frozen=True)
class PairingContext:
    """The players, games, rounds and seed of a run; the same when the run starts and when it resumes.

    `players` maps each name, in the order of the file, to the games it plays (None: all). In an open league, players
    and games join and players leave: each round gets those of its time. `rounds` is very large in a league that plays
    until it is stopped. Raises InputError if a game has fewer players than sides or a player has no game.
    """

    players: Mapping[str, Collection[str] | None]
    games: Mapping[str, GameInfo]
    rounds: int = 1
    seed: int = 0
    missed: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(player, game) -> the earlier rounds in which the player was not there to play the game; none: 0"""

    def __post_init__(self) -> None:
        for player, plays in self.players.items():
            for game in plays or ():
                if game not in self.games:
                    raise UnknownName(f"game of player {player!r}", game, self.games)
            if plays is not None and not plays:
                raise InputError(f"player {player!r} plays no game; remove its `games` to let it play all")
        for game, info in self.games.items():
            names = self.entrants(game)
            if len(names) < info.size:
                sides = f"{info.size} teams" if info.teams else f"{info.size} seats ({', '.join(info.seats)})"
                raise InputError(
                    f"game {game!r} has {sides} and {len(names)} of the "
                    f"players play it ({', '.join(names) or 'none'}); it needs at least {info.size}"
                )

    def entrants(self, game: str) -> tuple[str, ...]:
        """Returns the players of a game, in the order of the file."""
        return tuple(name for name, plays in self.players.items() if plays is None or game in plays)


def of_present(context: PairingContext, log: Sequence[Result]) -> tuple[PairingContext, list[Result]]:
    """Returns what a matchmaker knows of an open league: the results of the players that are there.

    Leaves out matches with a player or game that `context` lacks. Their rounds count as missed for the others.
    """
    entrants = {game: frozenset(context.entrants(game)) for game in context.games}
    nobody: frozenset[str] = frozenset()
    kept: list[Result] = []
    played: set[tuple[str, str, int]] = set()
    dropped: set[tuple[str, str, int]] = set()
    for result in log:
        there = entrants.get(result.game, nobody)
        info = context.games.get(result.game)
        seats = result.seats if info is None else compared_seats(result, info)
        complete = all(seat.player in there for seat in seats)
        if complete:
            kept.append(result)
        (played if complete else dropped).update((seat.player, result.game, result.round) for seat in seats)
    missed = Counter(context.missed)
    missed.update((player, game) for player, game, _ in dropped - played)
    return replace(context, missed=missed), kept


class Matchmaker(ABC):
    """Plans a run round by round.

    A matchmaker keeps no state: the same arguments give the same pairings in every process. A resumed run therefore
    plans what an uninterrupted one would have planned. `ahead` means that no round depends on results, so that all
    rounds can be planned at the start.
    """

    ahead: bool = False

    @abstractmethod
    def next(self, context: PairingContext, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """Returns the pairings of a round (the first is 0), or None if the run ends before it.

        `log` has the results of all matches of the earlier rounds, void ones included, without those of players who
        left. The answer must not depend on their order. An `ahead` matchmaker receives an empty log.
        """

    def total(self, context: PairingContext) -> int | None:
        """Returns the number of matches of the whole run, or None if it is unknown."""
        return None
