"""Results in the order of the plan, whatever order matches end in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from league.records import Result


class InOrder:
    """Hands results on in the order of their index, from `start` on, as far as none before them is missing.

    What looks at a run through this sees the same whatever ended first, so its decisions can be resumed.
    """

    def __init__(self, start: int = 0) -> None:
        self._next = start
        self._early: dict[int, Result] = {}

    def add(self, results: Iterable[Result]) -> None:
        """Take in results, each once."""
        for result in results:
            if result.index >= self._next:
                self._early[result.index] = result

    def ready(self) -> Iterator[Result]:
        """Those that can be looked at now, each once. May be left off in the middle."""
        while (found := self._early.pop(self._next, None)) is not None:
            self._next += 1
            yield found
