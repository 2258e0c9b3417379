r"""Finds the explicit answer in free text: `\boxed{...}`, the JSON key "action", or a labelled last line."""

from __future__ import annotations

import re

from games.dialogue.answers import EvidenceKind, MarkedAnswer, marked, objects, strongest

_FREE = re.compile(r'["\']action["\']', re.IGNORECASE)
_LABEL = re.compile(
    r"(?P<lead>[ \t*_#>`-]{0,12})(?:final[ \t]{1,4})?(?:answer|action|move)"
    r"[ \t]{0,4}[*_`]{0,3}[ \t]{0,4}[:：](?P<content>.*)",
    re.IGNORECASE,
)
LABELS = "move"
_FENCE = re.compile(r"`{3,}\w{0,20}")


def explicit(text: str) -> MarkedAnswer | None:
    """Returns the answer of free text by the strength of its mark; an object ends with its brace."""
    marks = [mark for mark in marked(text, LABELS) if _counts(text, mark)]
    spans = objects(text)
    start, end = _last_line(text)
    if label := _LABEL.fullmatch(text[start:end]):
        marks.append(MarkedAnswer(_after(label), start, len(text), False, EvidenceKind.LABEL))
    ended = [m._replace(end=next((s.end for s in spans if s.start <= m.start < s.end), m.end)) for m in marks]
    return strongest(ended)


def _counts(text: str, mark: MarkedAnswer) -> bool:
    """Returns whether a mark ends a free text: other tags, fields and labels belong to the message."""
    if mark.evidence == EvidenceKind.TAG:
        return _FREE.match(text, mark.start) is not None or (mark.content is None and text[mark.start] == "{")
    return mark.evidence == EvidenceKind.BOX


def last_line(text: str) -> str:
    """Returns the last line that is neither blank nor a code fence."""
    return text[slice(*_last_line(text))].strip()


def unlabelled(line: str) -> str:
    """Returns `line` without a leading label such as `Action:`."""
    label = _LABEL.fullmatch(line.strip())
    return _after(label) if label else line


def _after(label: re.Match[str]) -> str:
    """Returns the text after a label, without emphasis that started before it (**Action:** x)."""
    content = label["content"].strip()
    return content.strip("*_").strip() if "*" in label["lead"] or "_" in label["lead"] else content


def _last_line(text: str) -> tuple[int, int]:
    end = len(text)
    while end > 0:
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end].strip()
        if line and not _FENCE.fullmatch(line):
            return start, end
        end = start - 1
    return 0, 0
