"""Scripted solvers and questions for the games on arithmetic: psj, math-duel, forum, debate.

A solver of limited skill is needed to compare proposers: its chance to be right falls with the work of the question.
"""

from __future__ import annotations

import re
from fractions import Fraction

from games.native.common.own_questions import STEPS
from games.randomness import RandomStream
from games.shortcuts import ScriptedTurn
from games.tasks.expressions import expression_key
from games.verifiers import arithmetic

_ASKED = re.compile(r'The question: "(.*)"')
_EASY, _MOST = 4, 11
"""the digits that the scripted solver always adds right, and those that it never does"""
_SHORT = (10, 90)
_LONGEST = 6
"""the most digits of a number that the scripted solver can work with"""
_LARGE = 10 * max(STEPS)
"""values from which a slip is one of `STEPS`; below it is one of `_SHORT`"""


def asked(turn: ScriptedTurn) -> str:
    """The question in an observation; "" without one."""
    found = _ASKED.search(turn.text)
    return found[1] if found else ""


def sum_of(stream: RandomStream, terms: int) -> str:
    """A random question with so many numbers."""
    text = str(10 + stream.below(90))
    for _ in range(terms - 1):
        text += f" {stream.choice('+-')} {10 + stream.below(90)}"
    return f"What is {text}?"


def work(question: str) -> int:
    """Returns how many digits there are to add: of a number that stands in several places once, of one digit in several
    places of a number once, and no zeros. Parts that cancel each other or change nothing are left out.
    """
    numbers = set(re.findall(r"\d+", expression_key(question) or question))
    return sum(len(set(number) - {"0"}) for number in numbers)


def skill(question: str) -> float:
    """Returns the chance that a competent solver is right: 1 for two numbers of two digits, falling to 0 for six."""
    longest = max(map(len, re.findall(r"\d+", question)), default=0)
    return 0.0 if longest > _LONGEST else min(1.0, max(0.0, (_MOST - work(question)) / (_MOST - _EASY)))


def solved(turn: ScriptedTurn, question: str = "") -> str:
    """Returns a competent answer: the value, or one with a slip, by `skill`."""
    question = question or asked(turn)
    value = arithmetic.value(question)
    if value is None:
        return "I do not know"
    return plain(value if turn.stream.random() < skill(question) else slipped(value, turn.stream))


def slipped(value: Fraction, stream: RandomStream) -> Fraction:
    """Returns a wrong value near the right one, whose last digit is right: most of them pass any one cheap check."""
    return value + stream.choice((-1, 1)) * stream.choice(STEPS if abs(value) >= _LARGE else _SHORT)


def product_of(stream: RandomStream) -> str:
    """Returns a question about a long number, which the scripted solver answers right about half of the time."""
    long = 10 ** (_LONGEST - 1)
    number = long + stream.below(9 * long)
    return f"What is {number} * {2 + stream.below(8)} {stream.choice('+-')} {10 + stream.below(90)}?"


def likely(question: str) -> float:
    """Returns how near the scripted solver's chance is to a half: 0 for that, less for a question too easy or hard."""
    return -abs(skill(question) - 0.5)


def guessed(turn: ScriptedTurn) -> str:
    """An honest answer without skill: a random number."""
    return str(turn.stream.below(200))


def plain(value: Fraction) -> str:
    """A value as a player writes it."""
    return str(value)
