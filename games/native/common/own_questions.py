"""Answers to the questions that games without a task source ask: `games.verifiers.arithmetic.question`."""

from __future__ import annotations

import re

from games.randomness import RandomStream
from games.tasks.choices import exchangeable
from games.verifiers.arithmetic import question_and_answer, value

_COMPARED = 63
"""other questions whose answers are compared with the right one"""


def answer_to(asked: str) -> str:
    """The right answer to a question."""
    found = value(asked)
    assert found is not None
    return str(found)


def answers_beside(asked: str, n: int, stream: RandomStream) -> tuple[str, ...]:
    """The right answer and `n` answers to questions of the same form, in random order, each as likely to be right."""
    others: list[str] = []
    while len(others) < _COMPARED:
        other, answer = question_and_answer(stream)
        if _form(other) == _form(asked):
            others.append(str(answer))
    return exchangeable(answer_to(asked), others, n, stream)


def _form(asked: str) -> str:
    """A question without its numbers."""
    return re.sub(r"\d+", "", asked)
