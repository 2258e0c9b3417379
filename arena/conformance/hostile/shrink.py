"""Shortens a text as long as it shows the same defect."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

_STEPS = 3000
_SIMPLE = "0a "
_SIMPLIFIED = 200
"""longest text whose characters are each replaced by a plain one where the defect does not need them"""


class _Spent(Exception):
    """No step is left."""


@dataclass
class _Shrinker:
    text: str
    """the shortest text so far"""
    shows: Callable[[str], bool]
    until: float
    steps: int = field(default=0)

    def accepts(self, candidate: str) -> bool:
        """Returns whether the candidate shows the defect, and keeps it then. Raises _Spent."""
        self.steps += 1
        if self.steps > _STEPS or time.monotonic() > self.until:
            raise _Spent
        if not self.shows(candidate):
            return False
        self.text = candidate
        return True

    def leave_out_parts(self) -> None:
        """Leaves out ever smaller parts (after Zeller and Hildebrandt 2002)."""
        size = (len(self.text) + 1) // 2
        while size:
            at = 0
            while at < len(self.text):
                if not self.accepts(self.text[:at] + self.text[at + size :]):
                    at += size
            size //= 2

    def simplify(self) -> None:
        """Writes a plain character in place of each one that may be any."""
        for at in range(len(self.text) if len(self.text) <= _SIMPLIFIED else 0):
            for plain in _SIMPLE:
                if self.text[at] == plain or self.accepts(self.text[:at] + plain + self.text[at + 1 :]):
                    break


def shortest(text: str, shows: Callable[[str], bool], seconds: float) -> str:
    """Returns the shortest text that this search meets and that still shows the defect.

    Deterministic, but for the limit of time.
    """
    search = _Shrinker(text, shows, time.monotonic() + seconds)
    before = None
    try:
        while before != search.text:
            before = search.text
            search.leave_out_parts()
            search.simplify()
    except _Spent:
        pass
    return search.text
