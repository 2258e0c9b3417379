"""Reads a text in digits: numbers in words, ordinals and other scripts become digits, words of arithmetic its signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction

from games.dialogue.messages import tokens
from games.verifiers import arithmetic

LONGEST = 4000
"""the most digits of a number that is read: int() refuses more than 4,300, and one sign may stand for two digits"""
_TOO_LONG = re.compile(rf"\d{{{LONGEST + 1},}}")
_NUMERAL = re.compile(rf"{arithmetic.WHOLE}(?:\.\d+)?(?:\s?/\s?\d+)?")
_UNITS = "zero one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: n for n, word in enumerate(f"{_UNITS} {_TEENS}".split())}
_WORDS |= {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}
_WORDS |= {f"{re.sub('y$', 'ie', word)}th": n for word, n in _WORDS.items()}
_WORDS |= {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
_WORDS |= {"dozen": 12, "nought": 0, "nil": 0, "oh": 0}
_SCALES = {"hundred": 100, "hundredth": 100, "thousand": 1000, "thousandth": 1000, "million": 1_000_000}
_STEPS = ("first", "second", "third")
"""words that number the steps of a solution if they stand alone"""
_SIGNS = {
    r"\b(?:multiplied by|times)\b": "*",
    r"\b(?:divided by|over)\b": "/",
    r"\b(?:plus|added to)\b": "+",
    r"\bminus\b": "-",
    r"\b(?:twice|double)\b": "2 *",
    r"\bhalf of\b": "0.5 *",
    r" squared\b": "^2",
    r" cubed\b": "^3",
    "[\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{NON-BREAKING HYPHEN}]": "-",
}
_RUN = re.compile(rf"\b(?:a )?(?:{'|'.join(sorted({**_WORDS, **_SCALES}, key=len, reverse=True))})\b")
_JOIN = re.compile(r"[\s-]+(?:and[\s-]+)?")
_UNIT = "|".join(_UNITS.split())


def plain(text: str) -> str:
    """Returns the text with compatibility forms and digits of any script as plain ones.

    Marks, invisible signs, and numbers of more than `LONGEST` digits are left out.
    """
    kept = (c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) not in ("Cf", "Mn", "Me"))
    return _TOO_LONG.sub(" ", "".join(str(unicodedata.digit(c, c)) for c in kept))


def in_digits(text: str) -> str:
    """Returns the text in lower case with numbers in words as digits and words of arithmetic as signs."""
    out, row, last = [], list[str](), 0
    text = plain(text).casefold()
    for match in _RUN.finditer(text):
        word, between = match[0].removeprefix("a "), text[last : match.start()]
        if not (row and _JOIN.fullmatch(between) and _continues(row[-1], word, between)):
            out += [_value(row), between]
            row = []
        row.append(word)
        last = match.end()
    low = "".join([*out, _value(row), text[last:]])
    for pattern, sign in _SIGNS.items():
        low = re.sub(pattern, sign, low)
    return low


def _continues(before: str, word: str, between: str) -> bool:
    """Returns whether a word belongs to the same number as the word before it.

    It does in "forty-seven" and "one hundred and forty", and does not in "one four" and "eight and six".
    """
    if word in _SCALES or before in _SCALES:
        return True
    return "and" not in between and _WORDS[before] >= 20 and 0 < _WORDS[word] < 10


def _value(row: list[str]) -> str:
    if len(row) == 1 and row[0] in _STEPS:
        return row[0]
    total, part = 0, 0
    for word in row:
        if word in _SCALES:
            part = max(part, 1) * _SCALES[word]
            if _SCALES[word] > 100:
                total, part = total + part, 0
        else:
            part += _WORDS[word]
    return str(total + part) if row else ""


def numbers(text: str) -> Iterator[Fraction]:
    """Yields the numbers that a text names in digits or words."""
    for source in (plain(text), in_digits(text)):
        for numeral in _NUMERAL.findall(source):
            value = arithmetic.number(numeral)
            if value is not None:
                yield value
            parts = (part.replace(",", "") for part in re.findall(r"\d[\d,]*", numeral))
            yield from (Fraction(part) for part in parts if len(part) <= LONGEST)
    yield from _spoken(text)


def _spoken(text: str) -> Iterator[Fraction]:
    """Yields rows of digits in words: "one four seven" is 147, also without spaces."""
    digits = ""
    for word in (*tokens(plain(text)), "."):
        if word in _WORDS and _WORDS[word] < 10:
            digits += str(_WORDS[word])
            continue
        if 1 < len(digits) <= LONGEST:
            yield Fraction(digits)
        digits = ""
    joined = "".join(c for c in plain(text).casefold() if c.isalpha())
    for row in re.findall(rf"(?:{_UNIT}){{2,18}}", joined):
        yield Fraction("".join(str(_WORDS[word]) for word in re.findall(_UNIT, row)))
