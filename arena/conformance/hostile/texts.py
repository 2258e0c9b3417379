"""Draws hostile texts: expansions of the grammar, and changes of texts that a game accepts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.conformance.hostile.grammar import GRAMMAR
from arena.conformance.hostile.vocabulary import Vocabulary
from games.randomness import RandomStream

_SYMBOL = re.compile(r"@([a-z]+)@")
_SYMBOLS = {*GRAMMAR, "word", "name"}
_DEPTH = 5
_WORD = re.compile(r"\w+")
_CONTENTS = tuple(
    re.compile(mark, re.DOTALL)
    for mark in (
        r"```\w*\n(.*?)```", r"<\w+>(.*?)</\w+>", r"\{([^{}]*)\}", r"\(([^()]*)\)", r"\[([^\[\]]*)\]",
        r"[:=] *([^\n]*)", r"[\"']([^\"'\n]*)[\"']", r"([^\n]+)",
    )
)  # fmt: skip
"""what stands between marks: the content of a block, a tag, brackets, quotes, the rest after a label, a line"""
_PUMPED = (2, 9, 50, 300, 5000, 40_000, 120_000)
_MOST_CHARACTERS, _SCANNED = 300_000, 20_000
_PLAIN, _PUMP = 0.15, 0.01
"""shares of texts from the grammar alone, and of texts with a part that is repeated very often"""


@dataclass(frozen=True)
class Texts:
    """A reproducible stream of hostile texts."""

    stream: RandomStream
    words: Vocabulary

    def draw(self, bases: Sequence[str]) -> str:
        """Returns the next text; `bases` are texts of the kind that the reader expects."""
        if not bases or self.stream.random() < _PLAIN:
            text = self.expansion("text")
        else:
            text = self.stream.choice(bases)
            for _ in range(1 + self.stream.below(1 + self.stream.below(3))):
                text = self.stream.choice(_CHANGES)(self, text)
        return self.pumped(text) if self.stream.random() < _PUMP else text[:_MOST_CHARACTERS]

    def expansion(self, symbol: str, depth: int = _DEPTH) -> str:
        """Returns a text of the grammar."""
        if symbol in ("word", "name"):
            return self.words.word(self.stream) if symbol == "word" else self.words.name(self.stream)
        options = GRAMMAR[symbol]
        if depth <= 0:
            options = tuple(option for option in options if "@" not in option) or options[:1]
        return self.filled(self.stream.choice(options), depth - 1)

    def filled(self, template: str, depth: int = _DEPTH) -> str:
        """Returns the template with an expansion for every symbol."""
        return _SYMBOL.sub(lambda m: self.expansion(m[1], depth) if m[1] in _SYMBOLS else m[0], template)

    def piece(self) -> str:
        """Returns a short text to put somewhere."""
        symbol = self.stream.choice(("breakout", "word", "number", "control", "token", "inner", "operator", "marked"))
        return self.expansion(symbol, 2)

    def pumped(self, text: str) -> str:
        """Returns the text with one part repeated up to a hundred thousand times, or a part that never ends."""
        start, end = self.span(text)
        part = text[start:end][:8] if self.stream.random() < 0.5 else self.piece()[:12]
        times = min(self.stream.choice(_PUMPED), _MOST_CHARACTERS // max(1, len(part)))
        return text[:end] + part * times + (text[end:] if self.stream.random() < 0.5 else self.piece())

    def span(self, text: str) -> tuple[int, int]:
        """Returns the bounds of a word, of the content of a mark, or of any part."""
        kind = self.stream.below(3)
        if kind == 0 and (words := list(_WORD.finditer(text[:_SCANNED]))):
            return self.stream.choice(words).span()
        if kind == 1:
            return self.content(text)
        start, end = sorted((self.stream.below(len(text) + 1), self.stream.below(len(text) + 1)))
        return start, min(end, start + 30)

    def content(self, text: str) -> tuple[int, int]:
        """Returns the bounds of what stands between marks, or of the whole text."""
        by_mark = [matches for mark in _CONTENTS if (matches := list(mark.finditer(text[:_SCANNED])))]
        return self.stream.choice(self.stream.choice(by_mark)).span(1) if by_mark else (0, len(text))


def _put(texts: Texts, text: str) -> str:
    at = texts.stream.choice(texts.span(text))
    return text[:at] + texts.piece() + text[at:]


def _replace(texts: Texts, text: str) -> str:
    start, end = texts.span(text)
    return text[:start] + texts.piece() + text[end:]


def _break_out(texts: Texts, text: str) -> str:
    """Ends a content early, and makes a comment of its true end."""
    _, end = texts.content(text)
    return text[:end] + texts.expansion("breakout") + text[end:]


def _refill(texts: Texts, text: str) -> str:
    """Replaces a word, or the text between marks, by a text that the grammar generates."""
    start, end = texts.span(text)
    symbol = texts.stream.choice(("inner", "literal", "program", "arithmetic", "formula", "latex", "json", "string"))
    return text[:start] + texts.expansion(symbol) + text[end:]


def _rename(texts: Texts, text: str) -> str:
    """Puts a word in place of every occurrence of another one, or of one occurrence."""
    names = list(_WORD.finditer(text[:_SCANNED]))
    if not names:
        return text
    name = texts.stream.choice(names)
    word = texts.expansion("name" if name[0].isidentifier() else "word")
    if texts.stream.random() < 0.5:
        return text[: name.start()] + word + text[name.end() :]
    return re.sub(rf"\b{re.escape(name[0])}\b", lambda _: word, text)


def _delete(texts: Texts, text: str) -> str:
    start, end = texts.span(text)
    return text[:start] + text[end:]


def _double(texts: Texts, text: str) -> str:
    start, end = texts.span(text)
    return text[:end] + text[start:end] + text[end:]


def _digits(texts: Texts, text: str) -> str:
    """Writes the digits of another script."""
    zero = texts.stream.choice("٠०０𝟘⁰①")
    return "".join(chr(ord(zero) + unicodedata.digit(c)) if c in "0123456789" else c for c in text)


def _wrap(texts: Texts, text: str) -> str:
    start, end = texts.span(text)
    mark = texts.expansion("marked", 1)
    return text[:start] + mark + text[start:end] + mark[::-1] + text[end:]


_CHANGES: tuple[Callable[[Texts, str], str], ...] = (
    _put, _replace, _replace, _refill, _refill, _rename, _rename, _break_out, _break_out, _delete, _double, _digits,
    _wrap,
)  # fmt: skip
