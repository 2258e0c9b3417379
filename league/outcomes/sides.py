"""The sides of a match: single seats, or teams of seats that win and lose together.

A side is a team, or a seat that is in no team. By default one player fills all seats of a side: the player counts once
for the match and is rated as in any other game, with the mean of its seats' returns, under their common role or under
the joined roles, as in `giver+guesser`. A matchmaker may also name one player per seat, team by team; then TrueSkill's
team update divides the team's result among its members. Seats are rotated by whole sides: each player plays every side
on the same seed. In a game of strangers a player takes the first seat of a team, and the further ones are taken by
other players of the run, the strangers, whom the match does not rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from league.records.game_info import GameInfo
from league.records.matches import SeatResult

Side = tuple[SeatResult, ...]
"""the results of one side's players, each player once"""


class EndedMatch(Protocol):
    """The part of a result that decides it."""

    @property
    def status(self) -> str:
        """Returns finished, forfeit, truncated or void."""

    @property
    def seats(self) -> tuple[SeatResult, ...]:
        """Returns the results of its seats."""


def sides(result: EndedMatch, info: GameInfo) -> list[Side]:
    """Returns the sides of a match, in the game's order."""
    if not info.teams:
        return [(seat,) for seat in result.seats]
    return [_merged(team) for team in _teams(result, info)]


def compared_seats(result: EndedMatch, info: GameInfo) -> Sequence[SeatResult]:
    """Returns the seats of the players that a match compares: all but those of strangers."""
    return [seat for team in _teams(result, info) for seat in team] if info.strangers else result.seats


def _teams(result: EndedMatch, info: GameInfo) -> list[list[SeatResult]]:
    """Returns the seats of each team without strangers."""
    at = {seat.seat: seat for seat in result.seats}
    return [
        [at[seat] for seat in team if not info.strangers or at[seat].player == at[team[0]].player]
        for team in info.teams
    ]


def is_counted(result: EndedMatch, info: GameInfo) -> bool:
    """Returns whether a result counts: it is not void, no player plays on two sides, and no stranger forfeited it."""
    seats = result.seats
    if result.status == "void":
        return False
    if info.strangers:
        compared = compared_seats(result, info)
        if any(seat.forfeited and seat not in compared for seat in seats):
            return False
    if info.teams:
        names = [entry.player for side in sides(result, info) for entry in side]
        return len(set(names)) == len(names)
    if len(seats) == 2:
        return seats[0].player != seats[1].player
    return len({s.player for s in seats}) == len(seats)


def score(side: Side) -> float:
    """Returns the mean return of a side's players."""
    return side[0].score if len(side) == 1 else sum(entry.score for entry in side) / len(side)


def _merged(seats: Sequence[SeatResult]) -> Side:
    by_player: dict[str, list[SeatResult]] = {}
    for seat in seats:
        by_player.setdefault(seat.player, []).append(seat)
    return tuple(_one(group) for group in by_player.values())


def _one(seats: Sequence[SeatResult]) -> SeatResult:
    """Returns the seats of one player on one side, merged."""
    if len(seats) == 1:
        return seats[0]
    return msgspec.structs.replace(
        seats[0],
        role="+".join(dict.fromkeys(s.role for s in seats)),
        score=sum(s.score for s in seats) / len(seats),
        forfeited=any(s.forfeited for s in seats),
        turns=sum(s.turns for s in seats),
        tokens=sum(s.tokens for s in seats),
        faults=added(s.faults for s in seats),
        prompt_tokens=sum(s.prompt_tokens for s in seats),
    )


def added(faults: Iterable[dict[str, int]]) -> dict[str, int]:
    """Returns counts by category, summed."""
    out: dict[str, int] = {}
    for one in faults:
        for category, times in one.items():
            out[category] = out.get(category, 0) + times
    return out
