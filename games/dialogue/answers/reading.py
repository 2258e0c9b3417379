"""Decides which of the answers in a message is the seat's own and last one, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from games.boxes import Sequel, sequel
from games.dialogue.answers.evidence import COMPARED, EvidenceKind, outranked, strongest
from games.dialogue.answers.figures import unfigured
from games.dialogue.answers.kinds import AnswerKind
from games.dialogue.answers.marked import MarkedAnswer, marked
from games.dialogue.answers.message import (
    Reading,
    blockquoted,
    clauses,
    exemplified,
    following,
    foreign,
    last_lines,
    own_text,
    polite,
    unlisted,
)
from games.dialogue.answers.patterns import (
    ANSWER_IS,
    ASKED,
    CONDITION,
    DONE,
    ENDED,
    HEDGE,
    LEADS,
    OR,
    SENTENCE,
    STATED,
    TRANSCRIPT,
)
from games.dialogue.answers.plain import STRUCK, plain
from games.dialogue.answers.rivals import expanded, rival

_NESTED = 400
"""the length of a mark within a mark, at most"""
_NEIGHBOURS = 50
"""the number of other lines that are compared with a line that may be an entry of a list"""


class _Piece(NamedTuple):
    """A piece of evidence for an answer of a kind."""

    evidence: EvidenceKind
    value: str | None
    start: int
    end: int
    """where the value ends in the message, or a place before a `rest` that is not part of it"""
    rest: str = ""
    """what a mark or a line says after its value"""
    reason: str = ""
    special: bool = False


def read(text: str, kind: AnswerKind) -> Reading:
    """The last explicit answer of a kind in a message."""
    own, problem = own_text(text)
    if own is None:
        return Reading(None, problem)
    own = STRUCK.sub(" ", own)
    every = marked(own, kind.labels)
    marks = [m for m in every if m.content is None or _concerns(kind, m.content)]
    mine = [m for m in marks if not foreign(own, m)]
    pieces = [*_flags(own, kind), *(_of_mark(own, kind, m) for m in mine), *_bare(own, kind)]
    chosen = strongest(piece for piece in pieces if not _idle(piece))
    if chosen is None:
        return Reading(None, _missing(kind, own, marks, pieces))
    if any(m.start > chosen.end and blockquoted(own, m) for m in marks):
        return Reading(None, f"it is unclear whether the last {kind.name} is quoted")
    if chosen.value is None:
        return Reading(None, chosen.reason)
    if any(
        m.start > chosen.start and _label(own, m.start) == _label(own, chosen.start) for m in every if m not in marks
    ):
        return Reading(None, f"the last {kind.name} is missing")
    if _beside(own, kind, mine, chosen):
        return Reading(None, f"the {kind.name} is hedged")
    if problem := _hedged(own, kind, mine, chosen) or _clash(kind, pieces, chosen):
        return Reading(None, problem)
    if ASKED.match(own, chosen.end):
        return Reading(None, f"the {kind.name} is a question")
    problem = rival(kind, f"{chosen.rest}\n{following(own, chosen.start, chosen.end)}", chosen.value)
    return Reading(None, problem) if problem else Reading(chosen.value)


def _label(text: str, start: int) -> str:
    """The name of the label at a place of a text."""
    return text[start : start + 20].partition(":")[0].strip(" *_").lower()


def _idle(piece: _Piece) -> bool:
    """Whether a piece says nothing: a heading such as `Evaluation:` before sentences, but not `Verdict: not clear`."""
    return piece.value is None and piece.evidence == EvidenceKind.LABEL and piece.reason.startswith("no ")


def _of_mark(text: str, kind: AnswerKind, mark: MarkedAnswer) -> _Piece:
    if mark.content is None:
        return _Piece(mark.evidence, None, mark.start, mark.end, reason=f"the {kind.name} is cut off")
    value, rest, problem = _value(kind, mark.content)
    return _Piece(mark.evidence, value, mark.start, mark.end, rest, problem, mark.special)


def _flags(text: str, kind: AnswerKind) -> Iterator[_Piece]:
    """The truth values of JSON objects, such as {"is_correct": false}."""
    for field in _FLAG.finditer(text) if kind.flags else ():
        if values := kind.flags.get(field["name"].lower()):
            value = values[field["value"].lower() != "true"]
            yield _Piece(EvidenceKind.TAG, value, field.start("quote"), field.end(), special=True)


_FLAG = re.compile(
    r"""[{,]\s{0,40}(?P<quote>["'])(?P<name>\w{1,20})(?P=quote)\s{0,9}:\s{0,9}(?P<value>true|false)(?=\s{0,40}[,}])""",
    re.IGNORECASE,
)


def _bare(text: str, kind: AnswerKind) -> list[_Piece]:
    """The answer of the last bare line, without it that of the first."""
    piece = _closing(text, kind) or _opening(text, kind)
    return [piece] if piece else []


def _concerns(kind: AnswerKind, content: str) -> bool:
    """Whether the content of a mark is about this kind of answer at all; a boxed 13 is no verdict."""
    return len(content) <= 2000 and kind.value.search(plain(content)) is not None


def _missing(kind: AnswerKind, text: str, marks: list[MarkedAnswer], pieces: list[_Piece]) -> str:
    if not text.strip():
        return "the message is empty"
    if pieces:
        return pieces[-1].reason
    if marks:
        return f"the {kind.name} is quoted or somebody else's"
    return f"no {kind.name} at the end"


def _value(kind: AnswerKind, content: str, bare: bool = False) -> tuple[str | None, str, str]:
    """The value that a text names, the rest of the text, and the problem if it names none.

    `bare`: the text is a line without a mark, in which a letter with a text, "B) 43", may be a remark.
    """
    line = expanded(unlisted(content) if bare else plain(_unwrapped(kind, content)))
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
    inner = marked(content, kind.labels) if len(content) <= _NESTED else []
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


def _closing(text: str, kind: AnswerKind) -> _Piece | None:
    """The answer of the last sentence or of the whole last line, if it says nothing else.

    A short line after it, such as "Let me know if you need more.", is skipped.
    """
    for start, line in last_lines(text):
        if line.lstrip().startswith(">") or TRANSCRIPT.match(line) or exemplified(text, start):
            return None
        for part in (*clauses(SENTENCE.split(plain(line))[-1]), line):
            value, rest, _ = _value(kind, part, bare=True)
            if value is not None and not _listed(kind, text[:start], line, rest):
                return _Piece(EvidenceKind.BARE, value, start, start + len(line), rest)
        words = plain(line)
        if not polite(words) or any(map(kind.of, kind.value.finditer(unfigured(words)))):
            return None
    return None


def _opening(text: str, kind: AnswerKind) -> _Piece | None:
    """The answer that the first line consists of, or starts with."""
    first = re.match(r"\s*([^\n]+)", text)
    if first is None or TRANSCRIPT.match(first[1]) or first[1].startswith(">"):
        return None
    value, rest, _ = _value(kind, first[1], bare=True)
    if value is None or _listed(kind, text[first.end() :], first[1], rest):
        return None
    if kind.name != "verdict" and not ENDED.match(rest):
        return None
    return _Piece(EvidenceKind.BARE, value, first.start(1), first.end(1), rest)


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


def _hedged(text: str, kind: AnswerKind, marks: list[MarkedAnswer], chosen: _Piece) -> str:
    """The problem if an equally strong mark before the answer has another value, and nothing replaces it."""
    if chosen.evidence == EvidenceKind.BARE:
        equals = _stated(text, chosen.end)
    else:
        equals = [m for m in marks if m.evidence == chosen.evidence and m.end <= chosen.end]
    start = equals[-1].start if equals else 0
    for mark in reversed([m for m in equals if m.end <= start][-COMPARED:]):
        value, what = _value(kind, mark.content or "")[0], sequel(text[mark.end : start])
        if what == Sequel.CORRECTION:
            break
        weaker = chosen.evidence == EvidenceKind.LABEL and outranked(text, mark.start, start)
        if value != chosen.value and (what != Sequel.UNCLEAR or (value is not None and not weaker)):
            return f"the {kind.name} is hedged"
    return ""


def _beside(text: str, kind: AnswerKind, marks: list[MarkedAnswer], chosen: _Piece) -> bool:
    """Whether another label of the same line has another value: `Answer: A / Answer: B`."""
    for mark in marks:
        if mark.evidence == chosen.evidence == EvidenceKind.LABEL and mark.start < chosen.start < mark.end:
            head = plain(text[mark.start : chosen.start].partition(":")[2][:_NESTED])
            match = kind.value.match(head)
            value = kind.of(match) if match else None
            if match and value not in (None, chosen.value) and sequel(head[match.end() :]) != Sequel.CORRECTION:
                return True
    return False


def _stated(text: str, end: int) -> list[MarkedAnswer]:
    """The last sentences "The answer is X" up to a place, which a line without a mark consists of."""
    statements = list(STATED.finditer(text, 0, end))[-COMPARED:]
    before = (SENTENCE.split(text[max(0, m.start() - 200) : m.start()])[-1] for m in statements)
    marks = [
        MarkedAnswer(text[m.end() :][:40], m.start(), m.end(), False, EvidenceKind.BARE)
        for m, words in zip(statements, before, strict=True)
        if not CONDITION.search(words)
    ]
    return [mark for mark in marks if not foreign(text, mark)]


def _clash(kind: AnswerKind, pieces: list[_Piece], chosen: _Piece) -> str:
    """The problem if the kind's own mark says one thing and a general mark, such as a box, another."""
    special = [piece for piece in pieces if piece.special and piece.value is not None]
    if chosen.special or not special or special[-1].value == chosen.value:
        return ""
    return f"two different answers: it is unclear which one is the {kind.name}"
