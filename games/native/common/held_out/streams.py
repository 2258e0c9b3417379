"""Where the letters of a word may stand in a text: rows of letters and of numbers, each with what it costs to name it.

A row is chosen by a rule that reads the text alone: the first letters of its words, its capitals, every third letter,
what its numbers are in base 2. The rules are few; what a row then says, and in which order or alphabet, is for
`evidence` to measure.
"""

from __future__ import annotations

import binascii
import re
import unicodedata
from base64 import a85decode, b32decode, b64decode
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from games.native.common.held_out.english import ALPHABET
from games.native.common.held_out.letters import latin, with_digits, words_of
from games.native.common.held_out.signs import NAMES, numbers_in, spoken

LONGEST = 1_500
"""letters of a row, at most"""
CHEAP, USUAL, DEAR = 1.5, 4.0, 6.0
"""the bits of a rule that everybody tries, of another one, and of one of a row of rules"""
LENGTH = 2.3
"""the bits of the length of a word"""
_SENTENCE, _CLAUSE = re.compile(r"[.!?;:\n]+"), re.compile(r"[.!?;:,\n\u2013\u2014]+")
_MARKED = re.compile(r"[\"“”‘’'«»*_`()\[\]{}<>|/\\~^#=-]([^\W\d_]{1,3})(?=[\"“”‘’'«»*_`()\[\]{}<>|/\\~^#=-])")


class Row(NamedTuple):
    """Letters that a rule takes from a text, and the bits of the rule."""

    letters: str
    cost: float


class Figures(NamedTuple):
    """Numbers that a rule takes from a text, and the bits of the rule."""

    values: tuple[int, ...]
    cost: float
    unit: float = 4.3
    """the bits of one of them"""


def rows(text: str) -> Iterator[Row]:
    """Yields rows of letters of a text."""
    plain = latin(text)
    words = words_of(plain)
    yield from _selections(text, plain, words)
    for at in (0, 1, 2, -1, -2):
        picked = "".join(w[at] for w in words if -len(w) <= at < len(w))
        yield Row(picked, CHEAP if at in (0, -1) else USUAL)
        for step in (2, 3):
            for start in range(step if at in (0, -1) else 0):
                yield Row(picked[start::step], DEAR)
    yield Row("".join(w[i % len(w)] for i, w in enumerate(words)), USUAL)
    for size in (2, 3):
        yield Row("".join(w[:size] for w in words), DEAR)
        yield Row("".join(w[-size:] for w in words), DEAR)
    for spelled in dict.fromkeys((plain, *with_digits(plain))):
        letters = "".join(c for c in spelled if c in ALPHABET)
        for step in range(2, 8):
            yield from (Row(letters[start::step], DEAR + 2) for start in range(step))


def _selections(text: str, plain: str, words: tuple[str, ...]) -> Iterator[Row]:
    """Yields letters that stand alone, are named, marked, or begin or end lines and sentences."""
    single = [w for w in words if len(w) == 1]
    for left_out in ((), ("a",), ("i",), ("a", "i")):
        yield Row("".join(c for c in single if c not in left_out), CHEAP)
    yield Row("".join(NAMES.get(w, w if len(w) == 1 else " ") for w in words), CHEAP)
    yield Row("".join(NAMES.get(w, w if len(w) == 1 else "") for w in words), CHEAP)
    yield Row("".join(spoken(words)), CHEAP)
    yield Row("".join(latin("".join(_MARKED.findall(text)))), CHEAP)
    styled = [c for c in text if c.isalpha() and not ("a" <= c <= "z")]
    yield Row(latin("".join(styled)), CHEAP)
    yield Row(
        "".join(latin(w[0]) for part in _SENTENCE.split(text) for w in words_of(part)[1:] if w[0].isupper()), USUAL
    )
    yield Row(
        "".join(c for c in text if "a" <= c <= "z") if sum(c.isupper() for c in text) > len(text) / 3 else "", USUAL
    )
    yield Row("".join(latin(c) for c in text if unicodedata.normalize("NFKD", c) != c), USUAL)
    yield Row("".join(unicodedata.name(c, " ")[0] for c in text if unicodedata.category(c) == "So").casefold(), CHEAP)
    for pattern in (_SENTENCE, _CLAUSE, re.compile("\n+")):
        parts = [w for part in pattern.split(plain) if (w := words_of(part))]
        if len(parts) > 2:
            yield Row("".join(p[0][0] for p in parts), CHEAP)
            yield Row("".join(p[-1][-1] for p in parts), USUAL)
            yield Row("".join(p[-1][0] for p in parts), USUAL)
            yield Row("".join(max(p, key=len)[0] for p in parts), USUAL)
            yield Row("".join(p[1][0] for p in parts if len(p) > 1), DEAR)


def figures(text: str) -> Iterator[Figures]:
    """Yields rows of numbers: as they are, in words, digit by digit, in other bases, by width, and lengths of words.

    The code points of capitals are read as those of small letters too.
    """
    plain, capitals = latin(text), frozenset(range(ord("A"), ord("Z") + 1))
    words = words_of(plain)
    for values, cost in numbers_in(plain, words):
        yield Figures(values, cost)
        if not capitals.isdisjoint(values):
            yield Figures(tuple(v + 32 * (v in capitals) for v in values), cost)
    yield Figures(tuple(map(len, words)), USUAL, LENGTH)
    yield Figures(tuple(len(m[0]) for m in re.finditer(r"([^\w\s])\1*", text)), USUAL)
    yield Figures(tuple(len(m[0]) for m in re.finditer(r" +", text)), USUAL, LENGTH)


def decoded(text: str) -> Iterator[str]:
    """Yields what parts of a text say in an encoding of bytes."""
    if (percent := unquote(text)) != text:
        yield percent
    if escapes := re.findall(r"(?:\\[ux]\{?|U\+|&#x?|0x)([0-9a-fA-F]{2,6})", text):
        for base in (16, 10):
            values = [int(one, base) for one in escapes if base == 16 or one.isdecimal()]
            yield "".join(chr(v) for v in values if v < 0x110000 and not 0xD800 <= v < 0xE000)
    for part in re.findall(r"[A-Za-z0-9+/_=-]{4,}", text):
        bare = part.strip("=-_")
        if bare[1:].islower() and bare.isalpha():
            continue
        for at in range(min(3, len(bare))) if len(bare) < 200 else ():
            yield from _of_bytes(bare[at:])
    for part in re.findall(r"[!-u]{6,}", text):
        if part.strip(".,!?;:'\"()").replace("-", "").isalnum():
            continue
        try:
            yield a85decode(part).decode("ascii")
        except (ValueError, UnicodeDecodeError):
            continue


def _of_bytes(part: str) -> Iterator[str]:
    for decode, size, of in ((b64decode, 4, part.replace("-", "+").replace("_", "/")), (b32decode, 8, part.upper())):
        whole = of[: len(of) - (1 if len(of) % size in (1,) else 0)]
        try:
            raw = decode(whole + "=" * (-len(whole) % size))
        except (binascii.Error, ValueError):
            continue
        readable = "".join(chr(b) for b in raw if 32 <= b < 127)
        if len(readable) > 2 and len(readable) >= 0.8 * len(raw):
            yield readable
