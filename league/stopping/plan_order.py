"""Puts results into plan order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from league.records.matches import Result


class PlanOrderBuffer:
    """Releases results in the order of their index, from `start` on, up to the first gap.

    Its reader sees the same sequence whichever match ends first, so the reader's decisions can be resumed.
    """

    def __init__(self, start: int = 0) -> None:
        self._next = start
        self._early: dict[int, Result] = {}

    def add(self, results: Iterable[Result]) -> None:
        """Add results, each once."""
        for result in results:
            if result.index >= self._next:
                self._early[result.index] = result

    def ready(self) -> Iterator[Result]:
        """Yields the results before the first gap, each once. The caller may stop early."""
        while (result := self._early.pop(self._next, None)) is not None:
            self._next += 1
            yield result
