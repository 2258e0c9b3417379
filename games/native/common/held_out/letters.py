"""The canonical letters of a text: without accents, styles, scripts that look or sound alike, digits for letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ALIKE = str.maketrans("аеорсухіјѕԁһӏοαενικτυρвнмтк", "aeopcyxijsdhloaeviktupbhmtk")
"""Cyrillic and Greek letters that look like Latin ones; all others are read by their names"""
_TRANSCRIBED = "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh sh - y - e yu ya"
_SOUNDS = dict(zip("абвгдежзийклмнопрстуфхцчшщъыьэюя", _TRANSCRIBED.split(), strict=True))
_DIGITS = tuple(str.maketrans("0134578@$!|+€£692", f"o{one}eastbas{one}ltelggz") for one in "il")
_LETTER = re.compile(r"(?:LETTER|SYMBOL|PATTERN|RUNE?|CAPITAL|SMALL)(?: [A-Z]+)*? ([A-Z]+)$")
_TOKEN = re.compile(r"[^\W_]+")


@lru_cache(1 << 12)
def _latin(c: str, sounds: bool) -> str:
    """Returns a character as Latin letters: by what it looks like, or in a script that is read by how it sounds."""
    if c.isascii():
        return c
    plain = "".join(p for p in unicodedata.normalize("NFKD", c) if not unicodedata.combining(p)).casefold()
    if plain.isascii():
        return plain
    plain = plain.translate(_ALIKE) if not sounds else "".join(_SOUNDS.get(p, p).strip("-") for p in plain)
    if plain.isascii() or not plain:
        return plain
    name = _LETTER.search(unicodedata.name(plain[0], ""))
    if name is None:
        return c
    short = len(name[1]) <= 2 or "KATAKANA" in unicodedata.name(plain[0]) or "HIRAGANA" in unicodedata.name(plain[0])
    return (name[1] if short else name[1][0]).casefold()


@lru_cache(1 << 10)
def latin(text: str, sounds: bool = False) -> str:
    """Returns a text in lower case and, where it can be read so, in Latin letters. Invisible characters fall out."""
    kept = (c for c in text if unicodedata.category(c) not in ("Cf", "Mn", "Me") and c != "\u00ad")
    return "".join(_latin(c, sounds) for c in kept).casefold()


def with_digits(text: str) -> tuple[str, ...]:
    """Returns a Latin text with digits and signs as the letters that they look like; a 1 is an i or an l."""
    return tuple(text.translate(table) for table in _DIGITS)


def words_of(text: str) -> tuple[str, ...]:
    """Returns the words of a Latin text, letters and digits."""
    return tuple(_TOKEN.findall(text))
