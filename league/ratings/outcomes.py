"""From the results of a pairing to what is rated: who came where, among whom.

- zero_sum, constant_sum: each match is an outcome, its seats ranked by score. A match cut off at its turn limit
  decided nothing: all level.
- general_sum: getting more than the others of one match says nothing (a seller may earn more than a buyer whoever
  sits there). The matches of a pairing share a seed and rotate the seats, so each *seat* is an outcome: its players,
  one per match, ranked by what they made of the same seat with the same private values (duplicate scoring, as in
  bridge). It exists once the whole pairing ended.
- zero_sum and constant_sum with stakes (poker: a return can be 1 or 2 chips): winning more matches is not playing
  better. In Kuhn poker the equilibrium wins 49% of its matches against a random player, and 0.15 chips a match. The
  matches of a pairing share their cards and rotate the seats, so they are ranked by the sum of the returns over the
  whole pairing (duplicate scoring again), and every match of it counts as won, drawn or lost with it.
- cooperative: one outcome per match, all level, not rated; the score column tells players apart.

A seat that forfeits comes last, whatever its score. Where another seat's forfeit spoiled a general-sum match, the
seat is taken to have done as well as the best of the others in that seat: nobody loses by a forfeit opposite.
Void matches and matches in which a player meets itself give no outcome: they change no rating and no count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from games import GameSpec
from games.game import Payoff
from league.records import Result, SeatResult

_DIGITS = 9
"""Scores that agree to this many decimals are level."""


class GameInfo(msgspec.Struct, frozen=True):
    """What rating and pairing need to know of a game. `seats` in seat order."""

    payoff: Payoff
    seats: tuple[str, ...]
    stakes: bool = False
    """zero- or constant-sum with returns of different size"""

    @classmethod
    def of(cls, spec: GameSpec) -> GameInfo:
        """The part of a game's spec that counts here."""
        return cls(spec.payoff, tuple(spec.seats), _has_stakes(spec))

    @property
    def by_pairing(self) -> bool:
        """Whether a match says something only together with the others of its pairing."""
        return self.payoff == "general_sum" or self.stakes


def _has_stakes(spec: GameSpec) -> bool:
    if spec.payoff not in ("zero_sum", "constant_sum") or spec.returns_range is None:
        return False
    even = spec.payoff_sum / len(spec.seats)
    return any(abs(bound - even) > 1.0 for bound in spec.returns_range)


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """Seats ranked against each other. `ranks[i]` belongs to `entries[i]`; 0 is best, equal ranks are level."""

    entries: tuple[SeatResult, ...]
    ranks: tuple[int, ...]
    rated: bool = True
    roles_only: bool = False
    """moves ratings in roles, but not those in the game and overall: another outcome of the pairing moved those"""


def outcomes(results: Sequence[Result], info: GameInfo) -> list[Outcome]:
    """The outcomes of the ended matches of one pairing, in plan order and seat order whatever order they come in.

    Every seat of every match that counts appears in exactly one outcome. Where the game is rated `by_pairing`, give
    the whole pairing.
    """
    counted = sorted((r for r in results if counts(r)), key=_index)
    if info.payoff == "general_sum":
        return _by_seat(counted)
    if info.stakes:
        return _by_total(counted, complete=len(counted) == len(info.seats))
    return [match_outcome(result, info.payoff) for result in counted]


def counts(result: Result) -> bool:
    """Whether a result says anything: not void, and no player meets itself."""
    seats = result.seats
    if result.status == "void":
        return False
    if len(seats) == 2:
        return seats[0].player != seats[1].player
    return len({s.player for s in seats}) == len(seats)


def match_outcome(result: Result, payoff: Payoff) -> Outcome:
    """The outcome of one match of a game that is not general-sum."""
    seats = result.seats
    if payoff == "cooperative":
        return Outcome(seats, (0,) * len(seats), rated=False)
    if result.status == "truncated":
        return Outcome(seats, (0,) * len(seats), rated=len(seats) > 1)
    if len(seats) == 2:
        return Outcome(seats, _pair_ranks(*seats))
    return Outcome(seats, _ranks([_worth(s.forfeited, s.score) for s in seats]), rated=len(seats) > 1)


def _by_total(matches: Sequence[Result], complete: bool) -> list[Outcome]:
    """Each match with the ranks of the pairing's sums; a forfeit anywhere in it comes before any sum."""
    if not complete:
        return [Outcome(m.seats, (0,) * len(m.seats), rated=False) for m in matches]
    sums: dict[str, tuple[int, float]] = {}
    for seat in (seat for match in matches for seat in match.seats):
        forfeits, score = sums.get(seat.player, (0, 0.0))
        sums[seat.player] = forfeits - seat.forfeited, round(score + seat.score, _DIGITS)
    rank = {player: sum(other > own for other in sums.values()) for player, own in sums.items()}
    return [
        Outcome(m.seats, tuple(rank[s.player] for s in m.seats), roles_only=number > 0)
        for number, m in enumerate(matches)
    ]


def _by_seat(matches: Sequence[Result]) -> list[Outcome]:
    found: dict[str, list[tuple[SeatResult, bool]]] = {}
    for match in matches:
        forfeiters = {s.seat for s in match.seats if s.forfeited}
        for seat in match.seats:
            found.setdefault(seat.seat, []).append((seat, bool(forfeiters - {seat.seat})))
    return [_seat_outcome(entries) for entries in found.values()]


def _seat_outcome(entries: Sequence[tuple[SeatResult, bool]]) -> Outcome:
    seats = tuple(seat for seat, _ in entries)
    best = max((s.score for s, spoiled in entries if not (s.forfeited or spoiled)), default=0.0)
    worths = [_worth(s.forfeited, best if spoiled else s.score) for s, spoiled in entries]
    return Outcome(seats, _ranks(worths), rated=len({s.player for s in seats}) == len(seats) > 1)


def _worth(forfeited: bool, score: float) -> tuple[bool, float]:
    """Sort key, more is better. Rounded, so that sums of rewards that differ in their last bits are level."""
    return (False, 0.0) if forfeited else (True, round(score, _DIGITS))


def _pair_ranks(a: SeatResult, b: SeatResult) -> tuple[int, int]:
    if a.forfeited or b.forfeited:
        return int(a.forfeited and not b.forfeited), int(b.forfeited and not a.forfeited)
    lead = round(a.score - b.score, _DIGITS)
    return int(lead < 0.0), int(lead > 0.0)


def _ranks(worths: Iterable[tuple[bool, float]]) -> tuple[int, ...]:
    """The number of strictly better ones, for each."""
    listed = list(worths)
    return tuple(sum(other > own for other in listed) for own in listed)


def _index(result: Result) -> int:
    return result.index
