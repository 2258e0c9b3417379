"""Whether the success of solvers repeats, so that a proposer is not paid for a question that is answered by guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

from games.verifiers import arithmetic

_LEAST = 3
"""of fewer answers, no success can repeat while somebody fails"""
REPEATED = (
    "Of three answers or more, the right one must be given twice, and more often than each wrong one; otherwise the "
    "question counts as answered by nobody."
)
"""what the rules say of it"""


def repeats(right: int, wrong: Iterable[Hashable], answers: int) -> bool:
    """Returns whether two answers are right, and more than agree on any one wrong result.

    If answers are guesses, wrong results repeat as the right one does. Of fewer than three answers nothing can be said.
    """
    return answers < _LEAST or right > max((1, *Counter(wrong).values()))


def result(answer: str) -> str:
    """Returns what an answer stands for: equal numbers are one result, and texts that differ in case and spaces."""
    number = arithmetic.number(answer)
    return " ".join(answer.casefold().split()) if number is None else str(number)
