"""Ways to write a text so that a filter may not see it. Each is a function of the text alone."""

from __future__ import annotations

import zlib
from base64 import b32encode, b64encode
from collections.abc import Callable, Mapping
from string import ascii_lowercase as ALPHABET
from types import MappingProxyType

Code = Callable[[str], str]

_SIGNS = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
_MORSE = _SIGNS.split()
_KEYS = "22233344455566677778889999"
"""the keys of a telephone, by letter"""
_LOOKALIKES = str.maketrans("aeopcyxi", "аеорсухі")
_LEET = str.maketrans("aeiost", "431057")
_UNITS = "zero one two three four five six seven eight nine".split()  # noqa: SIM905
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: SIM905
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_ROMAN = tuple(zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
                   "M CM D CD C XC L XL X IX V IV I".split(), strict=True))  # fmt: skip  # noqa: SIM905


def caesar(by: int) -> Code:
    """Returns the Caesar cipher that moves each letter by so many places."""
    table = str.maketrans(ALPHABET, ALPHABET[by:] + ALPHABET[:by])
    return lambda text: text.casefold().translate(table)


def by_letter(write: Callable[[str], str], between: str = " ") -> Code:
    """Returns the code that writes something for each letter or digit."""
    return lambda text: between.join(write(c) for c in text.casefold() if c.isalnum())


def _place(c: str) -> int:
    """Returns the place of a letter in the alphabet, from 0; of another character its code point."""
    return ALPHABET.index(c) if c in ALPHABET else ord(c)


def number(text: str) -> int | None:
    """Returns the whole number that a text is; None for another text."""
    digits = text.strip().removeprefix("-")
    return int(text) if digits.isdecimal() and digits.isascii() and len(digits) < 20 else None


def in_words(value: int) -> str:
    """Returns a number below a million in English words."""
    if value < 0:
        return f"minus {in_words(-value)}"
    if value < 20:
        return (*_UNITS, *_TEENS)[value]
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            return f"{in_words(value // size)} {name}{(rest and ' ' + in_words(rest)) or ''}"
    return f"{_TENS[value // 10 - 2]}{(value % 10 and '-' + _UNITS[value % 10]) or ''}"


def _roman(value: int) -> str:
    out = ""
    for size, sign in _ROMAN:
        out, value = out + sign * (value // size), value % size
    return out


def of_number(write: Callable[[int], str], low: int = -999_999, high: int = 999_999) -> Code:
    """Returns the code that writes a whole number within bounds; it leaves another text as it is."""

    def code(text: str) -> str:
        value = number(text)
        return text if value is None or not low <= value <= high else write(value)

    return code


def _pieces(text: str) -> str:
    half = max(1, len(text) // 2)
    return f"{text[:half]} {text[half:]}"


CODES: Mapping[str, Code] = MappingProxyType({
    "plain": lambda text: text,
    "upper": str.upper,
    "backwards": lambda text: text[::-1],
    "spaced": " ".join,
    "dashed": "-".join,
    "dotted": ".".join,
    "padded": "x".join,
    "pieces": _pieces,
    "swapped": lambda text: "".join(text[i : i + 2][::-1] for i in range(0, len(text), 2)),
    "anagram": lambda text: "".join(sorted(text.casefold())),
    "consonants": lambda text: "".join(c for c in text if c.casefold() not in "aeiou"),
    "gap": lambda text: f"{text[: len(text) // 2]}_{text[len(text) // 2 + 1 :]}",
    "ends": lambda text: f"begins with {text[:3]}, ends with {text[-2:]}, {len(text)} letters",
    "letter_after": lambda text: f"{text}{text[-1:]}",
    "letter_before": lambda text: f"x{text}",
    "embedded": lambda text: f"the{text.casefold()}game",
    "hashtag": lambda text: f"#the{text.casefold()}game",
    "typo": lambda text: f"{text[:1]}{text[2:3]}{text[1:2]}{text[3:]}",
    "pig_latin": lambda text: f"{text[1:]}{text[:1]}ay",
    "lookalikes": lambda text: text.casefold().translate(_LOOKALIKES),
    "leet": lambda text: text.casefold().translate(_LEET),
    "caesar_1": caesar(1),
    "caesar_3": caesar(3),
    "caesar_13": caesar(13),
    "atbash": lambda text: text.casefold().translate(str.maketrans(ALPHABET, ALPHABET[::-1])),
    "base64": lambda text: b64encode(text.encode()).decode(),
    "base32": lambda text: b32encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "ascii": lambda text: " ".join(map(str, text.encode())),
    "binary": lambda text: " ".join(f"{b:08b}" for b in text.encode()),
    "numbered": by_letter(lambda c: str(_place(c) + 1)),
    "morse": by_letter(lambda c: _MORSE[_place(c)] if c in ALPHABET else c),
    "telephone": by_letter(lambda c: _KEYS[_place(c)] if c in ALPHABET else c, ""),
    "acrostic": by_letter(lambda c: f"{c}ab"),
    "telestic": by_letter(lambda c: f"mi{c}"),
    "acrostic_lines": by_letter(lambda c: f"{c.upper()}ny of them.", "\n"),
    "checksum": lambda text: f"{zlib.crc32(text.encode()):08x}",
    "length": lambda text: str(len(text)),
    "spelled": of_number(in_words),
    "roman": of_number(_roman, 1, 3999),
    "in_base_16": of_number(lambda n: f"{n:x}"),
    "as_sum": of_number(lambda n: f"{n - 7} and then 7 more"),
    "as_product": of_number(lambda n: f"{n // 9} times 9, plus {n % 9}"),
    "by_digit": of_number(lambda n: " ".join(_UNITS[int(c)] if c.isdecimal() else "minus" for c in str(n))),
})  # fmt: skip
"""name -> code"""

READABLE = frozenset(CODES) - {
    "anagram",
    "consonants",
    "gap",
    "ends",
    "telephone",
    "leet",
    "length",
    "checksum",
    "typo",
    "letter_after",
    "pieces",
}
"""codes from which a text, a number among them, can be read back"""
