"""Reads a final answer of any form, such as a number or a formula."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from games.boxes import Sequel, operated, sequel
from games.dialogue.answers.evidence import COMPARED, EvidenceKind, outranked, strongest
from games.dialogue.answers.figures import equal, number, reformed, restated, result
from games.dialogue.answers.marked import MarkedAnswer, marked
from games.dialogue.answers.message import (
    Reading,
    clauses,
    following,
    foreign,
    last_lines,
    own_text,
    polite,
)
from games.dialogue.answers.patterns import (
    ASKED,
    BULLET,
    CONDITION,
    DISMISSED,
    LATEX_TEXT,
    LEADS,
    NEGATED,
    NUMBER,
    RESULT_IS,
    SENTENCE,
    STATED,
    TRANSCRIPT,
    UNDECIDED,
)
from games.dialogue.answers.plain import unadorned

_WRAPPED = re.compile(r"(?:\$(?P<a>[^$]{1,200})\$|\\\((?P<b>.{1,200}?)\\\)|\*\*(?P<c>[^*]{1,200})\*\*)(?=[\s.,;!])")
"""an answer in markup before a remark"""
_PROSE = re.compile(
    r"([-+−]?\$?\d(?:[\d,]*\d)?(?:\.\d+)?)(?=\s+(?:[A-Z]?[a-z']+\b[,:!]|[A-Za-z']{2,}\s+\S+\s+\S|[A-Z][a-z]+\s.*\d|I\s+[a-z]|\d|[$\\([*]))"
    r"(?!\s+(?:and|or|if|in|to|for|mod|times|plus|minus|over|pi|sin|cos|tan|log|ln|exp|sqrt|when|where|unless)\b)"
    r"(?!\s*\\(?:[A-Za-z]|[,;!])|\s+\S+\s+per\s|\s*\*(?!\*)|\s+\d+/\d+\s*$)"
    r"(?!\s+[a-z]+,?\s+(?:and\s+)?\d+\s+[a-z]+\W*$)"
)
"""a number before a remark, which is more than the name of a unit"""
_SUBJECT = re.compile(
    r"(?:it|this|that|(?:the|our)\s+(?:total|sum|difference|product|quotient|number|value)(?:\s+of\s+[a-z]+)?)\s+is\s+"
    r"(?:therefore\s+|thus\s+|then\s+)?(?=[\d*$\\-])",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"(?:The|Our|Its|This)\s(?:(?!\b(?:not|or|if|unless|than|least|most|that|which)\b)[^.!?=\n]){1,120}"
    r"\s(?:is|are|equals)\s+(?=[-$\\*\d]\S{0,60}\s*$)"
)
"""what a sentence after a label says before its value: "The largest n is 34." """
_SHORT_SENTENCE = 5
_MOST_STATED = 64
_SENTENCE_END = re.compile(r"(?<=[.!])\s+(?=[A-Z][a-z]+|I\s)")
_NAME = re.compile(r"(?P<name>\\?[A-Za-z]{1,9}(?:_(?:\w|\{\w{1,9}\}))?)\s{0,4}=[\s$]{0,4}$")
"""the name of an answer before its box"""
_CHOICE = re.compile(r"\b(?:between|(?:one|any|some) of|either|neither|whether)\b[^.!?\n]{0,60}$", re.IGNORECASE)
"""what makes joined answers alternatives"""
_CLOSED = re.compile(r"\d|[$)}*\]][.!]$|\w{3}[.!]$")
"""an answer whose sentence ends, and no abbreviation"""
_LABELS = "final_answer|result|solution|value"


class _Piece(NamedTuple):
    """A piece of evidence for a final answer."""

    evidence: EvidenceKind
    reading: Reading
    start: int
    end: int
    rest: str = ""
    """what follows the answer in its line"""
    special: bool = False
    """its label names a value (`Result:`), not the answer"""


@lru_cache(128)  # a game that is copied or observed again reads the same messages
def final(text: str) -> Reading:
    """The last explicit answer of any form, such as a number or a formula, without what surrounds it.

    Besides the marked answers, "The answer is X." counts as a label, and a first or last line that is a number.
    """
    own, problem = own_text(text)
    if own is None:
        return Reading(None, problem)
    marks = [m for m in marked(own, _LABELS) if _counts(m) and not foreign(own, m)]
    pieces = [*(_of_mark(own, mark) for mark in marks), *_stated(own), *_bare(own)]
    chosen = strongest(pieces)
    if chosen is None:
        return Reading(None, "no answer is marked, such as \\boxed{...}")
    if chosen.reading.value is None:
        return chosen.reading
    chosen, problem = _united(own, chosen, [p for p in pieces if p.evidence == chosen.evidence])
    if problem:
        return Reading(None, problem)
    if ASKED.match(own, chosen.end):
        return Reading(None, "the answer is a question")
    problem = _replaced(own, chosen, pieces)
    return Reading(None, problem) if problem else chosen.reading


def _counts(mark: MarkedAnswer) -> bool:
    """Whether a mark is for a final answer: `Solution:` before sentences is a heading."""
    return not mark.special or mark.evidence != EvidenceKind.LABEL or number(_bare_text(mark.content or "")) is not None


def _of_mark(text: str, mark: MarkedAnswer) -> _Piece:
    if mark.content is None:
        return _Piece(mark.evidence, Reading(None, "the answer is cut off"), mark.start, mark.end)
    if mark.evidence == EvidenceKind.BOX and operated(text, mark.start, mark.end):
        return _Piece(mark.evidence, Reading(None, "the box is a part of a formula"), mark.start, mark.end)
    reading, rest = _answer(mark.content, remark=mark.evidence == EvidenceKind.LABEL)
    return _Piece(mark.evidence, reading, mark.start, mark.end, rest, mark.special)


def _united(text: str, chosen: _Piece, equals: list[_Piece]) -> tuple[_Piece, str]:
    """The answer with its other parts, and the problem if an equally strong one before it is another answer."""
    parts, first = [(_name(text, chosen), chosen.reading.value or "")], chosen.start
    for piece in sorted(equals, key=lambda p: p.end, reverse=True)[:COMPARED]:
        if piece.end > first or piece.reading.value is None:
            continue
        between = text[piece.end : first]
        what = sequel(_NAME.sub("", between) if chosen.evidence == EvidenceKind.BOX else between)
        if what == Sequel.PART and chosen.evidence == EvidenceKind.BOX:
            first = piece.start
            parts.insert(0, (_name(text, piece), piece.reading.value))
        elif what == Sequel.CORRECTION:
            break
        elif any(_agree(piece.reading.value, value) for _, value in parts):
            continue
        elif what != Sequel.UNCLEAR or not _weaker(text, piece, chosen):
            return chosen, "two answers are given"
    distinct = [part for i, part in enumerate(parts) if not any(_agree(part[1], other[1]) for other in parts[:i])]
    if len(distinct) < 2:
        return chosen, ""
    if len(parts) == COMPARED or _CHOICE.search(text, max(0, first - 80), first):
        return chosen, "two answers are given"
    names = {name for name, _ in parts}
    if names & {""} and any(name for name, _ in parts[1:]):
        return chosen, "two answers are given, and one of them has no name"
    whole = ", ".join(f"{name} = {value}" if "" not in names else value for name, value in parts)
    return chosen._replace(reading=Reading(whole)), ""


def _name(text: str, piece: _Piece) -> str:
    r"""The name that an answer has in its equation: y in y = \boxed{2}; "" without one."""
    match = _NAME.search(text, max(0, piece.start - 40), piece.start)
    return match["name"] if match else ""


def _weaker(text: str, piece: _Piece, later: _Piece) -> bool:
    """Whether a label is weaker than a later one, as `Result:` is than `Answer:`."""
    if piece.evidence != EvidenceKind.LABEL:
        return False
    return outranked(text, piece.start, later.start) or (piece.special and not later.special)


def _replaced(text: str, chosen: _Piece, pieces: list[_Piece]) -> str:
    """Why what follows the answer may replace it, "" if it does not."""
    value, after = chosen.reading.value or "", f"{chosen.rest}\n{following(text, chosen.start, chosen.end)}"
    for piece in pieces:
        if piece.end > chosen.end and piece.evidence > EvidenceKind.EQUATION and not _agree(piece.reading.value, value):
            return "a different answer follows"
    if NEGATED.search(after) or DISMISSED.match(after):
        return "the answer is denied afterwards"
    exact = number(value)
    if exact is None:
        return reformed(after, value) if re.search(r"\d", value) else _renamed(after, value)
    if chosen.evidence == EvidenceKind.BARE:
        for piece in pieces:
            if piece.evidence == EvidenceKind.EQUATION and not _agree(piece.reading.value, value):
                return "an equation with another result follows"
    return restated(after, exact)


def _renamed(after: str, name: str) -> str:
    """Why the text after a name such as Paris may replace it: a short sentence with another name."""
    for sentence in SENTENCE.split(" ".join(after.split())) if name.isalpha() else ():
        words = re.findall(r"[^\W\d_]+", sentence)
        others = [word for word in words[1:] if word[0].isupper() and word != "I"]
        if len(words) <= _SHORT_SENTENCE and others and name.casefold() not in map(str.casefold, words):
            return "another name follows"
    return ""


def _agree(one: str | None, other: str) -> bool:
    if one is None or one == other:
        return one is not None
    return equal(one, other)


def _stated(text: str) -> Iterator[_Piece]:
    """The last sentences "The answer is X."; each is read with its whole line, so many in one take quadratic time."""
    for statement in deque(STATED.finditer(text), maxlen=_MOST_STATED):
        line_start = text.rfind("\n", 0, statement.start()) + 1
        line_end = text.find("\n", statement.end())
        line_end = len(text) if line_end < 0 else line_end
        content = SENTENCE.split(text[statement.end() : line_end].strip(), maxsplit=1)[0]
        before = SENTENCE.split(text[line_start : statement.start()])[-1]
        mark = MarkedAnswer(content, statement.start(), statement.end(), False, EvidenceKind.LABEL)
        if not content or CONDITION.search(before) or foreign(text, mark):
            continue
        reading, rest = _answer(content, remark=True)
        end = text.index(content, statement.end()) + len(content)
        yield _Piece(EvidenceKind.LABEL, reading, statement.start(), end, rest)


def _bare(text: str) -> Iterator[_Piece]:
    """A last line that is a number, an equation in it, and a first line that is a number."""
    for start, line in last_lines(text):
        if TRANSCRIPT.match(line) or line.lstrip().startswith(">"):
            break
        sentence = SENTENCE.split(BULLET.sub("", line.strip(" *_#`\r"), count=1))[-1]
        contents = [_SUBJECT.sub("", LEADS.sub("", clause, count=1), count=1) for clause in clauses(sentence)]
        bare = next((c for c in contents if NUMBER.fullmatch(_inner(c))), None)
        if bare is not None:
            yield _Piece(EvidenceKind.BARE, *_pair(_answer(bare, remark=True), start, start + len(line)))
            return
        equal = next(filter(None, (result(content, named=True) for content in contents)), None)
        if equal and not CONDITION.search(sentence):
            yield _Piece(EvidenceKind.EQUATION, Reading(equal), start, start + len(line))
            break
        if not polite(line.strip(" *_")):
            break
    first = re.match(r"\s*([^\n]+)", text)
    if first and NUMBER.fullmatch(_inner(first[1])) and not TRANSCRIPT.match(first[1]):
        yield _Piece(EvidenceKind.BARE, *_pair(_answer(first[1], remark=True), first.start(1), first.end()))


def _pair(answer: tuple[Reading, str], start: int, end: int) -> tuple[Reading, int, int, str]:
    return answer[0], start, end, answer[1]


def _inner(content: str) -> str:
    r"""A text without one layer of markup: **11**, $11$, \(11\), __11__."""
    inner = unadorned(content).strip(' \t\r\n*`$"“”|。')
    for opening, closing in (("\\(", "\\)"), ("\\[", "\\]"), ("__", "__")):
        if inner.startswith(opening) and inner.endswith(closing) and len(inner) > 4:
            inner = inner[2:-2]
    return inner


def _bare_text(content: str) -> str:
    """The answer in the content of a label."""
    return _answer(content, remark=True)[0].value or ""


def _answer(content: str, remark: bool) -> tuple[Reading, str]:
    """The content of a mark without what surrounds it; with `remark` a number without a remark, and the remark."""
    content, rest = content.strip(), ""
    if remark:
        content = RESULT_IS.sub("", content, count=1)
    if remark and content.count("**") % 2:  # the label itself is in bold, so the bold ends after the answer
        content, _, rest = content.partition("**") if not content.startswith("**") else (content[2:], "", "")
    if remark and (end := _SENTENCE_END.search(content)) and _CLOSED.search(content, 0, end.start()):
        content, rest = content[: end.start()], f"{content[end.end() :]}\n{rest}"
    if remark:
        content = _PREDICATE.sub("", content, count=1)
    if remark and (wrapped := _WRAPPED.match(content)):
        content, rest = wrapped["a"] or wrapped["b"] or wrapped["c"], content[wrapped.end() :] + rest
    for _ in range(4):
        inner = _inner(content).removesuffix(".")
        inner = RESULT_IS.sub("", inner, count=1)
        inner = text[1] if (text := LATEX_TEXT.fullmatch(inner)) else inner
        box = marked(inner, "final_answer")
        if box and box[-1].content is not None and box[-1].end == len(inner) and inner.startswith(("\\", "<")):
            inner, remark = box[-1].content, False
        if inner == content:
            break
        content = inner
    content = content.strip()
    if remark and (found := NUMBER.fullmatch(content)):
        content, rest = found[1], content[found.end(1) :] + rest
    elif remark and (equal := result(content)):
        content = equal
    elif remark and (found := _PROSE.match(content)):
        content, rest = found[1], content[found.end(1) :] + rest
    if remark and UNDECIDED.match(content):
        return Reading(None, "the answer is negated or hedged"), ""
    return (Reading(content), rest) if content else (Reading(None, "the answer is empty"), "")
