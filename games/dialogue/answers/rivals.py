"""Decides whether the text after an answer states another value: then the answer is refused, never replaced.

Any other value counts. What is excused is what cannot be a new answer by its grammar: a denied value, a value that
somebody else states, an adjective before a noun, an article. No word of doubt or apology decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from games.dialogue.answers.figures import around, restated
from games.dialogue.answers.kinds import NOBODY, AnswerKind
from games.dialogue.answers.patterns import DENIES, MINE, NEGATED, OTHERS, SENTENCE, TRANSCRIPT
from games.dialogue.answers.plain import plain

_NOT = re.compile(r"\b(is|was|does|did|has|are|would|should|could|do)n't\b", re.IGNORECASE)


def expanded(text: str) -> str:
    """Returns a text with "is not" for "isn't"."""
    return _NOT.sub(r"\1 not", text)


def rival(kind: AnswerKind, after: str, value: str) -> str:
    """Returns why the text after an answer takes it back or states another value, "" if it does neither."""
    lines = [line for line in map(plain, after.split("\n")) if line]
    if NEGATED.search("\n".join(lines)):
        return f"the {kind.name} is denied afterwards"
    text = [expanded(line) for line in statements(after)]
    for sentence in text:
        for match in kind.value.finditer(sentence):
            if kind.span and match[0][:1].isdecimal():
                continue  # a number without "player" may be part of a calculation
            other, (before, following) = kind.of(match), around(sentence, *match.span())
            if other is None or kind.beside(before, match[0], following) or attributed(before):
                continue
            if bool(DENIES.search(before)) == (other == value):
                return f"a different {kind.name} follows"
    if kind.span is None:
        return ""
    return _number(kind, kind.span, text, kind.span[0] - 1 if value == NOBODY else int(value))


def statements(after: str) -> Iterator[str]:
    """Yields the sentences without markup; quotations and transcripts are left out."""
    for line in after.split("\n"):
        if not line.lstrip().startswith(">") and not TRANSCRIPT.match(line):
            yield from SENTENCE.split(plain(line))


def attributed(before: str) -> bool:
    """Whether what stands before a value makes it somebody else's."""
    return OTHERS.search(before) is not None and MINE.search(before) is None


def denies(before: str) -> bool:
    """Whether what stands before a value denies it."""
    return (
        re.search(r"\b(?:not|cannot|never)\s+$", before, re.IGNORECASE) is not None or DENIES.search(before) is not None
    )


def _number(kind: AnswerKind, span: tuple[int, int], sentences: list[str], value: int) -> str:
    low, high = span
    rest = "\n".join(kind.value.sub(_without_player, sentence) for sentence in sentences)
    rest = re.sub(rf"\b([0-9]{{1,4}}) ?(?:/|out of|of) ?{high}\b", r"\1", rest)
    return restated(rest, Fraction(value), lambda n: n.denominator == 1 and low <= n <= high)


def _without_player(match: re.Match[str]) -> str:
    return match[0] if match[0][:1].isdecimal() else " "
