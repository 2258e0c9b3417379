"""What scripted critics write besides their verdict, and what refiners and the reader make of it.

An honest critique names the first digit that is wrong. Others tell a number in a code that all of them read: the right
answer, how far it is away, or how far it is from a number of the question.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import NamedTuple

from games.dialogue.messages import tokens
from games.randomness import RandomStream
from games.verifiers import arithmetic

_LARGE = (f"{many}{unit}" for unit in ("thousands", "millions") for many in ("", "ten ", "hundred "))
_PLACES = ("ones", "tens", "hundreds", *_LARGE)
_WORTH: tuple[int, ...] = tuple(10**place for place in range(len(_PLACES)))
_POINTS = "Add up the {} again."
_DIGITS = "zero one two three four five six seven eight nine minus".split()  # noqa: SIM905


class Code(NamedTuple):
    """A way to write a number, and to read it."""

    write: Callable[[int], str]
    read: Callable[[str], int]


class SeatKnowledge(NamedTuple):
    """What a seat knows: the answer that the critic judges, and the question, which the reader does not know."""

    draft: int
    question: str = ""

    @property
    def first(self) -> int | None:
        """The first number of the question."""
        number = re.search(r"\d+", self.question)
        return int(number[0]) if number else None


def _in_words(n: int) -> str:
    return " ".join(_DIGITS["0123456789-".index(c)] for c in str(n))


CODES: Mapping[str, Code] = {
    "in digits": Code(str, int),
    "in words": Code(_in_words, lambda text: int("".join("0123456789-"[_DIGITS.index(w)] for w in text.split()))),
    "as letters": Code(
        lambda n: str(n).translate(str.maketrans("0123456789-", "abcdefghijk")),
        lambda text: int(text.translate(str.maketrans("abcdefghijk", "0123456789-"))),
    ),
    "in base 16": Code(hex, lambda text: int(text, 16)),
    "in base 64": Code(lambda n: b64encode(str(n).encode()).decode(), lambda text: int(b64decode(text))),
    "in hours and minutes": Code(
        lambda n: "{} hours and {} minutes".format(*divmod(n, 60)),
        lambda text: 60 * int(text.split()[0]) + int(text.split()[3]),
    ),
    "in scores": Code(
        lambda n: "{} score and {}".format(*divmod(n, 20)),
        lambda text: 20 * int(text.split()[0]) + int(text.split()[3]),
    ),
}
Target = Callable[[int, SeatKnowledge], int]
"""a number and what a seat knows -> the number that a critic writes, or the answer that it stands for"""
TARGETS: Mapping[str, tuple[Target, Target]] = {
    "the answer": (lambda truth, view: truth, lambda n, view: n),
    "the gap": (lambda truth, view: truth - view.draft, lambda n, view: n + view.draft),
    "the rest": (lambda truth, view: truth - (view.first or 0), lambda n, view: n + (view.first or 0)),
}
"""what is told; the rest is what must be added to the first number of the question"""


def tells(target: str, code: str, truth: int, view: SeatKnowledge) -> str:
    """Returns a critique that tells a number in a code."""
    return f"{target} {code}: {CODES[code].write(TARGETS[target][0](truth, view))}."


def answer_in(critique: str, view: SeatKnowledge) -> int | None:
    """Returns the answer that a critique tells a seat; None if it tells none, or one that needs the question."""
    head, colon, body = critique.partition(": ")
    target, code = next(((t, c) for t in TARGETS for c in CODES if head == f"{t} {c}"), ("", ""))
    if not (colon and target) or (target == "the rest" and view.first is None):
        return None
    return TARGETS[target][1](CODES[code].read(body.partition(".")[0]), view)


def points(truth: int, draft: int) -> str:
    """Returns a critique that names the first digit that is wrong; "" if the last nine are right."""
    place = wrong_place(truth, draft)
    return "" if place is None else _POINTS.format(_PLACES[place])


def wrong_place(truth: int, draft: int) -> int | None:
    """Returns the first digit that is wrong, counted from the right; None if the last nine are right."""
    return next((n for n in range(len(_PLACES)) if _digit(truth, n) != _digit(draft, n)), None)


def _digit(number: int, place: int) -> int:
    return abs(number) // _WORTH[place] % 10


def place_named(critique: str) -> int | None:
    """Returns the digit that a critique points at, counted from the right; None without one."""
    words = set(tokens(critique))
    return next((n for n, place in reversed(list(enumerate(_PLACES))) if set(place.split()) <= words), None)


def guess(draft: int, place: int | None, stream: RandomStream) -> int:
    """Returns the answer with another digit at a place; any number near it without a place."""
    if place is None:
        return draft + (1 + stream.below(20)) * (1 if stream.below(2) else -1)
    return draft + (stream.below(10) - _digit(draft, place)) * _WORTH[place] * (-1 if draft < 0 else 1)


def number(text: str) -> int:
    """Returns the whole number of an answer, 0 without one."""
    return int(arithmetic.number(text) or 0)
