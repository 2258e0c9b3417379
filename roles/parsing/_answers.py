r"""Finds the explicit answer in a text: `\boxed{...}`, a JSON object with the key "action", or a labelled last line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_BOX_OR_BRACE = re.compile(r"(?P<box>\\{1,4}f?boxed\s{0,8}\{)|\\.|[{}]", re.DOTALL)
_OBJECT = re.compile(r'\{\s{0,200}"(?:[^"\\]|\\.){0,64}"\s{0,200}:')
_LABEL = re.compile(
    r"(?P<lead>[ \t*_#>`-]{0,12})(?:final[ \t]{1,4})?(?:answer|action|move)"
    r"[ \t]{0,4}[*_`]{0,3}[ \t]{0,4}[:：](?P<content>.*)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"`{3,}\w{0,20}")
# Numbers stay as they are written; a line break inside a string is accepted.
_JSON = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str, strict=False)
_MAX_OBJECTS = 200  # from the end of a text; bounds the time for hostile input


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """An answer at text[start:end]. `content` is None if the text ends before the answer does."""

    content: str | None
    start: int
    end: int


def explicit(text: str) -> FoundAnswer | None:
    """The boxed, JSON or labelled answer that ends last; of nested answers the outermost."""
    marked = max(filter(None, (_box(text), _object(text))), key=lambda f: f.end, default=None)
    label = _labelled(text)
    if marked is None or label is None:
        return marked or label
    inside_marked = marked.start < label.start < marked.end
    return marked if inside_marked or marked.end > label.end else label


def whole(text: str) -> str | None:
    """The content of the boxed or JSON answer that `text` consists of, or None."""
    text = text.strip().rstrip(".").strip("$ ")
    for found in (_box(text), _object(text)):
        if found and found.start == 0 and found.end == len(text):
            return found.content
    return None


def last_line(text: str) -> str:
    """The last line that is neither blank nor a code fence."""
    return text[slice(*_last_line(text))].strip()


def unlabelled(line: str) -> str:
    """`line` without a leading label such as `Action:`."""
    label = _LABEL.fullmatch(line.strip())
    return _after(label) if label else line


def _box(text: str) -> FoundAnswer | None:
    best: FoundAnswer | None = None
    still_open: list[tuple[int, int] | None] = []
    for token in _BOX_OR_BRACE.finditer(text):
        if token["box"]:
            still_open.append((token.start(), token.end()))
        elif token[0] == "{":
            still_open.append(None)
        elif token[0] == "}" and still_open and (box := still_open.pop()):
            best = FoundAnswer(text[box[1] : token.start()], box[0], token.end())
    unfinished = [box for box in still_open if box]
    if unfinished and (best is None or best.start < unfinished[-1][0]):
        return FoundAnswer(None, unfinished[-1][0], len(text) + 1)
    return best


def _object(text: str) -> FoundAnswer | None:
    best: FoundAnswer | None = None
    end = 0
    for head in list(_OBJECT.finditer(text))[-_MAX_OBJECTS:]:
        if head.start() < end:
            continue
        try:
            value, end = _JSON.raw_decode(text, head.start())
        except json.JSONDecodeError as error:
            if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
                return FoundAnswer(None, head.start(), len(text) + 1)
        except RecursionError:
            return best
        else:
            if "action" in value:
                best = FoundAnswer(_written(value["action"]), head.start(), end)
    return best


def _written(value: object) -> str:
    """A JSON value as an action. Numbers are texts already; a list or an object names no action."""
    if isinstance(value, bool):
        return json.dumps(value)
    return value if isinstance(value, str) else ""


def _labelled(text: str) -> FoundAnswer | None:
    start, end = _last_line(text)
    label = _LABEL.fullmatch(text[start:end])
    return FoundAnswer(_after(label), start, len(text)) if label else None


def _after(label: re.Match[str]) -> str:
    """The text after a label, without emphasis that started before it (**Action:** x)."""
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
