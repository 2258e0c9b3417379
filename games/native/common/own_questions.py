"""Answers to the questions that games without a task source ask: `games.verifiers.arithmetic.question`."""

from __future__ import annotations

from games.randomness import RandomStream
from games.tasks.choices import exchangeable
from games.verifiers.arithmetic import question_and_answer, value

_COMPARED, _ALIKE = (127, 1), (31, 90)
"""other questions whose answers are compared with the right one, and the modulus by which all of them are equal"""


def answer_to(asked: str) -> str:
    """The right answer to a question."""
    found = value(asked)
    assert found is not None
    return str(found)


def answers_beside(asked: str, n: int, stream: RandomStream) -> tuple[str, ...]:
    """Returns the right answer and `n` answers to questions of the same form, in random order, each as likely right.

    In half of the lists the last digit of all is equal, and the rest by 9, the sum of digits. In the others the numbers
    are near each other. So neither of the two nor a rough estimate tells the right one in both.
    """
    truth = answer_to(asked)
    compared, modulus = stream.choice((_COMPARED, _ALIKE))
    rest = int(truth) % modulus
    others = (question_and_answer(stream, asked, rest, modulus)[1] for _ in range(compared))
    return exchangeable(truth, map(str, others), n, stream)
