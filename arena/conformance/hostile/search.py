"""Tries texts on readers until the time is over, and shortens those that show a defect."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from arena.conformance.hostile.defect import Defect, SlowReader
from arena.conformance.hostile.limits import interrupted
from arena.conformance.hostile.shrink import shortest
from arena.conformance.hostile.texts import Texts
from games.conformance.report import Check, Finding

_SHRINKING = 0.3
"""share of the time of a search for one defect"""
_FOLLOWED = 0.1
"""share of texts after which the match is played to its end"""


class TextReader(Protocol):
    """Something that reads texts: a position of a match, or a role alone."""

    where: str
    bases: tuple[str, ...]

    def attempt(self, text: str, follow: bool) -> None:
        """Reads a text. Raises Defect."""


@dataclass
class TextSearch:
    """The texts tried on readers of one kind, and the defects that they showed."""

    name: str
    readers: Sequence[TextReader]
    texts: Texts
    first: Sequence[str] = ()
    """texts that are tried before those of `texts`"""
    defects: int = 5
    """that end the search"""
    tried: int = 0
    findings: list[Finding] = field(default_factory=list)
    keys: set[tuple[str, ...]] = field(default_factory=set)

    def run(self, seconds: float) -> Check:
        """Returns how many texts were tried within these seconds, or until enough defects showed."""
        until = time.monotonic() + seconds
        while (not self.tried or time.monotonic() < until) and len(self.findings) < self.defects:
            reader = self.readers[self.tried % len(self.readers)]
            text = self.first[self.tried] if self.tried < len(self.first) else self.texts.draw(reader.bases)
            follow = self.texts.stream.random() < _FOLLOWED
            self.tried += 1
            defect = _defect(reader, text, follow)
            if defect is not None and defect.key not in self.keys:
                self.keys.add(defect.key)
                self._report(reader, text, follow, defect, seconds * _SHRINKING)
        return Check(self.name, self.tried, "texts")

    def _report(self, reader: TextReader, text: str, follow: bool, defect: Defect, seconds: float) -> None:
        latest = defect

        def shows(candidate: str) -> bool:
            nonlocal latest
            other = _defect(reader, candidate, follow)
            if other is None or other.key != defect.key:
                return False
            latest = other
            return True

        if shows(text):
            text = shortest(text, shows, seconds)
            self.findings.append(Finding(self.name, f"{reader.where}: {escaped(text)}: {latest}"))
        elif not isinstance(defect, SlowReader):  # another process may have slowed this one
            message = f"{reader.where}: {escaped(text)}: {defect}, but not a second time"
            self.findings.append(Finding(self.name, message, "note"))


def _defect(reader: TextReader, text: str, follow: bool) -> Defect | None:
    try:
        with interrupted():
            reader.attempt(text, follow)
    except Defect as defect:
        return defect
    return None


def escaped(text: str) -> str:
    """Returns a text in quotes as Python writes it; of a long one its ends and its length."""
    if len(text) <= 300:
        return ascii(text)
    return f"{text[:150]!a}...{text[-75:]!a} ({len(text):,} characters)"
