"""Runs inside the sandbox in the process of the hostile program: one program, one input, and nothing else.

Whatever hostile code does to this process, it can only spoil its own answer. What comes out of descriptor 3 is handed
on as bytes and judged outside.
"""

from __future__ import annotations

import os
import sys
from _json import encode_basestring_ascii as quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RESULT = 3  # the descriptor that takes what a call says


def main(mode: str, program: str, name: str, given: Any) -> None:
    """Never returns."""
    if mode == "script":
        status = script(program, given)
    else:
        out = function(program, name, given)
        while out:
            out = out[os.write(_RESULT, out) :]
        status = 0
    os._exit(status)


def script(program: str, text: str) -> int:
    """Run a program with `text` as its input; what it prints is its result."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    os.write(writer, text.encode())
    os.close(writer)
    os.dup2(reader, 0)
    os.dup2(_RESULT, 1)
    os.closerange(_RESULT, 64)
    status = 0
    try:
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # noqa: BLE001  hostile code may raise anything
        status = 1
    try:
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001  hostile code may raise anything
        status = status or 1
    return status & 255


def function(program: str, name: str, call: list[Any]) -> bytes:
    """`name(*call)` of a program as one line of JSON: what it returned, or why it did not."""
    try:
        code = compile(program, "<program>", "exec")
    except BaseException as error:  # noqa: BLE001  hostile code may raise anything
        return _said("invalid", f"it does not compile: {type(error).__name__}")
    try:
        space: dict[str, Any] = {"__name__": "__program__"}
        args = [decode(a) for a in call]
        exec(code, space)
        if not callable(space.get(name)):
            return _said("invalid", f"it defines no function {name}")
        value = space[name](*args)
        try:
            return b'{"value":' + text(encode(value)).encode() + b"}"
        except (TypeError, ValueError, RecursionError) as error:
            return _said("invalid", str(error)[:200])
    except BaseException as error:  # noqa: BLE001  hostile code may raise anything
        return _said("raised", type(error).__name__[:80])


def _said(kind: str, what: str) -> bytes:
    return f"{{{quoted(kind)}:{quoted(what)}}}".encode()


def text(data: Any) -> str:
    """What `encode` made, as JSON."""
    if isinstance(data, str):
        return quoted(data)
    if isinstance(data, list):
        return f"[{','.join(map(text, data))}]"
    if isinstance(data, dict):
        return f"{{{','.join(f'{quoted(k)}:{text(v)}' for k, v in data.items())}}}"
    return "null" if data is None else str(data).lower() if isinstance(data, bool) else repr(data)


def encode(value: Any, depth: int = 0) -> Any:
    """Plain data as JSON; everything but lists, numbers, texts, booleans and None is tagged."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        if value - value != 0:
            raise ValueError("it returned a number that is not finite")
        return value
    if depth > 50:
        raise ValueError("what it returned is nested deeper than 50")
    if kind is list:
        return [encode(v, depth + 1) for v in value]
    if kind is tuple:
        return {"tuple": [encode(v, depth + 1) for v in value]}
    if kind in (set, frozenset):
        return {"set": [encode(v, depth + 1) for v in value]}
    if kind is dict:
        return {"dict": [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]}
    raise TypeError(f"it returned a {kind.__name__[:80]}, not plain data")


def decode(data: Any) -> Any:
    """The value `encode` wrote."""
    if isinstance(data, list):
        return [decode(d) for d in data]
    if isinstance(data, dict):
        ((tag, items),) = data.items()
        if tag == "dict":
            return {decode(k): decode(v) for k, v in items}
        return {"tuple": tuple, "set": set}[tag](decode(d) for d in items)
    return data
