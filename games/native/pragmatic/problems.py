"""Draws the candidates of a match: patterns of different languages, and strings that tell them apart."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from games.native.pragmatic.regex import SYMBOLS, automaton
from games.native.pragmatic.rsa import acts_of, worth
from games.randomness import RandomStream

LENGTH = 3
"""symbols of a string; one length for all, because lengths could be a code"""
_LEAST = 2
"""a candidate matches at least this many of all strings, and leaves at least as many unmatched"""


_DRAWS, _SETS = 24, 6
"""draws to choose from, of so many sets of patterns: most leave no ambiguity that only pragmatic players resolve"""


class Candidates(NamedTuple):
    """The patterns and strings of a match; every two patterns disagree on one of the strings."""

    patterns: tuple[str, ...]
    strings: tuple[str, ...]
    heard: tuple[str, ...]
    """what the listener reads in place of each string: one that the same patterns match"""


@lru_cache(256)
def problem(number: int, patterns: int, strings: int) -> Candidates:
    """Returns the problem of a number."""
    return drawn(RandomStream(number), patterns, strings)


def drawn(stream: RandomStream, patterns: int, strings: int, length: int = LENGTH) -> Candidates:
    """Returns random patterns and strings, of several draws the one on which pragmatics is worth most."""
    draws: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    while len(draws) < _DRAWS:
        chosen = _patterns(stream, patterns, length)
        sets = (tuple(stream.shuffled(_strings(length))[:strings]) for _ in range(50))
        apart = (words for words in sets if len({_matches(p, words) for p in chosen}) == patterns)
        draws += ((chosen, words) for words in islice(apart, _DRAWS // _SETS))
    chosen, words = max(draws, key=lambda draw: worth(acts_of(*draw)))
    return Candidates(chosen, words, _twins(stream, chosen, words, length))


def _matches(pattern: str, words: tuple[str, ...]) -> tuple[bool, ...]:
    return tuple(automaton(pattern).matches(word) for word in words)


def _twins(stream: RandomStream, patterns: tuple[str, ...], words: tuple[str, ...], length: int) -> tuple[str, ...]:
    """Returns for each string a random one of all that the same patterns match, each once; it may be itself."""
    rows: dict[tuple[bool, ...], list[str]] = {}
    for i, word in enumerate(_strings(length)):
        rows.setdefault(tuple(_column(p, length)[i] for p in patterns), []).append(word)
    row_of = {word: row for row, of in rows.items() for word in of}
    left = {row: stream.shuffled(of) for row, of in rows.items()}
    return tuple(left[row_of[word]].pop() for word in words)


def _patterns(stream: RandomStream, count: int, length: int) -> tuple[str, ...]:
    """Patterns that differ on the strings of this length."""
    found: dict[tuple[bool, ...], str] = {}
    while len(found) < count:
        pattern = _pattern(stream, 3)
        column = _column(pattern, length)
        if _LEAST <= sum(column) <= len(column) - _LEAST:
            found.setdefault(column, pattern)
    return tuple(found.values())


@lru_cache(4)
def _strings(length: int) -> tuple[str, ...]:
    return tuple("".join(word) for word in product(SYMBOLS, repeat=length))


@lru_cache(4096)
def _column(pattern: str, length: int) -> tuple[bool, ...]:
    """Which of all strings of this length a pattern matches."""
    return _matches(pattern, _strings(length))


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
