r"""Answers by vote: which of them say the same, and what most of them say. Nobody needs to know the right answer.

Numbers are compared as fractions here; everything else is compared by math-verify, in a process that may be killed. An
answer that cannot be read as mathematics is the same as no other, so that two apologies are no majority.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from games.dialogue import sums
from games.game import Seat

_WORDS = re.compile(r"[A-Za-z' ]{2,}")
"""words, which math-verify would take for a product of letters"""


def clusters(answers: Mapping[Seat, str | None]) -> dict[Seat, int | None]:
    """The cluster of each answer, numbered in the order of first members; None for one that cannot be read."""
    found: list[str] = []
    out: dict[Seat, int | None] = {}
    for seat, answer in answers.items():
        if answer is None or not _readable(answer):
            out[seat] = None
            continue
        at = next((i for i, known in enumerate(found) if same(known, answer)), len(found))
        if at == len(found):
            found.append(answer)
        out[seat] = at
    return out


def majority(labels: Sequence[int | None]) -> tuple[int | None, float]:
    """The largest cluster (the first of equals) and the share of all voters in it; (None, 0) without a vote."""
    votes = [label for label in labels if label is not None]
    if not votes:
        return None, 0.0
    best = min(set(votes), key=lambda label: (-votes.count(label), label))
    return best, votes.count(best) / len(labels)


def same(one: str, other: str) -> bool:
    """Whether two answers are equal, asked in both directions where it takes more than arithmetic."""
    a, b = sums.number(one), sums.number(other)
    if a is not None and b is not None:
        return a == b
    from games.verifiers import maths

    return maths.equal(one, other).ok or maths.equal(other, one).ok


def right(answer: str | None, truth: Fraction) -> bool:
    """Whether an answer is an exact value."""
    if answer is None or not _readable(answer):
        return False
    return same(answer, sums.written(truth))


def _readable(answer: str) -> bool:
    if sums.number(answer) is not None:
        return True
    if _WORDS.fullmatch(answer):
        return False
    from games.verifiers import maths

    return maths.readable(answer)[0] is not None
