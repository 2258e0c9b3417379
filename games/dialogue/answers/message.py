"""The parts of a message that an answer is looked for in, and whether a marked answer is the seat's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from games.dialogue.answers.figures import unfigured
from games.dialogue.answers.marked import MarkedAnswer
from games.dialogue.answers.patterns import (
    ATTRIBUTED,
    BULLET,
    CONCLUSION,
    CONDITION,
    DENIED,
    DISMISSED,
    DISOWNED,
    EXAMPLE,
    MINE,
    NOTHING,
    OFFER,
    OTHERS,
    REASON,
    SENTENCE,
    SUBSTANCE,
    TRANSCRIPT,
)
from games.dialogue.answers.plain import normal, plain
from games.reasoning import spoken

_READ = 20_000
"""characters of a message that are searched, from its end"""
SHORT = 12
"""words of a closing remark, at most"""


class Reading(NamedTuple):
    """An answer, or None and the reason why there is none."""

    value: str | None
    reason: str = ""


def own_text(text: str) -> Reading:
    """The message without private reasoning, in one form for all characters; no value if the reasoning never ends."""
    said = spoken(text)
    return Reading(None, "the reasoning does not end") if said.cut else Reading(normal(said.text)[-_READ:])


def unlisted(line: str) -> str:
    """A line without markup and bullets."""
    return BULLET.sub("", plain(line), count=1)


def clauses(sentence: str) -> list[str]:
    """A sentence, and its conclusion alone: "8 + 5 = 13, so the step is incorrect". If it is
    conditional, or somebody else's, it has none.
    """
    ends = [m.end() for m in CONCLUSION.finditer(sentence)]
    if not ends and (reason := REASON.match(sentence)):
        ends = [reason.end()]
    if not ends or CONDITION.search(sentence) or ATTRIBUTED.search(sentence):
        return [sentence]
    return [sentence, sentence[ends[-1] :]]


def last_lines(text: str) -> Iterator[tuple[int, str]]:
    """The last lines with words, from the end: where each starts, and the line."""
    end, found = len(text), 0
    while end > 0 and found < 3:
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        if not NOTHING.fullmatch(line):
            found += 1
            yield start, line
        end = start - 1


def polite(words: str) -> bool:
    """Returns whether a last line in plain words says nothing of substance, so that the answer stands before it."""
    short = len(words.split()) <= SHORT
    return short and (not SUBSTANCE.search(unfigured(words)) or OFFER.fullmatch(words) is not None)


def foreign(text: str, mark: MarkedAnswer) -> bool:
    """Whether a mark is in a quotation, a transcript or an example, denied, or attributed to somebody else."""
    place = _opened(text, mark.start)
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    before, after = text[max(start, place - 400) : place], text[place : end if end >= 0 else len(text)]
    whole = text[start : start + 80]
    if blockquoted(text, mark) or TRANSCRIPT.match(whole):
        return True
    if place == mark.start and after[:1] != '"' and before.count('"') % 2 and '"' in after:
        return True
    if before.count("“") > before.count("”") and "”" in after:
        return True
    if before.count("`") % 2 and before.strip(" `*_-") and "`" in after:
        return True
    if not before.strip(" *_`$") and exemplified(text, start):
        return True
    sentence = SENTENCE.split(before)[-1]
    if DISOWNED.search(sentence) or DISMISSED.match(text, mark.end):
        return True
    return bool(DENIED.search(sentence)) or bool(OTHERS.search(sentence) and not MINE.search(sentence))


def _opened(text: str, start: int) -> int:
    """Returns where a mark starts to a reader: at the brace of a JSON object whose first field it is."""
    head = text[:start].rstrip()
    return len(head) - 1 if text[start : start + 1] in ('"', "'") and head.endswith("{") else start


def exemplified(text: str, start: int) -> bool:
    """Whether the line before the one that starts at `start` announces an example."""
    return EXAMPLE.fullmatch(text[:start].rstrip().rsplit("\n", 1)[-1][-100:]) is not None


def blockquoted(text: str, mark: MarkedAnswer) -> bool:
    """Whether a mark is in a line that starts with >."""
    return re.match(r"\s*>", text[text.rfind("\n", 0, mark.start) + 1 : mark.start + 1]) is not None


_ANSWERS = re.compile(r"answer|result|final|correct|verdict|vote|score", re.IGNORECASE)


def following(text: str, start: int, end: int) -> str:
    """Returns what follows an answer; for a field of a JSON object, without other fields that name no answer."""
    close = text.find("}", end, end + 2000) if text[start : start + 1] in ('"', "'") else -1
    return text[end:] if close < 0 or _ANSWERS.search(text, end, close) else text[close:]
