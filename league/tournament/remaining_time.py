"""Estimates the remaining time of a tournament: the remaining matches, each as long as earlier ones of its players.

The rate of the last seconds would mislead: bots end thousands of matches while a model plays its first.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable

from league.records.matches import PlannedMatch, Result

Kind = tuple[str, frozenset[str]]
"""a game and its players"""
_FIRST = 5
"""matches that must end in this process before there is an estimate"""


class Remaining:
    """Estimates the time to the end of a run from its plan and the matches that ended."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._started = clock, clock()
        self._left: Counter[Kind] = Counter()
        self._planned = self._ended = self._ended_here = 0
        self._busy = 0.0
        """seconds of the matches that ended since the start"""
        self._spent: dict[tuple[str, str], tuple[int, float]] = {}
        """game and player -> matches and their seconds"""

    def plan(self, matches: Iterable[PlannedMatch]) -> None:
        """Add planned matches, each once."""
        for planned in matches:
            self._left[planned.match.game, frozenset(planned.match.seats.values())] += 1
            self._planned += 1

    def ended(self, results: Iterable[Result], *, before: bool = False) -> None:
        """Add results, each once. `before` marks results from before this process started."""
        for result in results:
            players = frozenset(seat.player for seat in result.seats)
            self._left[result.game, players] -= 1
            self._ended += 1
            for player in players:
                matches, seconds = self._spent.get((result.game, player), (0, 0.0))
                self._spent[result.game, player] = matches + 1, seconds + result.seconds
            if not before:
                self._ended_here += 1
                self._busy += result.seconds

    def seconds(self, total: int | None) -> float | None:
        """Returns seconds to the end of a run of `total` matches; None until each player has ended a match."""
        passed = self._clock() - self._started
        if total is None or self._ended_here < _FIRST or self._busy <= 0.0 or passed <= 0.0:
            return None
        work, matches = 0.0, 0
        for kind, left in self._left.items():
            if left <= 0:
                continue
            length = self._length(kind)
            if length is None:
                return None
            work, matches = work + left * length, matches + left
        unplanned = max(0, total - self._ended - matches)
        if unplanned:  # assume that later rounds are like the planned ones
            spent = sum(seconds for _, seconds in self._spent.values())
            played = sum(n for n, _ in self._spent.values())
            work += unplanned * max(work / matches if matches else 0.0, spent / played)
        return work * passed / self._busy

    def _length(self, kind: Kind) -> float | None:
        """Returns the expected length of a match: that of its slowest player."""
        game, players = kind
        totals = [self._spent.get((game, player)) for player in players]
        means = [seconds / matches for matches, seconds in (one for one in totals if one is not None)]
        return max(means) if len(means) == len(players) else None
