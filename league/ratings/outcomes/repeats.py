"""Matches that repeat an earlier one move for move: they are counted, but are evidence only once.

Deterministic players in a game without chance play the same match each time they meet in the same seats. Two matches
are the same if their transcripts are (`league.records.matches.transcript_of`: game, task, seats, every action, the end,
the returns) and, in a game with chance, their seeds: the seed decides the chance, and the same cards from another seed
are new evidence. A pairing that is rated as one repeats if each of its matches repeats one of an earlier pairing. Of
several that are the same, the first in plan order counts, whatever order they end in.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from league.records.game_info import GameInfo
from league.records.matches import Result


def key_of(result: Result, info: GameInfo) -> Hashable | None:
    """What two matches that are the same have in common; None for a match that repeats no other."""
    if not result.transcript:
        return None
    return (result.transcript, result.seed) if info.chance else result.transcript


class Repeats:
    """Finds which units of evidence (matches, or pairings that are rated as one) repeat earlier ones.

    Units are entered in any order. A unit is known by the plan index of its last match, which no other unit shares.
    """

    def __init__(self) -> None:
        self._first: dict[Hashable, int] = {}
        """key of each different match -> index of the first unit that contains it"""
        self._fresh: dict[int, int] = {}
        """index of a unit -> how many of its matches no earlier unit contains"""

    def enter(self, index: int, keys: Iterable[Hashable | None]) -> tuple[bool, Sequence[int]]:
        """Enter a unit. Returns whether it repeats the units entered so far, and which of them now repeat it."""
        fresh, displaced = 0, []
        for key in keys:
            if key is None:
                fresh += 1
                continue
            first = self._first.get(key)
            if first is not None and first <= index:
                continue
            fresh += 1
            self._first[key] = index
            if first is not None:
                self._fresh[first] -= 1
                if not self._fresh[first]:
                    displaced.append(first)
        self._fresh[index] = fresh
        return not fresh, displaced

    def is_repeat(self, index: int) -> bool:
        """Whether the unit that was entered with this index repeats earlier ones."""
        return not self._fresh[index]
