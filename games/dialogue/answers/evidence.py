"""The kinds of evidence for an answer, strongest first, and which answer of a message counts by them.

This module is the only place that ranks forms of answers. `read`, `final` and `roles.parsing` choose with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Protocol, TypeVar


class EvidenceKind(IntEnum):
    """How a message marks an answer. The larger value is the stronger evidence."""

    EQUATION = 1
    """the right side of an equation in the last line"""
    BARE = 2
    """a line or sentence that says nothing but the answer: the last one, or without it the first one"""
    LABEL = 3
    r"""a labelled line: `Answer: X`, `The answer is X.`, `## Verdict` with X in the next line"""
    BOX = 4
    r"""\boxed{X}"""
    TAG = 5
    """<answer>X</answer>, or a JSON field"""


class RankedAnswer(Protocol):
    """A piece of evidence at a place in a message."""

    @property
    def evidence(self) -> EvidenceKind:
        """The kind of evidence."""

    @property
    def end(self) -> int:
        """Where it ends in the message."""


_R = TypeVar("_R", bound=RankedAnswer)


def strongest(pieces: Iterable[_R]) -> _R | None:
    """Returns the last piece of the strongest kind, None without any. Weaker evidence never overrides stronger."""
    return max(pieces, key=lambda piece: (piece.evidence, piece.end), default=None)
