"""What stands between tags such as <question> and </question> in one seat's own text, and how well the form was kept.

Only the text the seat itself wrote is read: a reward that counts tags over prompt and answer changes with the prompt.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SCORE = re.compile(r"\s*(10|[1-9])\s*", re.ASCII)
_BOX = re.compile(r"\\boxed\s{0,8}\{")


class Tagged(NamedTuple):
    """`content` of the last pair, None without one or if it is blank. `form`: 1 exact, 0.5 too many pairs, else 0."""

    content: str | None
    form: float


def read(text: str, tag: str) -> Tagged:
    """The last <tag>content</tag> of a text and its format reward (MAE: 1, 0.5 for too many balanced pairs, 0)."""
    start, end = f"<{tag}>", f"</{tag}>"
    opened, closed = text.count(start), text.count(end)
    last = text.rfind(end)
    first = text.rfind(start, 0, max(last, 0))
    content = text[first + len(start) : last].strip() if first >= 0 else ""
    if not content:
        return Tagged(None, 0.0)
    if opened != closed:
        return Tagged(content, 0.0)
    return Tagged(content, 1.0 if opened == 1 else 0.5)


def score(text: str) -> Tagged:
    """A judge's <score>1</score> to <score>10</score>. A number elsewhere, a word, 95 or 7.5 is no score."""
    found = read(text, "score")
    match = _SCORE.fullmatch(found.content or "")
    return Tagged(match[1], found.form) if match else Tagged(None, 0.0)


def boxed(text: str) -> Tagged:
    r"""The last \boxed{...} with its braces in balance. `form` is 1 where exactly one stands there, else 0.5 or 0."""
    starts = [m.end() for m in _BOX.finditer(text)]
    ends = _closed(text)
    for start in reversed(starts):
        end = ends.get(start - 1, len(text))
        if end < min(len(text), start + 2000):
            content = text[start:end].strip()
            return Tagged(content, 1.0 if len(starts) == 1 else 0.5) if content else Tagged(None, 0.0)
    return Tagged(None, 0.0)


def _closed(text: str) -> dict[int, int]:
    """Where each brace that is closed is closed: one pass, however many never are."""
    waiting: list[int] = []
    closed = {}
    for at, c in enumerate(text):
        if c == "{":
            waiting.append(at)
        elif c == "}" and waiting:
            closed[waiting.pop()] = at
    return closed
