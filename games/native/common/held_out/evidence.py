"""How many bits a text saves if the word is in hand: the most of several ways to write it down with the word."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import chain

from games.native.common.held_out.english import ALPHABET
from games.native.common.held_out.letters import latin, with_digits, words_of
from games.native.common.held_out.rows_of_letters import BITS, bits_in_figures, bits_in_points, bits_in_rows, cheapest
from games.native.common.held_out.signs import morse
from games.native.common.held_out.streams import CHEAP, Figures, Row, decoded, figures, rows
from games.native.common.held_out.words_of_text import bits_in_gaps, bits_in_words

_DECODED = 3.0
"""the bits of reading a text out of bytes"""
_SHORTEST = 3
"""letters of a word, at least"""
FEW = 4.5
"""bits that name a word among others, though they spell none: its first two letters and its length are enough"""


def gives_away(text: str, words: Collection[str], public: Collection[str] = (), others: Collection[str] = ()) -> bool:
    """Returns whether a text says the letters of one of the words. Words in `public` are read by everybody.

    `others` are words that a reader could take it for. If there are some, `FEW` bits are enough where the text says as
    much of none of them: the reader would name the word. A text that knows nothing of it does so once in
    `len(others) + 1`, and once in 2 ** `FEW`.
    """
    public = frozenset(public)
    most = max((bits(text, word, public) for word in words), default=0.0)
    if most >= BITS or most < FEW or not others:
        return most >= BITS
    starts = {token[:n] for token in words_of(latin(text)) for n in range(2, len(token) + 1)}
    near = sorted(others, key=lambda other: -sum(other[:n] in starts for n in range(2, len(other) + 1)))
    return all(other in words or bits(text, other, public) < most for other in near)  # one that fits ends the search


@lru_cache(4096)
def bits(text: str, word: str, public: frozenset[str] = frozenset()) -> float:
    """Returns the bits that a text saves by the letters of a word; 0 for a word of less than three letters.

    Exact from `BITS` on: below it some ways to write the word are not tried.
    """
    word = "".join(c for c in latin(word) if c in ALPHABET)
    if len(word) < _SHORTEST:
        return 0.0
    return max(_plain(text, word, public), *(_plain(one, word, public) - _DECODED for one in _decoded(text)), 0.0)


@lru_cache(256)
def _decoded(text: str) -> tuple[str, ...]:
    """Returns what the text says in codes of bytes, of one step or of two."""
    once = list(decoded(text))
    return tuple(dict.fromkeys([*once, *(two for one in once[:20] for two in decoded(one))]))


def _plain(text: str, word: str, public: frozenset[str]) -> float:
    ways = [bits_in_rows(_rows(text), word), bits_in_points(text, word), bits_in_gaps(latin(text), word)]
    ways += [bits_in_figures(numbers, word) for numbers in _figures(text)]
    ways += [bits_in_words(spelled, word, public) for spelled in _spellings(text)]
    return max(ways)


@lru_cache(256)
def _rows(text: str) -> tuple[Row, ...]:
    return cheapest(chain(rows(text), (Row(letters, CHEAP) for letters in morse(text))), _SHORTEST)


@lru_cache(256)
def _figures(text: str) -> tuple[Figures, ...]:
    return tuple(dict.fromkeys(f for f in figures(text) if len(f.values) >= _SHORTEST))


@lru_cache(256)
def _spellings(text: str) -> tuple[tuple[str, ...], ...]:
    """Returns the words of a text, with other scripts read by looks or by sounds, and digits as letters."""
    every = [latin(text), latin(text, True)]
    every += with_digits(every[0])
    return tuple(dict.fromkeys(words_of(one.replace("'", "").replace("’", "")) for one in every))
