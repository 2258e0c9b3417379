"""Draws the candidates of a match: patterns of different languages, and strings that tell them apart."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from games.native.pragmatic.regex import SYMBOLS, automaton
from games.randomness import RandomStream

_STRINGS = tuple("".join(word) for word in product(SYMBOLS, repeat=3))
"""all strings of three symbols: their lengths tell nothing"""
_MATCHED = (2, len(_STRINGS) - 2)
"""a candidate matches at least and at most so many of them"""


class Candidates(NamedTuple):
    """The patterns and strings of a match; every two patterns disagree on one of the strings."""

    patterns: tuple[str, ...]
    strings: tuple[str, ...]


def drawn(stream: RandomStream, patterns: int, strings: int) -> Candidates:
    """Random patterns, and random strings of three symbols."""
    while True:
        chosen = _patterns(stream, patterns)
        for _ in range(50):
            words = tuple(stream.shuffled(_STRINGS)[:strings])
            columns = {tuple(automaton(p).matches(word) for word in words) for p in chosen}
            if len(columns) == patterns:
                return Candidates(chosen, words)


def _patterns(stream: RandomStream, count: int) -> tuple[str, ...]:
    """Patterns that differ on the strings of three symbols."""
    found: dict[tuple[bool, ...], str] = {}
    while len(found) < count:
        pattern = _pattern(stream, 3)
        column = _column(pattern)
        if _MATCHED[0] <= sum(column) <= _MATCHED[1]:
            found.setdefault(column, pattern)
    return tuple(found.values())


@lru_cache(4096)
def _column(pattern: str) -> tuple[bool, ...]:
    """Which of all strings a pattern matches."""
    return tuple(automaton(pattern).matches(word) for word in _STRINGS)


def _pattern(stream: RandomStream, parts: int) -> str:
    """A sequence of symbols, repeated symbols and choices."""
    return "".join(_piece(stream) for _ in range(1 + stream.below(parts)))


def _piece(stream: RandomStream) -> str:
    a, b, c = stream.shuffled(SYMBOLS)
    return stream.choice(_PIECES).translate(str.maketrans("abc", a + b + c))


_PIECES = ("a", "a*", "a+", "a?", "(a|b)", "(a|b)+", "(ab)*", "(a|bc)", "(ab|c)+", ".", ".*")


def renamed(text: str, symbols: str) -> str:
    """The text with 0, 1 and 2 exchanged for `symbols`, a permutation of them."""
    return text.translate(str.maketrans(SYMBOLS, symbols))


def restored(text: str, symbols: str) -> str:
    """The text that `renamed` was given."""
    return text.translate(str.maketrans(symbols, SYMBOLS))
