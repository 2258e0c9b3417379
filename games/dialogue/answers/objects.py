"""Finds the JSON objects of a text."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_HEAD = re.compile(r'\{\s{0,200}"(?:[^"\\]|\\.){0,64}"\s{0,200}:')
# Numbers stay as they are written; a line break inside a string is accepted.
_JSON = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str, strict=False)
_TOKEN = re.compile(r'[{}]|"(?:[^"\\]|\\.)*"')
_COMMAND = re.compile(
    r"\\(?:[\\/\"u]|(?P<latex>[bf](?=[a-z]{2})|n(?=(?:eq?|ot|abla|eg)\b)|r(?=(?:ightarrow|ho|m|angle|floor|ceil)\b)"
    r"|t(?=(?:ext[a-z]{0,2}|frac|imes|o|heta|au)\b)|[^bfnrt]))"
)
"""a backslash of LaTeX that JSON reads as a backspace, form feed, tab or line break, or refuses"""
_MOST = 200
"""objects that are looked at, the last ones; bounds the time for hostile texts"""


class JsonObject(NamedTuple):
    """An object at text[start:end]. `value` is None if the text ends before the object does."""

    value: dict[str, Any] | None
    start: int
    end: int

    def inner_strings(self, text: str) -> set[int]:
        """Returns where the strings within inner objects start."""
        depth, inner = 0, set()
        for token in _TOKEN.finditer(text, self.start, self.end):
            depth += {"{": 1, "}": -1}.get(token[0], 0)
            if depth > 1:
                inner.add(token.start())
        return inner


def json_text(literal: str) -> str:
    r"""Returns the text of a JSON string, with single backslashes of LaTeX kept: "\boxed{Pass}", "\text{Pass}".

    Raises ValueError if it is none.
    """
    return str(json.loads(_COMMAND.sub(_doubled, literal), strict=False))


def _doubled(escape: re.Match[str]) -> str:
    return f"\\{escape[0]}" if escape["latex"] else escape[0]


def objects(text: str) -> list[JsonObject]:
    """Returns the outermost objects of a text in their order."""
    out: list[JsonObject] = []
    end = 0
    for head in list(_HEAD.finditer(text))[-_MOST:]:
        if head.start() < end:
            continue
        try:
            value, end = _JSON.raw_decode(text, head.start())
        except json.JSONDecodeError as error:
            if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
                return [*out, JsonObject(None, head.start(), len(text))]
        except RecursionError:
            break
        else:
            out.append(JsonObject(value, head.start(), end))
    return out
