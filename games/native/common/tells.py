"""Whether a text gives a word away without saying it: spelled, backwards, by first letters, numbers or in a cipher.

Unlike `games.native.redteam.referee.tells`, which guards a made-up word, this must not find ordinary words inside each
other: "justice" does not tell "ice". So only whole words, rows of whole words and rows of letters count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.dialogue.messages import tokens
from games.native.common.ciphers import CipherText, cipher_text, hides

_NUMBERS = re.compile(r"(?:\d{1,2}\D{1,3}){2,}\d{1,2}")
_ALIKE = str.maketrans("аеорсухіјѕԁһӏοαενικτυρ", "aeopcyxijsdhloaeviktup")
"""Cyrillic and Greek letters that look like Latin ones"""
_DIGITS = tuple(str.maketrans("0134578@$", f"o{one}eastbas") for one in "il")
"""digits and signs that look like letters; 1 is an i or an l"""
_LONG = 4
"""first letters inside a longer text tell a word of at least this many letters; shorter ones occur by chance"""


class _Readings(NamedTuple):
    """What a text can be read as."""

    rows: tuple[Sequence[str], ...]
    """its words, in several spellings: with digits as letters, without what is not a letter"""
    cipher: CipherText
    initials: str
    capitals: str
    numbers: tuple[str, ...]
    """rows of numbers as letters: 1 is a, 26 is z"""


def spells(text: str, forms: Collection[str]) -> bool:
    """Whether a text gives away a word, in one of its forms, in another way than by saying it plainly."""
    readings = _readings(text)
    return any(_tells(readings, word) or (len(word) > 2 and _tells(readings, word[::-1])) for word in forms)


@lru_cache(8)
def _readings(text: str) -> _Readings:
    folded = _folded(text)
    words = tokens(folded)
    alike = (tokens(text.casefold().translate(table)) for table in _DIGITS)
    letters = tuple("".join(c for c in part if c.isalpha()) for part in folded.split())
    return _Readings(
        rows=(words, *alike, letters),
        cipher=cipher_text(folded, words),
        initials="".join(word[0] for word in words),
        capitals="".join(c for c in text if "A" <= c <= "Z").casefold(),
        numbers=tuple(map(_numbered, _NUMBERS.findall(text))),
    )


def _tells(found: _Readings, word: str) -> bool:
    first = found.initials == word or (len(word) >= _LONG and word in found.initials)
    if first or found.capitals == word or hides(found.cipher, word):
        return True
    return any(word in row for row in found.numbers) or any(_joined(r, word) for r in found.rows)


def _joined(row: Sequence[str], word: str) -> bool:
    """Whether consecutive whole words, joined, are the word: "o w l", "ow l", or the word itself."""
    for start in range(len(row)):
        left = word
        for part in row[start:]:
            if not part or not left.startswith(part):
                break
            left = left[len(part) :]
            if not left:
                return True
    return False


def _numbered(text: str) -> str:
    return "".join(chr(96 + n) if 1 <= (n := int(digits)) <= 26 else " " for digits in re.findall(r"\d+", text))


def _folded(text: str) -> str:
    """The text in lower case, without accents, with letters that look Latin as Latin ones."""
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_ALIKE)
    return "".join(c for c in plain if not unicodedata.combining(c))
