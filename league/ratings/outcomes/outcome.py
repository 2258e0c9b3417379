"""From the results of a pairing to outcomes: rankings of players.

- zero_sum, constant_sum: each match is an outcome that ranks its sides by score. A match cut off at its turn limit is
  a draw.
- general_sum: earning more than the other side of the same match says nothing (a seller may always earn more than a
  buyer). The matches of a pairing share a seed and rotate the sides, so each *side* is an outcome: it ranks its
  players, one per match, by their score in the same seat with the same private values (duplicate scoring, as in
  bridge). It exists once the whole pairing has ended.
- zero_sum and constant_sum with stakes (poker: a return can be 1 or 2 chips): winning more matches is not playing
  better. In Kuhn poker the equilibrium wins 49% of its matches against a random player, and 0.15 chips a match. The
  matches of a pairing share their cards and rotate the seats, so players are ranked by the sum of their returns over
  the whole pairing (duplicate scoring again), and each of its matches counts as won, drawn or lost with it.
- cooperative, and games that are not rated (`GameSpec.rated`): one outcome per match, a draw that moves no rating; the
  mean return in each role compares players.

Matches of players that may recall other matches have seeds of their own (`match_plans.match_seed`). The comparisons are
the same; the luck of the cards does not cancel.

A side with a forfeiting seat comes last, whatever its score. If another side forfeits a general-sum match, the side is
ranked level with the best score of the others in that seat: no player loses by an opponent's forfeit. Void matches and
matches in which a player meets itself give no outcome: they change no rating and no count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from league.ratings.outcomes.sides import Side, is_counted, score, sides
from league.records.game_info import GameInfo
from league.records.matches import Result, SeatResult

T = TypeVar("T")
_Entry = tuple[Side, float, bool, bool]
"""a side of a match of a general-sum game, its score, whether it forfeited, whether another side did"""
DIGITS = 9
"""Scores that agree to this many decimals are equal."""


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """Players ranked against each other. `ranks[i]` belongs to `entries[i]`; 0 is best, equal ranks are a draw."""

    entries: tuple[SeatResult, ...]
    ranks: tuple[int, ...]
    rated: bool = True
    roles_only: bool = False
    """moves ratings in roles only: another outcome of the pairing moves those in the game and overall"""
    groups: tuple[int, ...] = ()
    """the side of each entry, if different players share a side; (): every entry is a side"""

    def by_side(self, items: Sequence[T]) -> tuple[list[list[T]], list[int]]:
        """`items`, one per entry, grouped by side, and the sides' ranks."""
        if not self.groups:
            return [[item] for item in items], list(self.ranks)
        found: dict[int, list[T]] = {}
        ranks: dict[int, int] = {}
        for item, group, rank in zip(items, self.groups, self.ranks, strict=True):
            found.setdefault(group, []).append(item)
            ranks[group] = rank
        return list(found.values()), list(ranks.values())


def pairing_outcomes(results: Sequence[Result], info: GameInfo) -> list[Outcome]:
    """The outcomes of the ended matches of one pairing, in plan order and seat order whatever the order of `results`.

    Every player of every match that counts appears in exactly one outcome. In a game that is rated `by_pairing`,
    `results` is the whole pairing.
    """
    return counted_outcomes(sorted((r for r in results if is_counted(r, info)), key=_index), info)


def counted_outcomes(counted: Sequence[Result], info: GameInfo) -> list[Outcome]:
    """`pairing_outcomes` of matches that all count, in plan order."""
    if not info.by_pairing:
        return [match_outcome(result, info) for result in counted]
    if info.payoff == "general_sum":
        return _by_side(counted, info)
    return _by_total(counted, info, complete=len(counted) == info.size)


def match_outcome(result: Result, info: GameInfo) -> Outcome:
    """The outcome of one match of a game that is not rated by pairing."""
    if info.teams:
        return _match_of_teams(result, info)
    seats = result.seats
    if info.payoff == "cooperative" or not info.rated:
        return Outcome(seats, (0,) * len(seats), rated=False)
    drawn = result.status == "truncated"
    if len(seats) == 2:
        return Outcome(seats, pair_ranks(*seats, drawn=drawn))
    if drawn:
        return Outcome(seats, (0,) * len(seats), rated=len(seats) > 1)
    return Outcome(seats, _ranks([_worth(s.forfeited, s.score) for s in seats]), rated=len(seats) > 1)


