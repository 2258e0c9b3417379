"""Verifiers for families in which several answers are right and the library's own verifier executes the answer."""

from __future__ import annotations

import ast
import operator
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from games.quoting import byte_length
from games.verifiers.verdict import PASS, Verdict

_OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_LONGEST = 200
PUZZLE_24 = 24


def check(family: str, facts: Mapping[str, Any], answer: str) -> Verdict:
    """Returns the verdict on an answer; `facts` are the metadata of the item."""
    if family == "n_queens":
        return queens(facts["puzzle"], answer)
    return expression(facts["numbers"], int(facts.get("target", PUZZLE_24)), answer)


def expression(numbers: Sequence[int], target: int, answer: str) -> Verdict:
    """Returns whether an expression of + - * / has this value and uses every number exactly once."""
    if byte_length(answer) > _LONGEST:
        return Verdict("invalid", f"it is longer than {_LONGEST} bytes")
    used: list[int] = []
    try:
        value = _value(ast.parse(answer.strip(), mode="eval").body, used)
    except ZeroDivisionError:
        return Verdict("fail", "it divides by zero")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return Verdict("invalid", "it is not an expression of + - * / and whole numbers")
    if sorted(used) != sorted(numbers):
        return Verdict("fail", "it does not use every number exactly once")
    return PASS if value == target else Verdict("fail", "it has another value")


def _value(node: ast.expr, used: list[int]) -> Fraction:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        used.append(node.value)
        return Fraction(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, used)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return Fraction(_OPERATIONS[type(node.op)](_value(node.left, used), _value(node.right, used)))
    raise ValueError("not an expression")


def queens(puzzle: Sequence[Sequence[str]], answer: str) -> Verdict:
    """Returns whether a board of _ and Q keeps the given queens and holds one queen in each row; none attack."""
    size = len(puzzle)
    board = [row.split() for row in answer.strip().splitlines()]
    if len(board) != size or any(len(row) != size or set(row) - {"_", "Q"} for row in board):
        return Verdict("invalid", f"it is not a board of {size} rows of _ and Q")
    placed = [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == "Q"]
    if any(puzzle[r][c] == "Q" and board[r][c] != "Q" for r in range(size) for c in range(size)):
        return Verdict("fail", "it moves a given queen")
    lines = ([r for r, _ in placed], [c for _, c in placed], [r - c for r, c in placed], [r + c for r, c in placed])
    if len(placed) != size or any(len(set(line)) < size for line in lines):
        return Verdict("fail", "two queens attack each other, or one is missing")
    return PASS
