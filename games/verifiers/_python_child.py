"""Runs inside the sandbox, in the process of the untrusted program: one program, one input.

Hostile code in this process can only spoil its own answer. The bytes written to descriptor 3 are judged outside.
"""

from __future__ import annotations

import os
from _json import encode_basestring_ascii as quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RESULT = 3  # the file descriptor for the answer of a call


def main(program: str, name: str, data: Any) -> None:
    """Run the program, write its answer and exit the process."""
    out = function(program, name, data)
    while out:
        out = out[os.write(_RESULT, out) :]
    os._exit(0)


def function(program: str, name: str, call: list[Any]) -> bytes:
    """Returns the result of `name(*call)` as one line of JSON: the value, or why there is none."""
    try:
        code = compile(program, "<program>", "exec")
    except BaseException as error:  # noqa: BLE001  hostile code may raise anything
        return _message("invalid", f"it does not compile: {type(error).__name__}")
    try:
        space: dict[str, Any] = {"__name__": "__program__"}
        args = [decode(a) for a in call]
        exec(code, space)
        if not callable(space.get(name)):
            return _message("invalid", f"it defines no function {name}")
        value = space[name](*args)
        try:
            return b'{"value":' + text(encode(value)).encode() + b"}"
        except (TypeError, ValueError, RecursionError) as error:
            return _message("invalid", str(error)[:200])
    except BaseException as error:  # noqa: BLE001  hostile code may raise anything
        return _message("raised", type(error).__name__[:80])


def _message(kind: str, what: str) -> bytes:
    return f"{{{quoted(kind)}:{quoted(what)}}}".encode()


def text(data: Any) -> str:
    """Returns the output of `encode` as JSON."""
    if isinstance(data, str):
        return quoted(data)
    if isinstance(data, list):
        return f"[{','.join(map(text, data))}]"
    if isinstance(data, dict):
        return f"{{{','.join(f'{quoted(k)}:{text(v)}' for k, v in data.items())}}}"
    return "null" if data is None else str(data).lower() if isinstance(data, bool) else repr(data)


def encode(value: Any, depth: int = 0) -> Any:
    """Returns plain data in a form JSON can hold: tuples, sets and dictionaries are tagged."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        if value - value != 0:
            raise ValueError("it returned a number that is not finite")
        return value
    if depth > 50:
        raise ValueError("its value is nested deeper than 50 levels")
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
    """Returns the value that `encode` was given."""
    if isinstance(data, list):
        return [decode(d) for d in data]
    if isinstance(data, dict):
        ((tag, items),) = data.items()
        if tag == "dict":
            return {decode(k): decode(v) for k, v in items}
        return {"tuple": tuple, "set": set}[tag](decode(d) for d in items)
    return data
