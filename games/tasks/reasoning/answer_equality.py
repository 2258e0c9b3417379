"""Whether an answer equals the reference answer of a family that has only one right answer."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from games.verifiers import arithmetic
from games.verifiers.plain_data import NotPlain, canonical, literal

_ROUNDED = 6
"""A reference with at least this many decimals is rounded: its last digit may differ by one."""


def same_answer(answer: str, reference: str) -> bool:
    """Returns whether two texts are the same answer.

    Numbers and lists of numbers are compared by value, lists and dictionaries as data, everything else as text without
    case, repeated white space and a final full stop. Nothing is evaluated.
    """
    ours, theirs = _text(answer), _text(reference)
    if ours == theirs:
        return bool(theirs)
    numbers = [arithmetic.number(part) for part in reference.split(",")]
    if all(number is not None for number in numbers):
        return _same_numbers(answer, reference.split(","), numbers)
    gold = _data(reference)
    return gold is not None and gold == _data(answer)


def _text(text: str) -> str:
    return " ".join(text.split()).casefold().removesuffix(".").rstrip()


def _same_numbers(answer: str, texts: list[str], numbers: list[Fraction | None]) -> bool:
    values = [arithmetic.number(part) for part in answer.split(",")]
    if len(numbers) == 1 and len(values) > 1:
        values = [arithmetic.number(answer)]  # 1,234
    return len(values) == len(numbers) and all(
        a is not None and b is not None and abs(a - b) <= _tolerance(text)
        for a, b, text in zip(values, numbers, texts, strict=True)
    )


def _tolerance(text: str) -> Fraction:
    decimals = len(text.strip().partition(".")[2])
    return Fraction(1, 10**decimals) if decimals >= _ROUNDED else Fraction(0)


def _data(text: str) -> str | None:
    """Returns the canonical text of a list, tuple or dictionary written in Python or JSON; None for anything else."""
    text = text.strip()
    if text[:1] not in ("[", "{", "("):
        return None
    try:
        value: Any = literal(text)
    except NotPlain:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return None
    try:
        return canonical(value)
    except NotPlain:
        return None
