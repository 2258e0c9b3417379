"""The contract of matchmaking: pure functions from what is known to who meets whom."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from games import InputError, UnknownName
from league.ratings import GameInfo
from league.records import Result


class Pairing(msgspec.Struct, frozen=True):
    """Who meets in which game: one player per side, which is a seat or a team of seats; or one player per seat, team by
    team, to mix players within teams. `expand` makes its matches, one for each rotation of the sides.
    """

    game: str
    players: tuple[str, ...]
    mirrored: bool = True
    """False: one match only, seated as listed"""


@dataclass(frozen=True)
class Field:
    """What a run is about, the same at its start and when it is resumed.

    `players` maps each name, in the file's order, to the games it plays (None: all). Raises InputError where a
    game has fewer players than sides, or a player has no game.
    """

    players: Mapping[str, Collection[str] | None]
    games: Mapping[str, GameInfo]
    rounds: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for player, plays in self.players.items():
            for game in plays or ():
                if game not in self.games:
                    raise UnknownName(f"game of player {player!r}", game, self.games)
            if plays is not None and not plays:
                raise InputError(f"player {player!r} plays no game; leave its `games` out to let it play all")
        for game, info in self.games.items():
            names = self.entrants(game)
            if len(names) < info.size:
                sides = f"{info.size} teams" if info.teams else f"{info.size} seats ({', '.join(info.seats)})"
                raise InputError(
                    f"game {game!r} has {sides} and {len(names)} of the "
                    f"players play it ({', '.join(names) or 'none'}); it needs at least {info.size}"
                )

    def entrants(self, game: str) -> tuple[str, ...]:
        """The players of a game, in the file's order."""
        return tuple(name for name, plays in self.players.items() if plays is None or game in plays)


class Matchmaker(ABC):
    """Plans a run round by round. It keeps no state: the same arguments give the same pairings, in this process or
    the next, so a resumed run plans what an uninterrupted one would have planned.

    `ahead` says that no round depends on results, so that all rounds can be planned at the start.
    """

    ahead: bool = False

    @abstractmethod
    def next(self, field: Field, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """The pairings of a round (from 0), or None where the run has ended before it.

        `log` holds the results of every match of the earlier rounds, void ones included, in any order; the answer
        must not depend on that order. An `ahead` matchmaker is given an empty log.
        """

    def total(self, field: Field) -> int | None:
        """The number of matches of the whole run, where it is known."""
        return None
