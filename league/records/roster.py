"""Who plays what in each round of a run that players and games join and leave.

The changes are part of the run's settings, in their order. Each holds from a round on, so the plan follows from the
settings and the results alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec


class RosterChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """Players and games that join a run, and players that leave it."""

    round: int
    """the first round that is planned with it"""
    index: int
    """of the first match of that round"""
    joined: tuple[str, ...] = ()
    """players, also those that were retired and play again"""
    retired: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    """canonical ids of games that join"""


class Roster(NamedTuple):
    """Who plays what in a round."""

    plays: dict[str, tuple[str, ...]]
    """player -> canonical ids of the games it plays"""
    games: tuple[str, ...]


def roster_at(
    plays: Mapping[str, Sequence[str]], games: Iterable[str], changes: Sequence[RosterChange], round: int | None = None
) -> Roster:
    """Returns the players and games of a round; None: after all changes. `plays` and `games` have all there were."""
    held = [change for change in changes if round is None or change.round <= round]
    joined = {player: not _joins_later(player, changes) for player in plays}
    for change in held:
        joined |= dict.fromkeys(change.joined, True) | dict.fromkeys(change.retired, False)
    later = {game for change in changes for game in change.games}
    later -= {game for change in held for game in change.games}
    active = tuple(game for game in games if game not in later)
    return Roster(
        {player: tuple(id for id in ids if id in active) for player, ids in plays.items() if joined[player]}, active
    )


def retired_players(plays: Mapping[str, Sequence[str]], changes: Sequence[RosterChange]) -> frozenset[str]:
    """Returns the players that are paired no more."""
    return frozenset(plays) - frozenset(roster_at(plays, (), changes).plays)


def missed_rounds(
    plays: Mapping[str, Sequence[str]], games: Sequence[str], changes: Sequence[RosterChange], round: int
) -> dict[tuple[str, str], int]:
    """Returns (player, game) -> the rounds before `round` in which the player was not there to play the game."""
    missed: dict[tuple[str, str], int] = {}
    starts = [0, *sorted({change.round for change in changes if 0 < change.round <= round})]
    for start, end in zip(starts, [*starts[1:], round], strict=True):
        then = roster_at(plays, games, changes, start).plays
        for player, ids in plays.items():
            for game in ids:
                if game not in then.get(player, ()):
                    missed[player, game] = missed.get((player, game), 0) + end - start
    return missed


def _joins_later(player: str, changes: Sequence[RosterChange]) -> bool:
    """Returns whether a player was not in the run at its start: the first change that names it lets it join."""
    first = next((change for change in changes if player in (*change.joined, *change.retired)), None)
    return first is not None and player in first.joined
