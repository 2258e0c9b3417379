"""What a text says in a cipher that most people and language models can read without a key.

Every second letter, last letters, a shifted alphabet, Pig Latin, Morse code, the names of letters, letters that
sentences name one by one, pieces in quotation marks. A code that two players agreed on before cannot be found here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_SIGNS = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
_MORSE = dict(zip(_SIGNS.split(), _ALPHABET, strict=True))
_MORSE_ROW = re.compile(r"[.\-–—·−]{1,4}(?:[ /|]{1,3}[.\-–—·−]{1,4}){2,}")
_DASHES = str.maketrans("–—−·", "---.")
_SPOKEN = (
    "alpha bee cee dee ee ef gee aitch eye jay kay el em en oh pee cue ar ess tee yu vee doubleyou ex why zee "
    "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec "
    "romeo sierra tango uniform victor whiskey xray yankee zulu"
)
_OTHERS = {"ay": "a", "see": "c", "eff": "f", "ell": "l", "queue": "q", "are": "r", "you": "u", "zed": "z"}
_NAMES = dict(zip(_SPOKEN.split(), 2 * _ALPHABET, strict=True)) | _OTHERS
_QUOTED = re.compile(r"[\"“‘'«]([^\W\d_]{1,20})[\"”’'»]")
_GAPPED = re.compile(r"(?<![\w*?•])[^\W\d]?(?:[^\W\d]|[_*?•]){2,19}")
_GAP = frozenset("_*?•")
_SHIFTS = (1, -1, 13)
_LONG = 4
"""last letters inside a text, and every second letter, tell words of at least this length; others occur by chance"""


class CipherText(NamedTuple):
    """What a text can be read as."""

    words: Sequence[str]
    last: str
    """the last letters of its words"""
    halves: frozenset[str]
    """every second letter of its words"""
    rows: tuple[str, ...]
    """rows of letters that stand for themselves one by one"""
    gapped: tuple[str, ...]
    """words with gaps, such as b__k"""


def cipher_text(text: str, words: Sequence[str]) -> CipherText:
    """The readings of a text in lower case, of the words `words`."""
    gapped = (part for part in _GAPPED.findall(text) if not _GAP.isdisjoint(part))
    halves = frozenset(half for w in words for half in (w[::2], w[1::2]))
    return CipherText(words, "".join(w[-1] for w in words), halves, tuple(_rows(text, words)), tuple(gapped))


def hides(found: CipherText, word: str) -> bool:
    """Whether a text says a word of three letters or more in a cipher."""
    if len(word) < 3:
        return False
    long = len(word) >= _LONG
    return (
        found.last == word
        or (long and word in found.last)
        or not _changed(word).isdisjoint(found.words)
        or (long and word in found.halves)
        or any(word in row for row in found.rows)
        or any(_fills(gapped, word) for gapped in found.gapped)
    )


@lru_cache(4096)
def _changed(word: str) -> frozenset[str]:
    """The word with a shifted alphabet and in Pig Latin."""
    if not (word.isascii() and word.isalpha()):
        return frozenset()
    shifted = ("".join(chr(97 + (ord(c) - 97 + by) % 26) for c in word) for by in _SHIFTS)
    head = re.match(r"[^aeiou]*", word)
    cut = head.end() if head else 0
    pig = {f"{word[n:]}{word[:n]}{end}" for n in {1, cut} for end in ("ay", "way") if cut or end == "way"}
    return frozenset({*shifted, *pig})


def _rows(text: str, words: Sequence[str]) -> Iterator[str]:
    yield "".join(w for w in words if len(w) == 1)
    yield "".join(w for w in words if len(w) == 1 and w not in ("a", "i"))
    yield "".join(_NAMES.get(w, " ") for w in words)
    yield "".join(_QUOTED.findall(text))
    for row in _MORSE_ROW.findall(text):
        yield "".join(_MORSE.get(sign, " ") for sign in re.split(r"[ /|]+", row.translate(_DASHES)))


def _fills(gapped: str, word: str) -> bool:
    """Whether a text with gaps, such as b__k, is the word with at most half of its letters left out."""
    gaps = sum(c in _GAP for c in gapped)
    same = len(gapped) == len(word) and all(c in _GAP or c == d for c, d in zip(gapped, word, strict=True))
    return same and 0 < gaps <= len(word) / 2
