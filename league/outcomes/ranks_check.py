"""Whether the ranks that results hold are those that follow from them: what a rebuild asks of every result."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from league.outcomes.arrays import distinct
from league.outcomes.kinds import MatchKind, MatchKinds
from league.outcomes.outcome import ranks_of
from league.outcomes.sides import is_counted
from league.outcomes.units import RatedUnits
from league.records.game_info import GameInfo


def follow(kinds: MatchKinds, units: RatedUnits, loose: Iterable[int]) -> bool:
    """Returns whether the ranks of all matches follow from their seats. `loose`: kinds of matches of games that are
    rated by pairing whose pairing is not complete or does not count. Which match of a pairing has its ranks is not
    asked: no table depends on it.
    """
    if any(kinds.match(kind).ranks for kind in loose):
        return False
    return _alone(kinds) and all(_together(units.matches(number), kinds.games) for number in units.several())


def _alone(kinds: MatchKinds) -> bool:
    """Returns whether the stored ranks follow in matches that are rated one by one.

    Ranks of single seats depend on scores and forfeits alone, so matches with the same ones are computed once.
    """
    columns, numbers = kinds.columns(), kinds.seat_numbers()
    worths: dict[tuple[float, bool], int] = {}
    worth = np.array([worths.setdefault((s.score, s.forfeited), len(worths)) for s in kinds.seats], np.int64)
    infos = list(kinds.games.values())
    single, teams = (
        np.array([not info.by_pairing and bool(info.teams) == each for info in infos], bool) for each in (False, True)
    )
    checks = [np.flatnonzero(teams[columns.game])]
    for size in np.flatnonzero(np.bincount(columns.size)).tolist():
        these = np.flatnonzero(single[columns.game] & (columns.size == size))
        sort = [column[these] for column in (columns.game, columns.counts, columns.status, columns.ranks)]
        seats = [worth[numbers[columns.first[these] + place]] for place in range(size)]
        checks.append(these[distinct([*sort, *seats])[0]])
    return all(_follows(kinds, kind, bool(columns.counts[kind])) for kind in np.concatenate(checks).tolist())


def _follows(kinds: MatchKinds, kind: int, counts: bool) -> bool:
    match = kinds.match(kind)
    return match.ranks == (ranks_of((match,), kinds.games[match.game]) if counts else ())


def _together(matches: list[MatchKind], games: dict[str, GameInfo]) -> bool:
    info = games[matches[0].game]
    kept = [match for match in matches if match.status != "void" and is_counted(match, info)]
    return [match.ranks for match in matches if match.ranks] == [ranks_of(kept, info)]
