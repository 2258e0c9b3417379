"""The messages of a closed code-io: programs of one operation on small numbers, and their outputs."""

from __future__ import annotations

from functools import lru_cache

from games.native.code_io.tasks import Task

OFFERED = 8
"""programs that a match offers"""
_OPERATIONS = ("x + {c}", "x - {c}", "x * {c}", "max(x, {c})")


@lru_cache(16)
def proposals(size: int) -> tuple[str, ...]:
    """Each operation with a constant and an argument from 0 to `size`; some can be guessed, so they are invalid."""
    numbers = range(size + 1)
    return tuple(
        _proposal(f"def f(x):\n    return {operation.format(c=c)}", str(x))
        for operation in _OPERATIONS
        for c in numbers
        for x in numbers
    )


@lru_cache(16)
def outputs(size: int) -> tuple[str, ...]:
    """The answers: all numbers that a listed program can return, and those between."""
    return tuple(f"```output\n{n}\n```" for n in range(-size, max(2 * size, size * size) + 1))


def proposal_of(task: Task) -> str:
    """The message that proposes a task."""
    return _proposal(task.program, task.inputs[0]) if len(task.inputs) == 1 else ""


def _proposal(program: str, argument: str) -> str:
    return f"```python\n{program}\n```\n```input\n{argument}\n```"
