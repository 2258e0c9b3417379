"""Who competes in a match: every seat for itself, or teams of seats that win and lose together.

A side is a team, or a seat that is in none. By default one player fills all seats of a side: then the player is the
side, counts once for the match, and is rated by it as in any other game, with the mean of its seats' returns, under
their common role or under the roles joined as in `giver+guesser`. A matchmaker may also name one player per seat,
team by team; then TrueSkill's team update shares out what the team did among its members. Seats are rotated by
whole sides: everybody plays every side on the same seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from games import GameSpec
from games.game import Payoff
from league.records import Result, SeatResult

Side = tuple[SeatResult, ...]
"""what the players of one side came to, each once"""


class GameInfo(msgspec.Struct, frozen=True):
    """What rating and pairing need to know of a game. `seats` in seat order."""

    payoff: Payoff
    seats: tuple[str, ...]
    stakes: bool = False
    """zero- or constant-sum with returns of different size"""
    teams: tuple[tuple[str, ...], ...] = ()
    """seats that win and lose together; (): every seat alone"""
    rated: bool = True
    """whether a match says who is better; else only mean returns are shown"""
    chance: bool = True
    """whether the seed decides anything: without chance the same moves make the same match on every seed"""

    @classmethod
    def of(cls, spec: GameSpec) -> GameInfo:
        """The part of a game's spec that counts here."""
        return cls(spec.payoff, tuple(spec.seats), _has_stakes(spec), spec.teams, spec.rated, spec.chance is not False)

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The seats of each side."""
        return self.teams or tuple((seat,) for seat in self.seats)

    @property
    def size(self) -> int:
        """How many sides: as many players meet in a pairing, and it has as many matches."""
        return len(self.teams or self.seats)

    @property
    def by_pairing(self) -> bool:
        """Whether a match says something only together with the others of its pairing."""
        return self.rated and (self.payoff == "general_sum" or self.stakes)


def to_stored(info: GameInfo) -> dict[str, object]:
    """As JSON values; what is usual is left out, as in runs of before it could be said. `chance` is kept beside it, see
    `league.stored`.
    """
    out: dict[str, object] = msgspec.to_builtins(info)
    usual = ["chance", *(key for key, is_usual in (("teams", not info.teams), ("rated", info.rated)) if is_usual)]
    return {key: value for key, value in out.items() if key not in usual}


def _has_stakes(spec: GameSpec) -> bool:
    if spec.payoff not in ("zero_sum", "constant_sum") or spec.returns_range is None:
        return False
    even = spec.payoff_sum / len(spec.seats)
    return any(abs(bound - even) > 1.0 for bound in spec.returns_range)


def sides(result: Result, info: GameInfo) -> list[Side]:
    """The sides of a match, in the order of the game's."""
    if not info.teams:
        return [(seat,) for seat in result.seats]
    at = {seat.seat: seat for seat in result.seats}
    return [_merged([at[seat] for seat in team]) for team in info.teams]


def counts(result: Result, info: GameInfo) -> bool:
    """Whether a result says anything: not void, and nobody plays on two sides."""
    seats = result.seats
    if result.status == "void":
        return False
    if info.teams:
        names = [entry.player for side in sides(result, info) for entry in side]
        return len(set(names)) == len(names)
    if len(seats) == 2:
        return seats[0].player != seats[1].player
    return len({s.player for s in seats}) == len(seats)


def score(side: Side) -> float:
    """The mean return of a side's players."""
    return side[0].score if len(side) == 1 else sum(entry.score for entry in side) / len(side)


def _merged(seats: Sequence[SeatResult]) -> Side:
    mine: dict[str, list[SeatResult]] = {}
    for seat in seats:
        mine.setdefault(seat.player, []).append(seat)
    return tuple(_one(group) for group in mine.values())


def _one(seats: Sequence[SeatResult]) -> SeatResult:
    """The seats of one player on one side as one."""
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
    )


def added(faults: Iterable[dict[str, int]]) -> dict[str, int]:
    """Counts by category, summed."""
    out: dict[str, int] = {}
    for one in faults:
        for category, times in one.items():
            out[category] = out.get(category, 0) + times
    return out
