"""Answers to the questions that games without a task source ask: `games.verifiers.arithmetic.question`."""

from __future__ import annotations

from games.randomness import RandomStream
from games.verifiers.arithmetic import value

STEPS = (10_010, 10_010, 6_300, 9_900, 11_700)
"""how far wrong answers lie from the right one: ten times 7 * 11 * 13, or a hundred times 9 and one of 7, 11 and 13

The rests by 7, 9, 11, 13 and 100 each tell two of the five, the last digit tells none. A step is small beside the error
of an estimate from two leading digits of each number, mostly thousands times a factor. So the answer takes more than
one such check, whichever it is.
"""


def answer_to(asked: str) -> str:
    """The right answer to a question."""
    found = value(asked)
    assert found is not None
    return str(found)


def answers_beside(asked: str, n: int, stream: RandomStream) -> tuple[str, ...]:
    """Returns the right answer and `n` wrong ones, in random order, each as likely right.

    All lie at equal distances, one of `STEPS`, and the right one is at a random place among them, so that the numbers
    alone do not tell it.
    """
    step = stream.choice(STEPS)
    lowest = int(answer_to(asked)) - step * stream.below(n + 1)
    return tuple(stream.shuffled([str(lowest + step * i) for i in range(n + 1)]))
