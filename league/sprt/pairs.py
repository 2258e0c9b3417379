"""From results to the pairs that a sequential test counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from league.outcomes.outcome import Outcome
from league.outcomes.table import OutcomeTable, RatedUnit
from league.records.game_info import GameInfo
from league.records.matches import Result
from league.sprt.pentanomial import category


def pairs(results: Iterable[Result], games: Mapping[str, GameInfo], candidate: str) -> list[int]:
    """Returns the categories of a player's complete seat-rotated pairs, in plan order, repeated pairs included."""
    table = OutcomeTable(games, whole_pairings=True)
    table.add(results)
    categories = (pair_category(unit, candidate) for unit in table.rows().listed())
    return [one for one in categories if one is not None]


def pair_category(unit: RatedUnit, candidate: str) -> int | None:
    """Returns the category of a seat-rotated pair, 0 LL .. 4 WW, as `candidate` sees it.

    A pair is two matches of a game of two sides, each filled by one player. In a game that is rated by pairing (stakes,
    general-sum) a pair is won, drawn or lost as one. Returns None for a pair with a void match or a self-meeting, as
    half a pair would bring the seat's advantage in, and for matches that are not such a pair.
    """
    if len(unit.matches) != 2 or any(outcome.groups or not outcome.rated for outcome in unit.outcomes):
        return None
    if any(len(players := _players(outcome)) != 2 or candidate not in players for outcome in unit.outcomes):
        return None
    first, second = (_score(outcome, candidate) for outcome in unit.outcomes[:2])
    return category(first, second)


def _players(outcome: Outcome) -> set[str]:
    return {entry.player for entry in outcome.entries}


def _score(outcome: Outcome, candidate: str) -> float:
    """Returns 1, 1/2 or 0: the candidate's rank against the other's."""
    candidate_rank = next(
        rank for entry, rank in zip(outcome.entries, outcome.ranks, strict=True) if entry.player == candidate
    )
    other_rank = next(
        rank for entry, rank in zip(outcome.entries, outcome.ranks, strict=True) if entry.player != candidate
    )
    return 0.5 if candidate_rank == other_rank else float(candidate_rank < other_rank)
