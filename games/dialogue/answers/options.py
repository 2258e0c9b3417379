r"""Chooses the marked answer of a message among options of any kind: legal actions, typed offers.

The rules are those of `read` and `final`: the strongest evidence counts, of equally strong pieces the last one. What
follows it may not state another option; then the answer is refused, unless the other one is marked as strongly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from games.boxes import Sequel, sequel
from games.dialogue.answers.evidence import EvidenceKind, strongest
from games.dialogue.answers.marked import MarkedAnswer, marked
from games.dialogue.answers.message import clauses, exemplified, following, foreign, polite
from games.dialogue.answers.patterns import (
    ASKED,
    BULLET,
    CONDITION,
    LEADS,
    NEGATED,
    SENTENCE,
    STATED,
    TRANSCRIPT,
    UNSURE,
)
from games.dialogue.answers.plain import STRUCK, plain, unadorned

_FENCE = re.compile(r"\s*`{3,}\w{0,20}\s*|\s*</\w{1,20}>\s*|[\s*_`#$>-]*")
_PRIMARY = re.compile(r"[\"'<\s]*(?:final[ _]|my[ ])?(?:answer|action|move)\b|\\", re.IGNORECASE)
"""the marks whose content is an answer even if it is no option"""
_GAP = re.compile(r"\s{9,}")
"""white space that a pattern tries from every place of it"""
_REMARK = re.compile(r"[.!。]\s+|[,;]\s+(?=[A-Za-z])|\s+[-–—]\s+(?=[A-Za-z*])|\s+(?=\()|\s+(?=(?:because|since|as)\b)")
"""what separates an option from a remark"""
_ENTRY = re.compile(r"\W*[0-9]{1,3}[.)]\s+\S")
_VERB = r"(?:choose|pick|select|play|take|go\s+(?:with|for)|move|choosing|picking|playing|going\s+(?:with|for)|answer"
_VERB += r"|(?:drop|place|put)(?:\s+(?:my|a|the)\s+[a-z]{1,12})?\s+(?:in|into|on|at))"
_SUBJECT = re.compile(
    rf"(?:i(?:['’](?:ll|d|m)|\s+(?:will|would|am|should|must))?\s+(?:(?:now|therefore|thus|simply|going\s+to)\s+){{0,2}}"
    rf"(?:{_VERB}\s+)?|let(?:['’]s|\s+me|\s+us)\s+{_VERB}\s+"
    r"|(?:my|the)\s+(?:(?:final|best|correct|right|optimal|next|strongest|safest|chosen|only|winning)\s+){0,2}"
    r"(?:action|move|answer|choice|decision|option|play|offer|bid|message|reply)\s+(?:here\s+|now\s+)?"
    r"(?:is|would\s+be|should\s+be|will\s+be)\s*(?:to\s+(?:play\s+|choose\s+)?)?:?\s*)"
    r"(?:(?:the\s+)?(?:move|action|option|cell|position|square|number|spot)\s+)?(?=\S)",
    re.IGNORECASE,
)
"""what a sentence may say before an option: "I play", "the best move is" """
_JOINT = re.compile(r"[\s,;./|]{0,9}(?:\b(?:or|and|then|else))?[\W_]{0,9}$")
"""what joins a label to the one before it in the same line"""
_NESTED = 400
_LAST_LINES = 3


class Options(Protocol):
    """What may be answered."""

    @property
    def labels(self) -> str:
        """The labels, tags and fields of this kind, beside answer, action and the like."""

    @property
    def words(self) -> int:
        """The number of words of the longest option."""

    def of(self, content: str) -> str | None:
        """Returns the option that a text is, None if it is none."""

    def rival(self, after: str, value: str) -> str:
        """Returns why the text after an option states another one, "" if it does not."""


class Choice(NamedTuple):
    """The answer of a message. `value` is None if it is no option, or with a `problem`."""

    value: str | None
    content: str = ""
    """the answer as it is written"""
    evidence: EvidenceKind | None = None
    problem: str = ""
    cut: bool = False


class _Match(NamedTuple):
    """An option, as it is written, and what its line says after it."""

    value: str
    content: str
    rest: str = ""


class _Piece(NamedTuple):
    evidence: EvidenceKind
    value: str | None
    start: int
    end: int
    content: str | None
    """None if the message ends before the answer does"""
    rest: str = ""


def choose(text: str, options: Options) -> Choice:
    """Returns the answer of a message without private reasoning. Takes time linear in the length of the text."""
    text = STRUCK.sub(" ", text)
    marks = [mark for mark in marked(text, options.labels) if not foreign(text, mark)]
    pieces = [*(_of_mark(text, options, mark) for mark in marks), *_stated(text, options)]
    ends = max((piece.end for piece in pieces if piece.value is not None), default=0)
    if not ends or re.search(r"\w", text[ends:]):
        pieces += _bare(text, options)
    every, pieces = pieces, [piece for piece in pieces if not _idle(text, options, piece)]
    chosen = strongest(pieces)
    if chosen is None:
        return Choice(None)
    if chosen.content is None:
        return Choice(None, cut=True)
    answer = Choice(chosen.value, chosen.content, chosen.evidence)
    if chosen.value is None:
        return answer
    problem = (
        _beside(text, options, every, chosen)
        or _alternative(text, pieces, chosen)
        or _replaced(text, options, chosen, pieces)
    )
    return answer._replace(value=None, problem=problem) if problem else answer


def _of_mark(text: str, options: Options, mark: MarkedAnswer) -> _Piece:
    if mark.content is None:
        return _Piece(mark.evidence, None, mark.start, mark.end, None)
    if match := _around(text, options, mark):
        return _Piece(mark.evidence, match.value, text.rfind("\n", 0, mark.start) + 1, mark.end, match.content)
    content = unwrapped(mark.content, options.labels)
    match = _whole(options, (*_contents(text, mark), content)) or _headed(options, content)
    if match is None:
        return _Piece(mark.evidence, None, mark.start, mark.end, content)
    return _Piece(mark.evidence, match.value, mark.start, mark.end, match.content, match.rest)


def _around(text: str, options: Options, mark: MarkedAnswer) -> _Match | None:
    """The option that a whole line is, although one of its words looks like a label: `player=1 move=Call`."""
    start, end = text.rfind("\n", 0, mark.start) + 1, text.find("\n", mark.start)
    if mark.evidence != EvidenceKind.LABEL or not text[start : mark.start].strip():
        return None
    return _whole(options, (text[start : end if end >= 0 else len(text)].strip(),))


def _whole(options: Options, contents: Iterable[str]) -> _Match | None:
    """The option that one of the texts is, also without emphasis and emoji around it."""
    for content in contents:
        for each in dict.fromkeys((content, unadorned(content).strip("*_`#$ "))):
            if (value := options.of(each)) is not None:
                return _Match(value, each)
    return None


def _contents(text: str, mark: MarkedAnswer) -> Iterator[str]:
    """The content of a label as it is written, with the signs that `marked` takes for markup."""
    if mark.evidence == EvidenceKind.LABEL:
        yield re.split(r"[:：]", text[mark.start : mark.end], maxsplit=1)[-1].strip()


def unwrapped(content: str, labels: str) -> str:
    """Returns the content of a mark that holds nothing but other marks, such as a box in a JSON string."""
    for _ in range(4):
        inner = content.strip().rstrip(".").strip("$ ")
        marks = marked(inner, labels) if len(inner) <= _NESTED and inner[:1] in ("\\", "<", "{") else []
        best = strongest(mark for mark in marks if mark.evidence > EvidenceKind.LABEL)
        if best is None or best.content is None or inner[best.end :].strip(" \n}") or not inner.endswith(("}", ">")):
            break
        content = best.content
    return content


def _headed(options: Options, content: str) -> _Match | None:
    """The option after a subject or before a remark: "I play e4", "Bet, because I hold the king"."""
    content = _GAP.sub(" ", content.strip())
    for line in dict.fromkeys((content, LEADS.sub("", content, count=1))):
        subject = _SUBJECT.match(line)
        for start in (0, subject.end()) if subject else (0,):
            if match := _whole(options, (line[start:],)):
                return match
            for end in list(_REMARK.finditer(line, start))[:3]:
                rest = line[end.end() :]
                unsure = CONDITION.match(rest) or UNSURE.match(rest)
                if not unsure and (match := _whole(options, (line[start : end.start()],))):
                    return match._replace(rest=rest)
    return None


def _stated(text: str, options: Options) -> Iterator[_Piece]:
    """The sentences "The answer is X."."""
    for match in list(STATED.finditer(text))[-_LAST_LINES:]:
        line_end = text.find("\n", match.end())
        content = text[match.end() : line_end if line_end >= 0 else len(text)].strip(" *_")
        mark = MarkedAnswer(content, match.start(), match.end(), False, EvidenceKind.LABEL)
        if content and not foreign(text, mark):
            piece = _of_mark(text, options, mark)
            if piece.value is not None:
                yield piece._replace(end=match.end() + len(text[match.end() :].partition("\n")[0]))


def _bare(text: str, options: Options) -> Iterator[_Piece]:
    """The option that the last line or sentence is, without it the first line."""
    lines = [(m.start(), m[0]) for m in re.finditer(r"[^\n]+", text) if not _FENCE.fullmatch(m[0]) or options.of(m[0])]
    for index in range(len(lines) - 1, max(-1, len(lines) - 1 - _LAST_LINES), -1):
        start, line = lines[index]
        if match := _of_line(options, line):
            if _listed(options, lines, index, match.value):
                both = f"{lines[index - 1][1]} {line}"
                yield _Piece(EvidenceKind.BARE, None, start, start + len(line), both)
            elif not exemplified(text, start):
                yield _Piece(EvidenceKind.BARE, match.value, start, start + len(line), match.content, match.rest)
            return
        if not polite(words := plain(line)) or options.rival(words, ""):
            break
    if len(lines) > 1 and (match := _of_line(options, lines[0][1], first=True)):
        start, line = lines[0]
        yield _Piece(EvidenceKind.BARE, match.value, start, start + len(line), match.content, match.rest)


def _listed(options: Options, lines: list[tuple[int, str]], index: int, value: str) -> bool:
    """Whether a line and the one before are entries of a list: with bullets, with numbers, or under a heading."""
    first = index
    while first and (match := _of_line(options, lines[first - 1][1])) and match.value != value:
        first -= 1
    line, before, heading = lines[index][1], lines[index - 1][1], lines[first - 1][1] if first else ""
    return first < index and (
        heading.rstrip(" *_").endswith(":")
        or not (line[:1].isalnum() or before[:1].isalnum())
        or bool(_ENTRY.match(line) and _ENTRY.match(before))
    )


def _of_line(options: Options, line: str, first: bool = False) -> _Match | None:
    """The option that a line says: the whole line, its last sentence, with `first` its first one."""
    bare = BULLET.sub("", line.strip(), count=1) or line.strip()
    quoted = line.lstrip().startswith(">") or TRANSCRIPT.match(line)
    match = _whole(options, (line.strip(),) if quoted else (line.strip(), bare))
    if match or quoted or _ENTRY.match(line):
        return match
    parts = [bare] if first else [bare, *reversed(clauses(SENTENCE.split(bare)[-1]))]
    return next(filter(None, (_headed(options, part.replace("**", "")) for part in parts)), None)


def _idle(text: str, options: Options, piece: _Piece) -> bool:
    """Whether a mark says nothing about the answer: prose after a label, a JSON field of another name."""
    if piece.value is not None or piece.content is None or piece.evidence in (EvidenceKind.BOX, EvidenceKind.BARE):
        return False
    return not _PRIMARY.match(text, piece.start) or (
        piece.evidence == EvidenceKind.LABEL and len(piece.content.split()) > 2 + options.words
    )


def _alternative(text: str, pieces: list[_Piece], chosen: _Piece) -> str:
    """The problem if an equally strong piece before the answer is another option, and the answer does not replace it.

    An answer in a later line does, without a word: a player that changes its mind has one try.
    """
    for piece in pieces:
        if piece.evidence != chosen.evidence or piece.end > chosen.start or piece.value in (None, chosen.value):
            continue
        between = text[piece.end : chosen.start]
        what = sequel(between)
        if what != Sequel.CORRECTION and not (what == Sequel.UNCLEAR and "\n" in between):
            return "two answers are given"
    return ""


def _beside(text: str, options: Options, pieces: list[_Piece], chosen: _Piece) -> str:
    """The problem if another label of the same line has another option: `Action: Pass or Action: Bet`."""
    for piece in pieces:
        if piece.evidence == chosen.evidence == EvidenceKind.LABEL and piece.start < chosen.start < piece.end:
            head = text[piece.start : chosen.start].partition(":")[2][:_NESTED]
            match = _headed(options, _JOINT.sub("", head))
            if match and match.value != chosen.value and sequel(match.rest) != Sequel.CORRECTION:
                return "two answers are given"
    return ""


def _replaced(text: str, options: Options, chosen: _Piece, pieces: list[_Piece]) -> str:
    """Why what follows the answer may replace it, "" if it does not."""
    after = f"{chosen.rest}\n{following(text, chosen.start, chosen.end)}"
    for piece in pieces:
        if piece.start >= chosen.end and piece.value != chosen.value:
            return "another answer follows"
    if ASKED.match(text, chosen.end):
        return "the answer is a question"
    if NEGATED.search(after):
        return "the answer is denied afterwards"
    return options.rival(after, chosen.value or "")