def _match_of_teams(result: Result, info: GameInfo) -> Outcome:
    found = sides(result, info)
    level = result.status == "truncated" or info.payoff == "cooperative" or not info.rated
    ranks = (0,) * len(found) if level else _ranks([_worth(_forfeited(s), score(s)) for s in found])
    return _outcome(found, ranks, rated=info.rated and info.payoff != "cooperative" and len(found) > 1)


def _by_total(matches: Sequence[Result], info: GameInfo, complete: bool) -> list[Outcome]:
    """Each match with the ranks of the pairing's sums; fewer forfeits rank above any sum."""
    found = [sides(m, info) for m in matches]
    if not complete:
        return [_outcome(match, (0,) * len(match), rated=False) for match in found]
    sums: dict[frozenset[str], tuple[int, float]] = {}
    for side in (side for match in found for side in match):
        forfeits, total = sums.get(_names(side), (0, 0.0))
        sums[_names(side)] = forfeits - _forfeited(side), round(total + score(side), DIGITS)
    rank = {names: sum(other > own for other in sums.values()) for names, own in sums.items()}
    return [
        _outcome(match, [rank[_names(side)] for side in match], roles_only=number > 0)
        for number, match in enumerate(found)
    ]


def _by_side(matches: Sequence[Result], info: GameInfo) -> list[Outcome]:
    found: list[list[_Entry]] = [[] for _ in range(info.size)]
    for match in matches:
        there = sides(match, info)
        forfeits = [_forfeited(side) for side in there]
        total = sum(forfeits)
        for entries, side, forfeited in zip(found, there, forfeits, strict=True):
            entries.append((side, score(side), forfeited, total > forfeited))
    return [_side_outcome(entries) for entries in found if entries]


def _side_outcome(entries: Sequence[_Entry]) -> Outcome:
    there = [side for side, _, _, _ in entries]
    best = max([own for _, own, forfeited, spoiled in entries if not (forfeited or spoiled)], default=0.0)
    ranks = _ranks([_worth(forfeited, best if spoiled else own) for _, own, forfeited, spoiled in entries])
    names = [seat.player for side in there for seat in side]
    return _outcome(there, ranks, rated=len(set(names)) == len(names) and len(there) > 1)


def _outcome(found: Sequence[Side], ranks: Sequence[int], *, rated: bool = True, roles_only: bool = False) -> Outcome:
    """Sides and their ranks, entry by entry."""
    entries = tuple([entry for side in found for entry in side])
    if len(entries) == len(found):
        return Outcome(entries, tuple(ranks), rated, roles_only)
    each = [(rank, place) for place, (side, rank) in enumerate(zip(found, ranks, strict=True)) for _ in side]
    return Outcome(entries, tuple(r for r, _ in each), rated, roles_only, tuple(p for _, p in each))


def _names(side: Side) -> frozenset[str]:
    return frozenset(entry.player for entry in side)


def _forfeited(side: Side) -> bool:
    return side[0].forfeited if len(side) == 1 else any(entry.forfeited for entry in side)


def _worth(forfeited: bool, score: float) -> tuple[bool, float]:
    """Sort key, more is better. Rounded, so that sums of rewards that differ in their last bits are equal."""
    return (False, 0.0) if forfeited else (True, round(score, DIGITS))


def pair_ranks(a: SeatResult, b: SeatResult, *, drawn: bool) -> tuple[int, int]:
    """The ranks of two seats. `drawn`: the match was cut off at its turn limit."""
    if drawn:
        return 0, 0
    if a.forfeited or b.forfeited:
        return int(a.forfeited and not b.forfeited), int(b.forfeited and not a.forfeited)
    lead = round(a.score - b.score, DIGITS)
    return int(lead < 0.0), int(lead > 0.0)


def _ranks(worths: Iterable[tuple[bool, float]]) -> tuple[int, ...]:
    """For each, the number of strictly better ones."""
    listed = list(worths)
    return tuple([sum([other > own for other in listed]) for own in listed])


def _index(result: Result) -> int:
    return result.index
