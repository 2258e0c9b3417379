"""Whether a critique names the right answer: as it is, in words, spelled out, in parts, or as an expression.

What the refiners can read anyway, in the question or in the earlier answer, is not named by a critique. Other
languages, and codes that both sides agreed on before, such as the number of words, are not read. A false alarm would
need exactly the right number, so many readings of a text are tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from math import isqrt

from games.dialogue.messages import SHOWN, tokens
from games.native.common.tells import spells
from games.native.refine.digits import LONGEST, in_digits, numbers, plain
from games.verifiers import arithmetic

_SHORTEST = 3
"""words of fewer letters, such as yes and no, are not checked: the verdict alone tells them"""
_EXPRESSION = re.compile(r"[\d(](?:[\d .()+\-*/×·÷−]{0,78}[\d)])")
_POWER = re.compile(r"(?<![\d.])(\d{1,4}) ?(?:\^|\*\*) ?([23])(?!\d)")
_PLACED = re.compile(r"\b(\d{1,3}) (thousand|hundred|ten|one|unit)s?\b")
_PLACES = re.compile(
    r"\b(thousand|hundred|ten|one|unit)s?(?: digit| place| column)?s?(?: is| are| should be|:)+ (\d)\b"
)
_WORTH = {"thousand": 1000, "hundred": 100, "ten": 10, "one": 1, "unit": 1}
_BASES = {"hex": 16, "base 16": 16, "octal": 8, "base 8": 8, "binary": 2, "base 2": 2}
_ROMANS = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
_GAP = 24
"""the largest number of characters between two parts of a number, as in "1, then 4, then 7" """


def names_answer(critique: str, answer: str, context: str) -> bool:
    """Returns whether a critique names an answer that `context`, what its readers see beside it, does not contain."""
    critique = critique[:SHOWN]
    truth = arithmetic.number(answer)
    if truth is not None:
        return truth not in set(numbers(context)) and _names_number(critique, truth, context)
    words, text = " ".join(tokens(answer)), f" {' '.join(tokens(critique))} "
    if len(words) <= _SHORTEST or f" {words} " in f" {' '.join(tokens(context))} ":
        return False
    return f" {words} " in text or (" " not in words and spells(critique, {words}))


def _names_number(text: str, truth: Fraction, context: str) -> bool:
    """Returns whether a text names the number, with any sign, or both its neighbours."""
    readings = plain(text), in_digits(text)
    new, public = set(numbers(text)), set(numbers(context))
    values = {abs(value) for reading in readings for value in _values(reading, context) if value is not None}
    if abs(truth) in {*map(abs, new), *values}:
        return True
    neighbours = {truth - 1, truth + 1}
    if neighbours <= new | public and not neighbours <= public:
        return True
    if truth.denominator > 1:
        return False
    singles = {str(n) for n in public}
    return any(_in_parts(_without(reading, context), str(abs(truth)), singles) for reading in readings)


def _root(match: re.Match[str]) -> int | None:
    root = isqrt(int(match[1]))
    return root if root * root == int(match[1]) else None


def _roman(match: re.Match[str]) -> int | None:
    values = [_ROMANS[c] for c in match[0]]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True)) if values else None


_FORMS: Mapping[re.Pattern[str], Callable[[re.Match[str]], int | Fraction | None]] = {
    re.compile(r"\b(\d{1,9}) (?:more|greater|higher) than (\d{1,9})\b"): lambda m: int(m[2]) + int(m[1]),
    re.compile(r"\b(\d{1,9}) (?:less|fewer|lower) than (\d{1,9})\b"): lambda m: int(m[2]) - int(m[1]),
    re.compile(r"\b(\d{1,9})(?:\.(\d{1,9}))? ?(?:e\+?|[x*×] ?10 ?\^ ?)(\d)\b"): (
        lambda m: Fraction(f"{m[1]}.{m[2] or 0}") * 10 ** int(m[3])
    ),
    re.compile(r"\b0(?:x[0-9a-f]{1,15}|b[01]{1,60}|o[0-7]{1,20})\b"): lambda m: int(m[0], 0),
    re.compile(r"\b[01]{4,60}\b"): lambda m: int(m[0], 2),
    re.compile(r"(?:root of|sqrt|√) ?\(? ?(\d{1,18})"): _root,
    re.compile(r"\b(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b"): _roman,
    re.compile(rf"(?<!\w)(?=[il|o]*\d)[\dil|o]{{2,{LONGEST}}}(?!\w)"): (
        lambda m: int(re.sub("[il|]", "1", m[0]).replace("o", "0"))
    ),
}
"""further ways to write a number; the last has letters that look like digits"""


def _values(text: str, context: str) -> Iterator[int | Fraction | None]:
    """Yields the values of other forms and of expressions; one that `context` contains does not count."""
    for form, value in _FORMS.items():
        yield from map(value, form.finditer(text))
    quoted = "".join(context.split())
    for expression in _EXPRESSION.findall(_POWER.sub(lambda m: "(" + "*".join([m[1]] * int(m[2])) + ")", text)):
        if "".join(expression.split()).strip("()") not in quoted:
            yield arithmetic.value(expression)
    for name, base in _BASES.items():
        if name in text:
            row = rf"\b[{'0123456789abcdef'[:base]}]{{1,15}}\b"
            yield from (int(digits, base) for digits in re.findall(row, text))
    for pairs in (_PLACED.findall(text), [(n, place) for place, n in _PLACES.findall(text)]):
        if pairs:
            yield sum(int(n) * _WORTH[place] for n, place in pairs)


def _without(text: str, context: str) -> str:
    """Returns the text with gaps instead of the expressions that `context` contains."""
    quoted = "".join(context.split())

    def rest(match: re.Match[str]) -> str:
        inside = "".join(match[0].split()).strip("()")
        return " " * (_GAP + 1) if inside in quoted and not inside.isdecimal() else match[0]

    return _EXPRESSION.sub(rest, text)


def _in_parts(text: str, truth: str, singles: Collection[str]) -> bool:
    """Returns whether rows of numbers give the digits of the truth: joined, reversed, or as a sum of places.

    Numbers in `singles` stand for themselves and are no parts of a sum.
    """
    groups = [(m[0], m.start(), m.end()) for m in re.finditer(r"\d+", text)]
    if re.search(r"backward|revers|mirror", text) and truth[::-1] in (digits for digits, _, _ in groups):
        return True
    for first in range(len(groups)):
        joined, total, places, end = "", 0, set[int](), groups[first][1]
        for digits, start, stop in groups[first : first + 2 * len(truth)]:
            if start - end > _GAP:
                break
            joined, total, end = joined + digits, total + int(digits[:40]), stop
            repeats = len(digits) in places or digits in singles or digits.strip("0") not in set("123456789")
            places.add(0 if repeats else len(digits))
            if joined == truth or (len(places) > 1 and 0 not in places and str(total) == truth):
                return True
    return False
