"""The majority among answers, without a known answer: which answers are equal, and which is the most frequent.

Numbers are compared as fractions; everything else is compared by the mathematics verifier, in a sandbox. An answer that
is not mathematics equals no other answer, so that two apologies are not a majority.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from games.game import Seat
from games.verifiers import arithmetic

_WORDS = re.compile(r"[A-Za-z' ]{2,}")
"""words, which could be read as a product of letters"""
PATIENCE = 3
"""the number of timeouts of the verifier in one vote; after them expressions are compared as texts"""


def clusters(answers: Mapping[Seat, str | None]) -> dict[Seat, int | None]:
    """The cluster of each answer, numbered in the order of first members; None for an unreadable answer.

    An answer that cannot be evaluated in time is unreadable too. Each answer is first evaluated alone, so that a slow
    one does not affect the others.
    """
    vote = _Vote()
    readable = list(dict.fromkeys(a for a in answers.values() if a is not None and _readable(a)))
    if len(readable) > 1:
        readable = [answer for answer in readable if vote.settles(answer)]
    found: list[str] = []
    out: dict[Seat, int | None] = {}
    for seat, answer in answers.items():
        if answer is None or answer not in readable:
            out[seat] = None
            continue
        at = next((i for i, known in enumerate(found) if vote.same(known, answer)), len(found))
        if at == len(found):
            found.append(answer)
        out[seat] = at
    return out


def majority(labels: Sequence[int | None]) -> tuple[int | None, float]:
    """The largest cluster (of equals the first) and the share of all voters in it; (None, 0) without a vote."""
    votes = [label for label in labels if label is not None]
    if not votes:
        return None, 0.0
    best = min(set(votes), key=lambda label: (-votes.count(label), label))
    return best, votes.count(best) / len(labels)


def same(one: str, other: str) -> bool:
    """Whether two answers are equal; the verifier is asked in both directions."""
    return _Vote().same(one, other)


class _Vote:
    """Compares the answers of one vote, and stops asking the verifier after too many timeouts."""

    def __init__(self) -> None:
        self._patience = PATIENCE

    def settles(self, answer: str) -> bool:
        """Whether an answer can be evaluated in time; True without a try after too many timeouts."""
        if not self._patience or arithmetic.number(answer) is not None:
            return True
        from games.verifiers import maths

        if maths.settles(answer):
            return True
        self._patience -= 1
        return False

    def same(self, one: str, other: str) -> bool:
        a, b = arithmetic.number(one), arithmetic.number(other)
        if a is not None and b is not None:
            return a == b
        return one.strip() == other.strip() or self._equal(one, other) or self._equal(other, one)

    def _equal(self, gold: str, given: str) -> bool:
        if not self._patience:
            return False
        from games.verifiers import maths

        try:
            verdict = maths.equal(gold, given)
        except maths.UnreadReference:
            return False
        self._patience -= verdict.kind == "timeout"
        return verdict.ok


def _readable(answer: str) -> bool:
    if arithmetic.number(answer) is not None:
        return True
    if _WORDS.fullmatch(answer):
        return False
    from games.verifiers import maths

    return maths.readable(answer)[0] is not None
