"""Scripted solvers and questions for the games on arithmetic: psj, math-duel, forum, debate.

A solver of limited skill is needed to compare proposers: its chance to be right falls with the length of the question.
"""

from __future__ import annotations

import re
from fractions import Fraction

from games.randomness import RandomStream
from games.shortcuts import ScriptedTurn
from games.verifiers import arithmetic

_ASKED = re.compile(r'The question: "(.*)"')
_TERMS = 6
"""a question of this many numbers is too hard for the scripted solver"""


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


def skill(question: str) -> float:
    """The chance that a competent solver is right: 1 for two numbers, falling to 0 for six."""
    terms = len(re.findall(r"\d+", question))
    longest = max(map(len, re.findall(r"\d+", question)), default=0)
    return 0.0 if longest > 4 else min(1.0, max(0.0, (_TERMS - terms) / (_TERMS - 2)))


def solved(turn: ScriptedTurn, question: str = "") -> str:
    """A competent answer: the value, or a wrong one, by `skill`."""
    question = question or asked(turn)
    value = arithmetic.value(question)
    if value is None:
        return "I do not know"
    return plain(value if turn.stream.random() < skill(question) else value + 1 + turn.stream.below(9))


def guessed(turn: ScriptedTurn) -> str:
    """An honest answer without skill: a random number."""
    return str(turn.stream.below(200))


def plain(value: Fraction) -> str:
    """A value as a player writes it."""
    return str(value)
