"""Answers to the questions that games without a task source ask: `games.verifiers.arithmetic.question`."""

from __future__ import annotations

import re

from games.randomness import RandomStream
from games.tasks.choices import exchangeable
from games.verifiers.arithmetic import question_and_answer, value

_COMPARED = 31
"""other questions whose answers are compared with the right one"""


def answer_to(asked: str) -> str:
    """The right answer to a question."""
    found = value(asked)
    assert found is not None
    return str(found)


def answers_beside(asked: str, n: int, stream: RandomStream) -> tuple[str, ...]:
    """Returns the right answer and `n` answers to questions of the same form, in random order, each as likely right.

    In half of the lists all have the same last digit, and in the others some are near each other: neither the last
    digit nor a rough estimate tells the right one in both.
    """
    truth, others = answer_to(asked), list[str]()
    end = truth[-1] if stream.below(2) else ""
    while len(others) < _COMPARED:
        other, answer = question_and_answer(stream)
        if str(answer).endswith(end) and _form(other) == _form(asked):
            others.append(str(answer))
    return exchangeable(truth, others, n, stream)


def _form(asked: str) -> str:
    """A question without its numbers."""
    return re.sub(r"\d+", "", asked)
