"""Plain data (None, booleans, numbers, strings, lists, tuples, sets, dictionaries) and its canonical text.

Answers are compared as canonical texts, never by `==`, which an object of a program may redefine. Text written by a
model is parsed as a literal, never evaluated.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from games.quoting import byte_length
from games.verifiers._python_child import decode, encode

Value = Any
LONGEST = 20_000
"""bytes of a literal, at most"""


class NotPlain(ValueError):
    """A value that is not plain data; the message says what it is."""


def canonical(value: Value) -> str:
    """Returns the canonical text: the same for equal plain data, different otherwise; 1, 1.0 and True differ.

    Raises NotPlain.

    >>> canonical({"b": (1, 2), "a": {3}})
    '{"dict":[["a",{"set":[3]}],["b",{"tuple":[1,2]}]]}'
    """
    try:
        return _text(_sorted(encode(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise NotPlain(str(error).replace("it returned", "this is")) from None


def from_wire(data: Any) -> Value:
    """Decode a value sent by a sandbox. Raises NotPlain."""
    try:
        value = decode(data)
        encode(value)
    except (TypeError, ValueError, KeyError, RecursionError):
        raise NotPlain("this is not plain data") from None
    return value


def literal(text: str) -> Value:
    """Parse a Python literal; nothing in it is executed. Raises NotPlain.

    >>> literal("[1, (2, 'a')]")
    [1, (2, 'a')]
    """
    return _evaluated(_parsed(text.strip()).body)


def arguments(text: str) -> list[Value]:
    """Parse a text such as `1, [2, 3]` as the arguments of one call; nothing in it is executed. Raises NotPlain."""
    call = _parsed(f"f(\n{text}\n)").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        raise NotPlain(_NO_LITERAL)  # the text closes the bracket and opens another: `1)(2`
    return [_evaluated(argument) for argument in call.args]


_NO_LITERAL = "this is not a literal of numbers, strings, lists, tuples, sets and dictionaries"


def _parsed(text: str) -> ast.Expression:
    if (size := byte_length(text)) > LONGEST:
        raise NotPlain(f"a literal of {size} bytes; at most {LONGEST} are read")
    try:
        return ast.parse(text, mode="eval")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise NotPlain(_NO_LITERAL) from None


def _evaluated(node: ast.expr) -> Value:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise NotPlain(_NO_LITERAL) from None
    canonical(value)
    return value


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
