"""Decides which of the answers in a message is the seat's own and last one, or why there is none."""

from __future__ import annotations

import re
from typing import NamedTuple

from games.native.common.answers.kinds import AnswerKind
from games.native.common.answers.marked import MarkedAnswer, marked
from games.native.common.answers.message import (
    SHORT,
    Reading,
    blockquoted,
    clauses,
    exemplified,
    foreign,
    joined,
    last_lines,
    own_text,
    unlisted,
)
from games.native.common.answers.patterns import (
    ANSWER_IS,
    ASKED,
    DONE,
    DOUBT,
    ENDED,
    HEDGE,
    LEADS,
    OR,
    SENTENCE,
    SUBSTANCE,
    TRANSCRIPT,
)
from games.native.common.answers.plain import plain

_NEIGHBOURS = 50
"""the number of other lines that are compared with a line that may be an entry of a list"""


class _Said(NamedTuple):
    value: str | None
    end: int
    """where the answer ends in the text, with a remark in the same line not part of it"""
    reason: str = ""


def read(text: str, kind: AnswerKind) -> Reading:
    """The last explicit answer of a kind in a message."""
    own, problem = own_text(text)
    if own is None:
        return Reading(None, problem)
    marks = [m for m in marked(own, kind.labels) if m.content is None or _concerns(kind, m.content)]
    mine = [m for m in marks if not foreign(own, m)]
    last = mine[-1] if mine else None
    if last and any(m.start > last.end and blockquoted(own, m) for m in marks):
        return Reading(None, f"it is unclear whether the last {kind.name} is quoted")
    closing = _closing(own, kind)
    if closing is not None and (last is None or closing.end > last.end):
        return _settled(own, kind, closing)
    if last is None:
        opening = _opening(own, kind)
        return _settled(own, kind, opening) if opening else Reading(None, _missing(kind, own, marks))
    if last.content is None:
        return Reading(None, f"the {kind.name} is cut off")
    if (problem := _hedged(own, kind, mine)) or (problem := _rival(kind, mine)):
        return Reading(None, problem)
    value, rest, problem = _value(kind, last.content)
    if value is None:
        return Reading(None, problem)
    return _settled(own, kind, _Said(value, last.end, ""), rest)


def _concerns(kind: AnswerKind, content: str) -> bool:
    """Whether the content of a mark is about this kind of answer at all; a boxed 13 is no verdict."""
    return len(content) <= 2000 and kind.value.search(plain(content)) is not None


def _missing(kind: AnswerKind, text: str, marks: list[MarkedAnswer]) -> str:
    if not text.strip():
        return "the message is empty"
    if marks:
        return f"the {kind.name} is quoted or somebody else's"
    return f"no {kind.name} at the end"


def _value(kind: AnswerKind, content: str, bare: bool = False) -> tuple[str | None, str, str]:
    """The value that a text names, the rest of the text, and the problem if it names none.

    `bare`: the text is a line without a mark, in which a letter with a text, "B) 43", may be a remark.
    """
    line = unlisted(content) if bare else plain(_unwrapped(kind, content))
    at = 0
    for lead in (LEADS, ANSWER_IS, kind.subject):
        found = lead.match(line, at)
        at = found.end() if found else at
    match = kind.value.match(line, at)
    if match is None:
        denied = re.match(r"(?:not|never|neither|isn't|no)\b", line[at:], re.IGNORECASE)
        return None, "", f"the {kind.name} is negated" if denied else f"no {kind.name} could be read"
    value, rest = kind.of(match), line[match.end() :]
    if bare and at == 0 and kind.name == "vote" and re.match(r"\s*:\s*\S", rest):
        return None, rest, "a player speaks"
    after = kind.after.match(rest)
    rest = rest[after.end() :] if after else rest
    if value is None:
        return None, rest, f"{match[0][:20]!r} is not one of the values"
    if HEDGE.match(rest) or _second(kind, rest, value):
        return None, rest, f"the {kind.name} is hedged"
    if not _ends(match, rest, loose=at > 0 or not bare):
        return None, rest, f"no {kind.name} could be read"
    return value, rest, ""


def _unwrapped(kind: AnswerKind, content: str) -> str:
    """The content of a mark that holds nothing but another mark, such as <answer><vote>player 2</vote></answer>."""
    content = content.strip()
    inner = marked(content, kind.labels) if content[:1] in ("<", "\\") else []
    whole = [m.content for m in inner if m.start == 0 and m.end == len(content) and m.content]
    return whole[-1] if whole else content


def _ends(match: re.Match[str], rest: str, loose: bool) -> bool:
    """Whether a value ends here: at the end of a sentence, or if `loose` before the text of an answer, as in (A) 42."""
    return DONE.match(rest) is not None or (loose and match[0].endswith(")"))


