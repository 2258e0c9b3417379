"""Matches that were played before, move for move: they are counted, but are evidence once.

Deterministic players of a game without chance play one match per seating, however often they meet. Two matches are the
same if the transcripts are (`league.records.transcript_of`: game, task, seats, every action, the end, the returns) and,
in a game with chance, the seeds: the seed decides the chance, and the same cards drawn by another seed are a new draw.
A pairing that is rated as one repeats if each of its matches repeats one of an earlier pairing. Of several that are the
same, the first in plan order counts, whatever order they end in.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from league.ratings.sides import GameInfo, counts
from league.records import Result


def key_of(result: Result, info: GameInfo) -> Hashable | None:
    """What two matches that are the same have in common; None for one that is like no other."""
    if not result.transcript:
        return None
    return (result.transcript, result.seed) if info.chance else result.transcript


class Repeats:
    """Which units of evidence (matches, or pairings that are rated as one) repeat earlier ones, in any order.

    A unit has a place in the plan, the index of its last match, which no other unit has.
    """

    def __init__(self) -> None:
        self._first: dict[Hashable, int] = {}
        """of every different match, the place of the first unit that it is part of"""
        self._fresh: dict[int, int] = {}
        """place of a unit -> how many of its matches are first there"""

    def enter(self, place: int, keys: Iterable[Hashable | None]) -> tuple[bool, list[int]]:
        """Whether the unit at a place is no repeat as things stand, and the places of units that it made repeats."""
        fresh, lost = 0, []
        for key in keys:
            held = None if key is None else self._first.get(key)
            if held is not None and held <= place:
                continue
            fresh += 1
            if key is not None:
                self._first[key] = place
            if held is not None:
                self._fresh[held] -= 1
                if not self._fresh[held]:
                    lost.append(held)
        self._fresh[place] = fresh
        return fresh > 0, lost

    def counts(self, place: int) -> bool:
        """Whether the unit that was entered at a place is evidence."""
        return self._fresh[place] > 0


def distinct(results: Iterable[Result], games: Mapping[str, GameInfo]) -> list[Result]:
    """The results without those of units that repeat, in plan order. A pairing rated as one goes or stays whole."""
    units: dict[Hashable, list[Result]] = {}
    for result in sorted(results, key=_index):
        whole = games[result.game].by_pairing
        units.setdefault((result.game, result.pairing) if whole else result.index, []).append(result)
    seen, kept = set[Hashable](), []
    for unit in sorted(units.values(), key=_last):
        info = games[unit[0].game]
        keys = [] if info.by_pairing and len(unit) < info.size else keys_of(unit, info)
        if not keys or any(key is None or key not in seen for key in keys):
            kept += unit
        seen.update(key for key in keys if key is not None)
    return sorted(kept, key=_index)


def keys_of(unit: Sequence[Result], info: GameInfo) -> list[Hashable | None]:
    """The keys of the matches of a unit that count."""
    return [key_of(result, info) for result in unit if counts(result, info)]


def _index(result: Result) -> int:
    return result.index


def _last(unit: Sequence[Result]) -> int:
    return unit[-1].index
