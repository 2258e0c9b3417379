"""Who takes which seat in the matches of a pairing: rotations of the players over the sides, and strangers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from games import InputError
from games.randomness import RandomStream
from league.records.game_info import GameInfo

Seating: TypeAlias = dict[str, str]
"""seat -> player, in seat order"""


def rotations(players: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Returns the rotations of some players, in which each takes each place once. Equal rotations occur once."""
    return list(dict.fromkeys(players[i:] + players[:i] for i in range(len(players))))


def seatings(info: GameInfo, players: Sequence[str], strangers: Sequence[str] = ()) -> list[Seating]:
    """Returns the seats of each match of a pairing: one match per rotation of the sides.

    One player per side takes all its seats, or the first one if there are `strangers` for the others. One player per
    seat, team by team, makes teams of several players, which rotate as they are. Raises InputError for another number
    of players, or for teams of unequal size with one player per seat.
    """
    sides = info.sides
    if len(players) == len(sides):
        matches = [_by_side(info, turn, strangers) for turn in rotations(tuple(players))]
    else:
        size = len(sides[0])
        if len(players) != len(info.seats) or any(len(side) != size for side in sides):
            raise InputError(
                f"{len(players)} players for {len(sides)} sides of {', '.join(str(len(s)) for s in sides)} seats; give "
                "one player per side, or one per seat if all teams have the same size"
            )
        seats = [seat for side in sides for seat in side]
        turns = [(*players[i * size :], *players[: i * size]) for i in range(len(sides))]
        matches = [dict(zip(seats, turn, strict=True)) for turn in dict.fromkeys(turns)]
    return [{seat: by[seat] for seat in info.seats} for by in matches]


def challenger_seatings(info: GameInfo, challenger: str, rival: str) -> list[Seating]:
    """Returns the seats of each match in which a challenger takes one side, each in turn, and a rival takes all others.

    Among strangers the challenger takes the first seat of a side, and the rival also those beside it.
    """
    return [{seat: challenger if seat in side else rival for seat in info.seats} for side in info.taken]


def strangers_for(info: GameInfo, players: Sequence[str], entrants: Sequence[str], seed: int) -> tuple[str, ...]:
    """Returns the players for the further seats of the teams in a pairing, drawn from the other entrants.

    () if the game is not one of strangers or there is no other entrant: then each player fills its team.
    """
    needed = sum(len(side) - 1 for side in info.sides) if info.strangers else 0
    others = sorted(set(entrants) - set(players))
    return tuple(RandomStream(seed).shuffled(others)[:needed]) if needed and others else ()


def _by_side(info: GameInfo, players: Sequence[str], strangers: Sequence[str]) -> Seating:
    """Returns seat -> player, a player per side. No stranger sits in two teams; it may take several seats of one."""
    wide = [side for side in info.sides if len(side) > 1]
    seating: Seating = {}
    for side, player in zip(info.sides, players, strict=True):
        beside = strangers[wide.index(side) :: len(wide)] if side in wide else ()
        seating[side[0]] = player
        seating |= {seat: beside[i % len(beside)] if beside else player for i, seat in enumerate(side[1:])}
    return seating
