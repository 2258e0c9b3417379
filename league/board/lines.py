"""Styled lines, from which boards are composed.

A frame is one preformatted rich Text: laying out a rich Table of 64 players would take longer than a frame may.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from rich.text import Span, Text

from arena.terminal import escaped
from league.board.cells import fit

T = TypeVar("T")

Line = tuple[str, list[tuple[int, int, str]]]
"""a line's text and its (start, end, style) in characters"""


def styled(text: str, style: str) -> Line:
    """Returns a line in one style."""
    return text, [(0, len(text), style)]


def crop(line: Line, width: int) -> Line:
    """Returns a line in at most `width` cells."""
    text, styles = line
    if (cut := fit(text, width)) == text:
        return line
    return cut, [(a, min(b, len(cut)), style) for a, b, style in styles if a < len(cut)]


def drawn(text: Text) -> Text:
    """Returns a text as it may be drawn. One with characters that a terminal obeys loses its styles."""
    return text if (plain := escaped(text.plain)) == text.plain else Text(plain, no_wrap=True, overflow="crop", end="")


def to_text(lines: Sequence[Line]) -> Text:
    """Returns lines and their styles as one Text that is never wrapped."""
    spans, at = [], 0
    for text, styles in lines:
        spans += [Span(at + a, at + b, style) for a, b, style in styles]
        at += len(text) + 1
    return Text("\n".join(text for text, _ in lines), spans=spans, no_wrap=True, overflow="crop", end="")


class SameObject(Generic[T]):
    """Is a cache key, equal only to a key of the very same object: hashing all of it would take longer than drawing."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObject) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)
