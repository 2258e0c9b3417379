"""Plain data (None, booleans, numbers, texts, lists, tuples, sets, dictionaries), and one text for equal ones.

Answers are compared as canonical texts of plain data, never by `==`, which an object of a program may define as it
likes; and texts that a model wrote are read as literals, never evaluated.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from games.verifiers._inside import decode, encode

Value = Any
LONGEST = 20_000
"""characters of a literal"""


class NotPlain(ValueError):
    """Something that is no plain data; the message says what."""


def canonical(value: Value) -> str:
    """The same text for equal plain data and different texts for different ones; 1, 1.0 and True differ.

    Raises NotPlain.

    >>> canonical({"b": (1, 2), "a": {3}})
    '{"dict":[["a",{"set":[3]}],["b",{"tuple":[1,2]}]]}'
    """
    try:
        return _text(_sorted(encode(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise NotPlain(str(error).replace("it returned", "this is")) from None


def from_wire(data: Any) -> Value:
    """The value of what a sandbox sent. Raises NotPlain."""
    try:
        value = decode(data)
        encode(value)
    except (TypeError, ValueError, KeyError, RecursionError):
        raise NotPlain("this is no plain data") from None
    return value


def literal(text: str) -> Value:
    """The plain data a text writes down, as Python would; nothing in it is run. Raises NotPlain.

    >>> literal("[1, (2, 'a')]")
    [1, (2, 'a')]
    """
    if len(text) > LONGEST:
        raise NotPlain(f"a literal of {len(text)} characters; at most {LONGEST} are read")
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise NotPlain("this is no literal of numbers, texts, lists, tuples, sets and dictionaries") from None
    canonical(value)
    return value


def arguments(text: str) -> list[Value]:
    """The arguments a text such as `1, [2, 3]` writes down. Raises NotPlain."""
    if not text.strip():
        return []
    value = literal(f"({text.strip()},)" if not text.strip().endswith(",") else f"({text.strip()})")
    return list(value)


def _sorted(data: Any) -> Any:
    if isinstance(data, list):
        return [_sorted(d) for d in data]
    if isinstance(data, dict):
        ((tag, items),) = data.items()
        inner = [_sorted(d) for d in items]
        return {tag: inner if tag == "tuple" else sorted(inner, key=_text)}
    return data


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
