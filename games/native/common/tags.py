"""Reads tags such as <question>...</question> and boxes in one seat's own text, and computes the format reward.

Only the seat's own text is read: a reward that counts tags in prompt and answer would change with the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from games.boxes import boxes
from games.dialogue.answers import Reading, final, numbers
from games.dialogue.answers import read as read_answer

_SCORES = numbers(1, 10)
_BOX = re.compile(r"\\boxed\s{0,8}\{")
_LONGEST = 2000


class TaggedText(NamedTuple):
    """`content` of the last pair of tags, None if missing or blank. `form`: 1 for one pair, 0.5 for more, else 0."""

    content: str | None
    form: float

    @property
    def text(self) -> str:
        """The content; "" without any."""
        return self.content or ""


def read(text: str, tag: str) -> TaggedText:
    """The last <tag>content</tag> of a text and its format reward (MAE: 1, 0.5 for several balanced pairs, 0)."""
    start, end = f"<{tag}>", f"</{tag}>"
    opened, closed = text.count(start), text.count(end)
    last = text.rfind(end)
    first = text.rfind(start, 0, max(last, 0))
    content = text[first + len(start) : last].strip() if first >= 0 else ""
    if not content:
        return TaggedText(None, 0.0)
    if opened != closed:
        return TaggedText(content, 0.0)
    return TaggedText(content, 1.0 if opened == 1 else 0.5)


def reader(find: Callable[[str], tuple[TaggedText, str]]) -> Callable[[str], TaggedText | Reading]:
    """Returns a reader for `Table.ask`, which gives the script a `TaggedText`, or None."""

    def read_message(text: str) -> TaggedText | Reading:
        tagged, reason = find(text)
        return Reading(None, reason) if tagged.content is None else tagged

    return read_message


def question(text: str) -> tuple[TaggedText, str]:
    """The last <question> and, without one, the reason."""
    return read(text, "question"), "no <question>...</question>"


def chosen(text: str) -> TaggedText:
    """Reads a message that was chosen from a list: the whole is the content."""
    return TaggedText(text, 1.0)


def score(text: str) -> tuple[TaggedText, str]:
    """A judge's last explicit score from 1 to 10 and, without one, the reason; 95, 7.5 or words are not scores.

    The format reward is that of <score>; a score in another form has none.
    """
    found = read_answer(text, _SCORES)
    return TaggedText(found.value, read(text, "score").form if found.value else 0.0), found.reason


def answer(text: str) -> tuple[TaggedText, str]:
    """The last explicit answer of any form and, without one, the reason; the format reward is that of <answer>."""
    found = final(text)
    return TaggedText(found.value, read(text, "answer").form if found.value else 0.0), found.reason


def solution(text: str) -> tuple[TaggedText, str]:
    """As `answer`, with the format reward of a box."""
    found = final(text)
    return TaggedText(found.value, boxed(text).form if found.value else 0.0), found.reason


def boxed(text: str) -> TaggedText:
    r"""The last \boxed{...} with balanced braces. `form` is 1 for exactly one box, else 0.5 or 0."""
    closed = [box for box in boxes(text) if box.content is not None and len(box.content) < _LONGEST]
    content = max(closed, key=lambda box: box.start).content if closed else None
    if not (content or "").strip():
        return TaggedText(None, 0.0)
    return TaggedText((content or "").strip(), 1.0 if len(_BOX.findall(text)) == 1 else 0.5)
