"""Reads a text in digits: numbers in words, ordinals and other scripts become digits, words of arithmetic its signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction

from games.dialogue.messages import tokens

_UNITS = "zero one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_CARDINALS = {word: n for n, word in enumerate(f"{_UNITS} {_TEENS}".split())}
_CARDINALS |= {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}
_IRREGULAR = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
_WORDS = _CARDINALS | {f"{re.sub('y$', 'ie', word)}th": n for word, n in _CARDINALS.items()} | _IRREGULAR
_WORDS |= {"dozen": 12, "nought": 0, "nil": 0, "oh": 0}
_SCALES = {"hundred": 100, "hundredth": 100, "thousand": 1000, "thousandth": 1000, "million": 1_000_000}
LONGEST = 4000
"""the most digits of a number that is read: int() refuses more than 4,300, and one sign may stand for two digits"""
_TOO_LONG = re.compile(rf"\d{{{LONGEST + 1},}}")
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


def plain(text: str) -> str:
    """The text with compatibility forms and digits of any script as plain ones.

    Without marks, invisible signs, and numbers of more than `LONGEST` digits.
    """
    out = []
    for c in unicodedata.normalize("NFKC", text):
        if unicodedata.category(c) not in ("Cf", "Mn", "Me"):
            out.append(str(unicodedata.digit(c, c)))
    return _TOO_LONG.sub(" ", "".join(out))


def in_digits(text: str) -> str:
    """The text in lower case with numbers in words as digits and words of arithmetic as signs."""
    out, row, last = [], list[str](), 0
    text = plain(text).casefold()
    for found in _RUN.finditer(text):
        between = text[last : found.start()]
        if row and _JOIN.fullmatch(between) and _continues(row, found[0], between):
            row.append(found[0])
        else:
            out += [_value(row), between]
            row = [found[0]]
        last = found.end()
    low = "".join([*out, _value(row), text[last:]])
    for pattern, sign in _SIGNS.items():
        low = re.sub(pattern, sign, low)
    return low


def _continues(row: list[str], word: str, between: str) -> bool:
    """Whether a word belongs to the same number as the words before it.

    It does in "forty-seven" and "one hundred and forty", and does not in "one four" and "eight and six".
    """
    before, now = row[-1].removeprefix("a "), word.removeprefix("a ")
    if now in _SCALES or before in _SCALES:
        return now in _SCALES or before in _SCALES
    return "and" not in between and _WORDS[before] >= 20 and 0 < _WORDS[now] < 10


def _value(row: list[str]) -> str:
    if len(row) == 1 and row[0] in _STEPS:
        return row[0]
    total, part = 0, 0
    for word in (word.removeprefix("a ") for word in row):
        if word in _SCALES:
            part = max(part, 1) * _SCALES[word]
            if _SCALES[word] > 100:
                total, part = total + part, 0
        else:
            part += _WORDS[word]
    return str(total + part) if row else ""


def spoken(text: str) -> Iterator[Fraction]:
    """Rows of number words: "one hundred and forty-seven" is 147, "one four seven" is 147 too; also without spaces."""
    digits = ""
    for word in (*tokens(plain(text)), "."):
        if word in _WORDS and _WORDS[word] < 10:
            digits += str(_WORDS[word])
            continue
        if 1 < len(digits) <= LONGEST:
            yield Fraction(digits)
        digits = ""
    joined = "".join(c for c in plain(text).casefold() if c.isalpha())
    for found in re.findall(rf"(?:{'|'.join(_UNITS.split())}){{2,18}}", joined):
        yield Fraction("".join(str(_WORDS[word]) for word in re.findall("|".join(_UNITS.split()), found)))
