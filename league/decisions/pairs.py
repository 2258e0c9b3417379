"""From results to the pairs that a sequential test counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from league.decisions.pentanomial import category
from league.ratings.outcomes import Outcome, counts, outcomes
from league.ratings.sides import GameInfo
from league.records import Result


def pairs(results: Iterable[Result], games: Mapping[str, GameInfo], candidate: str) -> list[int]:
    """The categories (0 LL .. 4 WW, seen from `candidate`) of its complete seat-rotated pairs, in plan order.

    Games of two sides, each filled by one player. Where a game is rated by pairing (stakes, general-sum), a pair is
    won, drawn or lost as one. A pair with a void match, a self-meeting or a match still to come is left out: half a
    pair would bring the seat's edge in.
    """
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if games[result.game].size == 2 and candidate in (s.player for s in result.seats):
            groups.setdefault((result.game, result.pairing), []).append(result)
    found = []
    for (game, _), matches in groups.items():
        if len(matches) == 2 and all(counts(m, games[game]) for m in matches):
            decided = outcomes(matches, games[game])
            if any(outcome.groups or not outcome.rated for outcome in decided):
                continue
            first, second = (_score(outcome, candidate) for outcome in decided[:2])
            found.append((max(m.index for m in matches), category(first, second)))
    return [place for _, place in sorted(found)]


def _score(outcome: Outcome, candidate: str) -> float:
    """1, 1/2 or 0: the candidate's rank against the other's."""
    mine = next(rank for entry, rank in zip(outcome.entries, outcome.ranks, strict=True) if entry.player == candidate)
    theirs = next(rank for entry, rank in zip(outcome.entries, outcome.ranks, strict=True) if entry.player != candidate)
    return 0.5 if mine == theirs else float(mine < theirs)
