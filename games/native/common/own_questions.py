"""Answers to the questions that games without a task source ask: `games.verifiers.arithmetic.question`."""

from __future__ import annotations

from collections.abc import Sequence

from games.randomness import RandomStream
from games.verifiers.arithmetic import value

STEPS = (
    *(10, 10, 10, 110, 700, 900, 10_000, 10_000, 90_090, 630_000),
    *(900_900, 900_900, 1_000_010, 1_300_000, 1_300_000, 2_000_000),
)
"""how far wrong answers lie from the right one, each as likely if it changes neither sign nor length

An integer program chose them for questions of six digits. The last digit tells none of them, any other digit less than
half, any three beside each other and the first three at most .65, the rests by 3, 7, 9, 11 and 13 at most .75, which is
near the least for all of them together: what changes few digits passes few rests.
"""


def answer_to(asked: str) -> str:
    """The right answer to a question."""
    found = value(asked)
    assert found is not None
    return str(found)


def answers_beside(asked: str, n: int, stream: RandomStream) -> tuple[str, ...]:
    """Returns the right answer and `n` wrong ones, in random order, each as likely right.

    All lie at equal distances, one of `STEPS`, and the right one is at a random place among them, so that the numbers
    alone do not tell it. If a distance allows it, they have one sign and length.
    """
    truth, offsets = int(answer_to(asked)), range(n + 1)
    lists = [
        [str(truth + step * (i - at)) for i in offsets]
        for step in stream.shuffled(STEPS)
        for at in stream.shuffled(offsets)
    ]
    return tuple(stream.shuffled(next((one for one in lists if _alike(one)), lists[0])))


def _alike(answers: Sequence[str]) -> bool:
    """Returns whether whole numbers have one sign and length."""
    return len({(answer[0] == "-", len(answer)) for answer in answers}) == 1
