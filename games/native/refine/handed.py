"""Whether a critique hands over the answer: as it is, in words, spelled out, or as an expression of the same value.

What the refiner can read anyway, in the question or in the earlier answer, is not handed over. Codes such as "one more
than that" are not found: telling how an answer is wrong is what a critique is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from games.native.common.messages import tokens
from games.native.common.tells import spells
from games.verifiers import arithmetic

_NUMERAL = re.compile(rf"{arithmetic.WHOLE}(?:\.\d+)?(?:\s?/\s?\d+)?")
_SPACED = re.compile(r"(?<!\d)\d(?:[\s,;.…_*'\"-]{1,3}\d)+(?!\d)")
_EXPRESSION = re.compile(r"[\d(](?:[\d .()+\-*/×·÷−]{0,78}[\d)])")
_UNITS = "zero one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: n for n, word in enumerate(f"{_UNITS} {_TEENS}".split())}
_WORDS |= {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_SHORTEST = 3
"""words of fewer letters, such as yes and no, are not checked: the verdict alone tells them"""


def hands_over(critique: str, answer: str, known: str) -> bool:
    """Whether a critique tells an answer that `known`, what its readers see beside it, does not contain."""
    truth = arithmetic.number(answer)
    if truth is not None:
        return truth not in set(_numbers(known)) and abs(truth) in {abs(n) for n in _told(critique, known)}
    wanted, said = " ".join(tokens(answer)), f" {' '.join(tokens(critique))} "
    if len(wanted) <= _SHORTEST or f" {wanted} " in f" {' '.join(tokens(known))} ":
        return False
    return f" {wanted} " in said or (" " not in wanted and spells(critique, {wanted}))


def _told(text: str, known: str) -> Iterator[Fraction]:
    """All numbers that a text names, in any form; an expression that `known` contains names none."""
    yield from _numbers(text)
    spaceless = "".join(known.split())
    for found in _EXPRESSION.findall(text):
        inside = "".join(found.split())
        value = arithmetic.value(found) if inside.strip("()") not in spaceless else None
        if value is not None:
            yield value


def _numbers(text: str) -> Iterator[Fraction]:
    """The numbers that a text names in digits, single digits or words."""
    for found in _NUMERAL.findall(text):
        value = arithmetic.number(found)
        if value is not None:
            yield value
        yield from (Fraction(part.replace(",", "")) for part in re.findall(r"\d[\d,]*", found))
    for found in _SPACED.findall(text):
        yield Fraction("".join(re.findall(r"\d", found)))
    yield from _spoken(tokens(text))


def _spoken(words: tuple[str, ...]) -> Iterator[Fraction]:
    """Rows of number words: "one hundred and forty-seven" is 147, "one four seven" is 147 too."""
    total, part, digits, inside = 0, 0, "", False
    for word in (*words, "."):
        if word in _WORDS:
            part, inside = part + _WORDS[word], True
            digits += str(_WORDS[word]) if _WORDS[word] < 10 else ""
        elif word in _SCALES and inside:
            scale = _SCALES[word]
            part = max(part, 1) * scale
            if scale > 100:
                total, part = total + part, 0
        elif word != "and" or not inside:
            if inside:
                yield Fraction(total + part)
                if len(digits) > 1:
                    yield Fraction(digits)
            total, part, digits, inside = 0, 0, "", False
