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
_HALF, _WORSE = 8, 0.4
"""the work that the scripted solver does right half of the time, and how much of its chance a digit more costs"""
_DRAWS = 12
"""questions among which a competent proposer chooses"""
_SHORT = (10, 90)
_LONGEST = 6
"""the most digits of a number that the scripted solver can work with"""
_LARGE = 100_000
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
    """Returns how many digits there are to add in columns: in a column each digit once, and no zeros.

    Equal columns are added once, and the longest counts at most one digit more than the next: digits of one column
    alone are counted up, and carry nothing. So round numbers, or a number beside its reverse, are no work. Parts that
    cancel each other or change nothing are left out.
    """
    numbers = set(re.findall(r"\d+", expression_key(question) or question))
    places = range(1, 1 + max(map(len, numbers), default=0))
    columns = {frozenset(n[-place] for n in numbers if len(n) >= place and n[-place] != "0") for place in places}
    longest, *others = sorted(map(len, columns), reverse=True) or [0]
    return min(longest, max(others, default=0) + 1) + sum(others)


def skill(question: str) -> float:
    """Returns the chance that a competent solver is right: 1 for three numbers of two digits, 0 for eight."""
    longest = max(map(len, re.findall(r"\d+", question)), default=0)
    return 0.0 if longest > _LONGEST else min(1.0, max(0.0, 0.5 + (_HALF - work(question)) * _WORSE))


def solved(turn: ScriptedTurn, question: str = "") -> str:
    """Returns a competent answer: the value, or one with a slip, by `skill`."""
    question = question or asked(turn)
    value = arithmetic.value(question)
    if value is None:
        return "I do not know"
    return plain(value if turn.stream.random() < skill(question) else slipped(value, turn.stream))


def slipped(value: Fraction, stream: RandomStream) -> Fraction:
    """Returns a wrong value near the right one, with its sign, length and last digit if there is one."""
    steps = stream.shuffled(STEPS if abs(value) >= _LARGE else _SHORT)
    near = [value + sign * step for step in steps for sign in stream.shuffled((-1, 1))]
    return next((one for one in near if arithmetic.plausible(str(one), str(value))), near[0])


def half_sum(stream: RandomStream) -> str:
    """Returns a sum of four or five numbers that the scripted solver answers right about half of the time."""
    return max((sum_of(stream, 4 + stream.below(2)) for _ in range(_DRAWS)), key=likely)


def half_product(stream: RandomStream) -> str:
    """Returns a question about a long number that the scripted solver answers right about half of the time."""
    return max((_product(stream) for _ in range(_DRAWS)), key=likely)


def _product(stream: RandomStream) -> str:
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
