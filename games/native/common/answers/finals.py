"""Reads a final answer of any form, such as a number or a formula."""

from __future__ import annotations

from games.native.common.answers.marked import marked
from games.native.common.answers.message import SHORT, Reading, clauses, foreign, joined, last_lines, own_text
from games.native.common.answers.patterns import (
    BULLET,
    CONDITION,
    DOUBT,
    EQUATION,
    LATEX_TEXT,
    LEADS,
    NUMBER,
    RESULT_IS,
    SENTENCE,
    SUBSTANCE,
    TRANSCRIPT,
    UNDECIDED,
)


def final(text: str) -> Reading:
    """The last explicit answer of any form, such as a number or a formula, without what surrounds it.

    Besides the marked answers, "The answer is X." counts at the end, and a last line that is a number.
    """
    own, problem = own_text(text)
    if own is None:
        return Reading(None, problem)
    mine = [m for m in marked(own, "final_answer") if not foreign(own, m)]
    last = mine[-1] if mine else None
    stated = _stated(own, last.end if last else 0)
    if stated:
        return _bare(stated, remark=True)
    if last is None:
        return Reading(None, "no answer is marked, such as \\boxed{...}")
    if last.content is None:
        return Reading(None, "the answer is cut off")
    remark = own[last.start].isalpha()  # it is a label; a tag or a box holds the answer and nothing else
    if len(mine) > 1 and joined(own, mine[-2], last) and _bare(mine[-2].content or "") != _bare(last.content):
        return Reading(None, "two answers are given")
    if DOUBT.search(own, last.end):
        return Reading(None, "doubts follow the answer")
    return _bare(last.content, remark)


def _stated(text: str, after: int) -> str:
    """The answer in a closing "The answer is X.", or a last line that is a number; "" without one."""
    for start, line in last_lines(text):
        if start < after or TRANSCRIPT.match(line) or line.lstrip().startswith(">"):
            return ""
        sentence = SENTENCE.split(BULLET.sub("", line.strip(" *_#`\r"), count=1))[-1]
        for clause in clauses(sentence):
            content = LEADS.sub("", clause, count=1)
            stated = RESULT_IS.sub("", content, count=1)
            if stated and (stated != content or NUMBER.fullmatch(_inner(clause))):
                return stated
        if (equal := EQUATION.search(sentence)) and not CONDITION.search(sentence):
            return equal[1]
        if SUBSTANCE.search(line) or len(line.split()) > SHORT:
            return ""
    return ""


def _inner(content: str) -> str:
    r"""A text without one layer of markup: **11**, $11$, \(11\), __11__."""
    inner = content.strip(' \t\r\n*`$"“”|')
    for opening, closing in (("\\(", "\\)"), ("\\[", "\\]"), ("__", "__")):
        if inner.startswith(opening) and inner.endswith(closing) and len(inner) > 4:
            inner = inner[2:-2]
    return inner


def _bare(content: str, remark: bool = False) -> Reading:
    """The content of a mark without what surrounds it; with `remark` also a number without a remark after it."""
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
    number = NUMBER.fullmatch(content) if remark else None
    content = number[1] if number else content
    if remark and UNDECIDED.match(content):
        return Reading(None, "the answer is negated or hedged")
    return Reading(content) if content else Reading(None, "the answer is empty")
