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

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from games import InputError
from league.outcomes.sides import EndedMatch, Side, is_counted, score, sides
from league.records.game_info import GameInfo
from league.records.matches import Ranks, Result, SeatResult

T = TypeVar("T")
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
        """Returns `items`, one per entry, grouped by side, and the sides' ranks."""
        if not self.groups:
            return [[item] for item in items], list(self.ranks)
        members: dict[int, list[T]] = {}
        ranks: dict[int, int] = {}
        for item, group, rank in zip(items, self.groups, self.ranks, strict=True):
            members.setdefault(group, []).append(item)
            ranks[group] = rank
        return list(members.values()), list(ranks.values())


def ranks_of(matches: Sequence[EndedMatch], info: GameInfo) -> Ranks:
    """Returns the rank of each side in each of the matches that are rated together, which all count, in plan order."""
    played = [sides(match, info) for match in matches]
    if not info.by_pairing:
        return tuple([_match_ranks(match, one, info) for match, one in zip(matches, played, strict=True)])
    if info.payoff == "general_sum":
        columns = [_side_ranks([one[place] for one in played], played, place) for place in range(info.size)]
        return tuple(zip(*columns, strict=True))
    return _ranks_of_totals(played)


def arranged(matches: Sequence[EndedMatch], info: GameInfo, ranks: Ranks) -> list[Outcome]:
    """Returns the outcomes that these ranks mean. Every player of every match appears in exactly one.

    Raises InputError for ranks of other matches, which a store may hold.
    """
    played = [sides(match, info) for match in matches]
    if [*map(len, ranks)] != [*map(len, played)]:
        raise InputError(f"the outcome {ranks!s:.80} is not that of {len(played)} matches; type: arena rebuild")
    if info.by_pairing and info.payoff == "general_sum":
        return [
            _outcome(column, places, rated=_differ(column))
            for column, places in zip(zip(*played, strict=True), zip(*ranks, strict=True), strict=True)
        ]
    rated = info.rated and info.payoff != "cooperative" and info.size > 1
    whole = not info.by_pairing or len(matches) == info.size
    return [
        _outcome(one, places, rated=rated and whole, roles_only=info.by_pairing and whole and number > 0)
        for number, (one, places) in enumerate(zip(played, ranks, strict=True))
    ]


def _match_ranks(match: EndedMatch, played: Sequence[Side], info: GameInfo) -> tuple[int, ...]:
    if match.status == "truncated" or info.payoff == "cooperative" or not info.rated:
        return (0,) * len(played)
    return _ranks([_worth(_forfeited(side), score(side)) for side in played])


def _ranks_of_totals(played: Sequence[Sequence[Side]]) -> Ranks:
    """Returns the ranks of the pairing's sums, all level if a match does not count. Fewer forfeits beat any sum."""
    if len(played) < len(played[0]):
        return ((0,) * len(played[0]),) * len(played)
    sums: dict[frozenset[str], tuple[int, float]] = {}
    for side in (side for match in played for side in match):
        forfeits, total = sums.get(_names(side), (0, 0.0))
        sums[_names(side)] = forfeits - _forfeited(side), round(total + score(side), DIGITS)
    rank = {names: sum(other > of_side for other in sums.values()) for names, of_side in sums.items()}
    return tuple(tuple(rank[_names(side)] for side in match) for match in played)


def _side_ranks(column: Sequence[Side], played: Sequence[Sequence[Side]], place: int) -> tuple[int, ...]:
    """Returns the ranks of one side's players by score; a match that another side forfeited counts as the best."""
    spoiled = [any(_forfeited(side) for k, side in enumerate(match) if k != place) for match in played]
    rows = list(zip(column, spoiled, strict=True))
    best = max((score(side) for side, other in rows if not (other or _forfeited(side))), default=0.0)
    return _ranks([_worth(_forfeited(side), best if other else score(side)) for side, other in rows])


def _differ(column: Sequence[Side]) -> bool:
    """Returns whether there are several players, each once."""
    names = [seat.player for side in column for seat in side]
    return len(column) > 1 and len(set(names)) == len(names)


def _outcome(played: Sequence[Side], ranks: Sequence[int], *, rated: bool = True, roles_only: bool = False) -> Outcome:
    """Returns sides and their ranks, entry by entry."""
    entries = tuple([entry for side in played for entry in side])
    if len(entries) == len(played):
        return Outcome(entries, tuple(ranks), rated, roles_only)
    each = [(rank, place) for place, (side, rank) in enumerate(zip(played, ranks, strict=True)) for _ in side]
    return Outcome(entries, tuple(r for r, _ in each), rated, roles_only, tuple(p for _, p in each))


def _names(side: Side) -> frozenset[str]:
    return frozenset(entry.player for entry in side)


def _forfeited(side: Side) -> bool:
    return side[0].forfeited if len(side) == 1 else any(entry.forfeited for entry in side)


def _worth(forfeited: bool, score: float) -> tuple[bool, float]:
    """Returns a sort key, more is better. Rounding makes sums equal that differ in their last bits."""
    return (False, 0.0) if forfeited else (True, round(score, DIGITS))


def _ranks(worths: Iterable[tuple[bool, float]]) -> tuple[int, ...]:
    """Returns for each the number of strictly better ones."""
    listed = list(worths)
    if len(listed) == 2:
        first, second = listed
        return int(second > first), int(first > second)
    return tuple([sum([other > one for other in listed]) for one in listed])


class RankDecision:
    """Decides the ranks that follow from each result. `waiting`: earlier results of pairings that may lack a match."""

    def __init__(self, games: Mapping[str, GameInfo | None], waiting: Iterable[Result] = ()) -> None:
        self._games = games
        self._waiting: dict[tuple[str, str], list[Result]] = {}
        for result in waiting:
            self.ranks(result)

    def ranks(self, result: Result) -> Ranks:
        """Returns the ranks of the matches that the result completes: its own, or those that count of its pairing.

        () if it completes none, if no match of its pairing counts, or if the run does not rate its game.
        """
        info = self._games.get(result.game)
        if info is None or (result.status != "void" and not is_counted(result, info)):
            return ()
        if not info.by_pairing:
            return () if result.status == "void" else ranks_of((result,), info)
        key = result.game, result.pairing
        matches = self._waiting.setdefault(key, [])
        matches.append(result)
        if len(matches) < info.size:
            return ()
        del self._waiting[key]
        kept = sorted((match for match in matches if match.status != "void"), key=lambda result: result.index)
        return ranks_of(kept, info) if kept else ()
