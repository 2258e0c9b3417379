"""Finds the JSON objects of a text."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_HEAD = re.compile(r'\{\s{0,200}"(?:[^"\\]|\\.){0,64}"\s{0,200}:')
# Numbers stay as they are written; a line break inside a string is accepted.
_JSON = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str, strict=False)
_TOKEN = re.compile(r'[{}]|"(?:[^"\\]|\\.)*"')
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
