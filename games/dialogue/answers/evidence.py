"""The kinds of evidence for an answer, strongest first, and which answer of a message counts by them.

This module is the only place that ranks forms of answers. `read`, `final` and `roles.parsing` choose with it. Between
two answers of one kind `games.boxes` decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Protocol, TypeVar

COMPARED = 24
"""the number of equally strong answers that are compared, the last ones"""


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


def outranked(text: str, label: int, later: int) -> bool:
    """Whether the label at a place is weaker than a later one: `Style score: 4` than `Score: 7`, `Final score: 7`."""
    before = re.split(r"[.!?:]\s", text[text.rfind("\n", 0, label) + 1 : label])[-1]
    return re.search(r"[^\W\d_]", before) is not None or _FINAL.match(text, later) is not None


_FINAL = re.compile(r"\W{0,9}(?:(?:the|my|our)[ _]{1,4})?(?:final|overall|revised|corrected)", re.IGNORECASE)