def _second(kind: AnswerKind, rest: str, value: str) -> bool:
    """Whether another value follows at once: A/B, 2-3, correct, incorrect."""
    sign = re.match(r"\s*(?:->|=>|[-–—/|,&(:;→⇒⟹])?\s*(?:or\s+)?", rest)
    other = kind.value.match(rest, sign.end() if sign else 0)
    if other is None or kind.of(other) in (None, value):
        other = OR.search(rest)
        other = kind.value.match(rest, other.end()) if other else None
    return other is not None and kind.of(other) not in (None, value)


def _settled(text: str, kind: AnswerKind, said: _Said, rest: str = "") -> Reading:
    """The answer, unless what follows takes it back or says something else."""
    if said.value is None:
        return Reading(None, said.reason)
    if ASKED.match(text, said.end):
        return Reading(None, f"the {kind.name} is a question")
    follows = f"{rest}\n" + "\n".join(map(plain, text[said.end :].split("\n")))
    if DOUBT.search(follows):
        return Reading(None, f"doubts follow the {kind.name}")
    for match in kind.statement.finditer(follows):
        other, denied = kind.of(match), bool(match.groupdict().get("no"))
        if other is not None and (other == said.value) == denied:
            return Reading(None, f"a different {kind.name} follows")
    return Reading(said.value)


def _closing(text: str, kind: AnswerKind) -> _Said | None:
    """The answer of the last sentence or of the whole last line, if it says nothing else.

    A short line after it, such as "Let me know if you need more.", is skipped.
    """
    for start, line in last_lines(text):
        if line.lstrip().startswith(">") or TRANSCRIPT.match(line) or exemplified(text, start):
            return None
        for part in (*clauses(SENTENCE.split(plain(line))[-1]), line):
            value, rest, _ = _value(kind, part, bare=True)
            if value is not None and not _listed(kind, text[:start], line, rest):
                end = start + len(line)
                clash = any(kind.of(m) not in (None, value) for m in kind.statement.finditer(rest))
                if clash or DOUBT.search(rest):
                    return _Said(None, end, f"a different {kind.name} or doubts follow")
                return _Said(value, end)
        if not _polite(kind, line):
            return None
    return None


def _polite(kind: AnswerKind, line: str) -> bool:
    """Whether a last line says nothing about the answer."""
    words = plain(line)
    return (
        len(words.split()) <= SHORT
        and not SUBSTANCE.search(words)
        and not any(map(kind.of, kind.value.finditer(words)))
    )


def _opening(text: str, kind: AnswerKind) -> _Said | None:
    """The answer that the first line consists of, or starts with."""
    first = re.match(r"\s*([^\n]+)", text)
    if first is None or TRANSCRIPT.match(first[1]) or first[1].startswith(">"):
        return None
    value, rest, _ = _value(kind, first[1], bare=True)
    if value is None or _listed(kind, text[first.end() :], first[1], rest):
        return None
    if kind.name != "verdict" and not ENDED.match(rest):
        return None
    return _Said(value, first.start(1) + len(first[1]) - len(rest))


def _listed(kind: AnswerKind, others: str, line: str, rest: str) -> bool:
    """Whether a line is an entry of a list, such as the possible answers A: 42 and B: 43, or 3. with a text."""
    entry = rest.strip(" .!") != ""
    if entry and re.match(r"\W*[0-9]{1,3}[.)]\s", line):
        return True
    if kind.value.match(own := unlisted(line)) is None:
        return False  # it starts with words such as "I vote for"
    value = _value(kind, own)[0]
    for other in map(unlisted, others.split("\n")[-_NEIGHBOURS:]):
        match = kind.value.match(other)
        if match and kind.of(match) not in (None, value):
            after = other[match.end() :]
            if _ends(match, after, loose=True) and (after.strip(" .!") != "") == entry:
                return True
    return False


def _hedged(text: str, kind: AnswerKind, marks: list[MarkedAnswer]) -> str:
    """The problem if the last two marks are alternatives, or give different values in one line."""
    if len(marks) < 2:
        return ""
    one, other = marks[-2:]
    if not joined(text, one, other):
        if "\n" in text[one.end : other.end].strip() or "\n" in text[one.start : other.start]:
            return ""
        values = [_value(kind, m.content or "")[0] for m in (one, other)]
        if None in values or values[0] == values[1]:
            return ""
    return f"the {kind.name} is hedged"


def _rival(kind: AnswerKind, marks: list[MarkedAnswer]) -> str:
    """The problem if the kind's own mark says one thing and a later general mark another."""
    own = [m for m in marks if m.special and m.content is not None]
    if marks[-1].special or not own:
        return ""
    one, other = (_value(kind, m.content or "")[0] for m in (own[-1], marks[-1]))
    return f"two different answers: it is unclear which one is the {kind.name}" if one and one != other else ""
