"""Whether the ranks that results hold are those that follow from them: what a rebuild asks of every result."""

from __future__ import annotations

from collections.abc import Iterable

from league.outcomes.kinds import MatchKind, MatchKinds
from league.outcomes.outcome import ranks_of
from league.outcomes.sides import is_counted
from league.outcomes.units import RatedUnits
from league.records.game_info import GameInfo
from league.records.matches import Ranks


def follow(kinds: MatchKinds, units: RatedUnits, loose: Iterable[int]) -> bool:
    """Returns whether the ranks of all matches follow from their seats. `loose`: kinds of matches of games that are
    rated by pairing whose pairing is not complete or does not count. Which match of a pairing has its ranks is not
    asked: no table depends on it.
    """
    if any(kinds.match(kind).ranks for kind in loose):
        return False
    return _alone(kinds) and all(_together(units.matches(number), kinds.games) for number in units.several())


def _alone(kinds: MatchKinds) -> bool:
    """Whether the ranks of matches that are rated by themselves follow. They depend on scores and forfeits alone."""
    columns, numbers = kinds.columns(), kinds.seat_numbers().tolist()
    worth = [(seat.score, seat.forfeited) for seat in kinds.seats]
    infos, right = list(kinds.games.values()), dict[tuple[object, ...], Ranks]()
    each = (column.tolist() for column in (columns.game, columns.counts, columns.ranks, columns.first, columns.size))
    for kind, (game, counts, ranks, first, size) in enumerate(zip(*each, strict=True)):
        info = infos[game]
        if info.by_pairing:
            continue
        played = numbers[first : first + size]
        key = (kind,) if info.teams else (game, kinds.status(kind), counts, *[worth[seat] for seat in played])
        expected = right.get(key)
        if expected is None:
            match = kinds.match(kind)
            expected = right[key] = ranks_of((match,), info) if counts else ()
        if kinds.ranks[ranks] != expected:
            return False
    return True


def _together(matches: list[MatchKind], games: dict[str, GameInfo]) -> bool:
    info = games[matches[0].game]
    kept = [match for match in matches if match.status != "void" and is_counted(match, info)]
    return [match.ranks for match in matches if match.ranks] == [ranks_of(kept, info)]
