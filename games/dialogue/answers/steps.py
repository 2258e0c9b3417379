"""Reads a step of arithmetic, such as 8 * 5 = 45, from a message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from games.dialogue.answers.evidence import EvidenceKind, strongest
from games.dialogue.answers.figures import arithmetic, joined_words
from games.dialogue.answers.marked import marked
from games.dialogue.answers.message import Reading, clauses, foreign, own_text
from games.dialogue.answers.patterns import SENTENCE, TRANSCRIPT

_EQUATION = re.compile(r"(?<![\w.=])[-+(]{0,4}\d[-+*/()\d. ]{0,80}=[-\d. /]{0,29}\d(?![\w=]| ?[-+*/] ?\d)", re.ASCII)
_LABEL = re.compile(
    r"[\W_]{0,9}(?:(?:the|my|a|new|wrong|next|final|sneaky|modified|altered)\s+){0,4}(?:step|next)(?:\s+is)?\s*[0-9]{0,2}"
    r"\s*[*_]{0,3}:",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"\b(?:correct|original|true)\s+(?:next\s+)?step\b", re.IGNORECASE)
"""names the step that the seat was given"""


class _Piece(NamedTuple):
    evidence: EvidenceKind
    equations: list[str]
    end: int


def equation(text: str) -> Reading:
    """Returns the step of a message in plain signs: the marked one, else that of the last line with an equation.

    The maths is parsed first, then the equation is looked for: LaTeX, "8 x 5 = 45" and "8 times 5 is 45" are read. A
    line that states several different equations is refused, unless a conclusion such as ", so ..." has only one.
    """
    own, problem = own_text(text)
    if own is None:
        return Reading(None, problem)
    chosen = strongest(_pieces(own))
    if chosen is None:
        return Reading(None, "no step was found, such as 3 + 4 = 8")
    if len(set(chosen.equations)) > 1:
        return Reading(None, "several steps are given")
    return Reading(chosen.equations[0])


def _pieces(text: str) -> Iterator[_Piece]:
    for mark in marked(text, "step"):
        if mark.evidence > EvidenceKind.LABEL or not mark.special:
            equations = [] if mark.content is None or foreign(text, mark) else _equations(mark.content)
            if equations:
                yield _Piece(mark.evidence, equations, mark.end)
    end = 0
    for line in text.split("\n"):
        end += len(line) + 1
        if not TRANSCRIPT.match(line) and not line.lstrip().startswith(">") and (equations := _equations(line)):
            yield _Piece(_kind(line), equations, end)


def _kind(line: str) -> EvidenceKind:
    """A label is evidence as such; a line about the step that was given is the weakest."""
    return (
        EvidenceKind.LABEL
        if _LABEL.match(line)
        else EvidenceKind.EQUATION
        if _GIVEN.search(line)
        else EvidenceKind.BARE
    )


def _equations(content: str) -> list[str]:
    """The equations of a line; only those of its last sentence, or of that sentence's conclusion, if these have one."""
    for part in (clauses(SENTENCE.split(content.strip())[-1])[-1], SENTENCE.split(content.strip())[-1], content):
        line = re.sub(r"(?<=\d),(?=\d{3})", "", joined_words(arithmetic(part)))
        if equations := [" ".join(match[0].split()) for match in _EQUATION.finditer(line)]:
            return equations
    return []
