"""The kinds of evidence for an answer, strongest first, and which answer of a message counts by them.

This module is the only place that ranks forms of answers, and that decides between two answers of one kind. `read`,
`final`, `choose` and `roles.parsing` choose with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, IntEnum
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


class Sequel(Enum):
    """What a second answer of the same kind is to the first, by the text between them."""

    PART = "part"
    """another part of one answer, after a comma or "and" """
    CORRECTION = "correction"
    """it replaces the first: "Wait, I misread it:", "Second pass:", "so" """
    ALTERNATIVE = "alternative"
    """a hedge stands between them: "or", "alternatively" """
    UNCLEAR = "unclear"
    """nothing says which of the two counts"""


_TEXT = re.compile(r"\\(?:text|math|mbox)[a-z]{0,6}\s{0,4}\{([^{}]{0,200})\}")
_SIGNS = (
    (re.compile(r"\\q?quad|\\[()\[\],;:! ]|[$*`~]|\\(?:left|right)(?![A-Za-z])"), " "),
    (re.compile(r"\\(?:l?or|vee)(?![A-Za-z])|∨"), " or "),
    (re.compile(r"\\(?:land|wedge)(?![A-Za-z])|\\?&|∧"), " and "),
)
_PART = re.compile(r"[\s.)]{0,9}(?:[,;]|(?:[,;]\s{0,9})?\band\b)[\s(]{0,9}", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:alternative(?:ly)?|otherwise|either|possibl[ey]|perhaps|maybe|conceivabl[ey])\b", re.IGNORECASE
)
_DOUBT = re.compile(
    r"\b(?:or|else|might|could|may|unless|if|not sure|unsure|unclear|depend(?:s|ing)|some|many|others?)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:no|nope|wait|sorry|apolog\w{2,7}|oops|correction|corrected|correcting|edit|mistaken?|errors?|slip|misread"
    r"|wrong|strike|scratch|hold on|rather|instead|actually|reflection|better|pass|round|attempt|try|thought"
    r"|look(?:ing)?|re-?(?:check|comput|calculat|consider|evaluat|vis|view|do)\w*|updated?|final(?:ly)?|so|therefore|thus|hence"
    r"|conclu\w{3,8}|overall|total|in short|summary)\b|->|=>|[→⇒⟹]|\\(?:to|implies|(?:long)?rightarrow)(?![A-Za-z])",
    re.IGNORECASE,
)
_NEAR = 2000


def spoken_signs(text: str) -> str:
    r"""Returns LaTeX between two answers in words: `\quad \text{ or } \quad` and `\lor` are " or "."""
    text = _TEXT.sub(r" \1 ", text)
    for pattern, word in _SIGNS:
        text = pattern.sub(word, text)
    return text


def sequel(between: str) -> Sequel:
    """Returns what an answer is to another one before it. A hedge outweighs a correction: "no, or maybe 4"."""
    text = spoken_signs(between[-_NEAR:])
    if _PART.fullmatch(text):
        return Sequel.PART
    sentences = [part for part in re.split(r"(?<=[.!?。])\s+|\n", text) if re.search(r"\w", part)]
    if _HEDGE.search(text[-300:]) or (sentences and _DOUBT.search(sentences[-1])):
        return Sequel.ALTERNATIVE
    return Sequel.CORRECTION if _CORRECTS.search(text) else Sequel.UNCLEAR


def outranked(text: str, label: int, later: int) -> bool:
    """Whether the label at a place is weaker than a later one: `Style score: 4` than `Score: 7`, `Final score: 7`."""
    before = re.split(r"[.!?:]\s", text[text.rfind("\n", 0, label) + 1 : label])[-1]
    return re.search(r"[^\W\d_]", before) is not None or _FINAL.match(text, later) is not None


_FINAL = re.compile(r"\W{0,9}(?:(?:the|my|our)[ _]{1,4})?(?:final|overall|revised|corrected)", re.IGNORECASE)
