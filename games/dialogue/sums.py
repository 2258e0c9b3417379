"""Arithmetic with a known answer: exact values of written expressions, questions by seed, a closed family for choices.

Exact: values are fractions, so 1/3 is not 0.333. Where a text is no arithmetic, there is no known answer (None).
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction

from games.randomness import Stream

_ASKED = re.compile(
    r"(?:what(?:'s| is)|how much is|compute|calculate|evaluate|find)?\s*:?\s*"
    r"(?P<sum>[-+*/()\d\s.×·÷−]{1,200}?)\s*(?:=\s*)?[?.!]?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+−]?\s?\$?\d[\d,]*(?:\.\d+)?(?:\s?/\s?\d+)?")
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-"})
_DIGITS = 18
_NODES = 60


def value(question: str) -> Fraction | None:
    """The exact value a question asks for, where it is one expression of + - * / on numbers; else None.

    >>> value("What is 2 + 3 * 4?")
    Fraction(14, 1)
    """
    asked = _ASKED.fullmatch(question.strip())
    if asked is None or not any(c.isdigit() for c in asked["sum"]):
        return None
    try:
        tree = ast.parse(asked["sum"].translate(_SIGNS).strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    if sum(1 for _ in ast.walk(tree)) > _NODES or not any(isinstance(n, ast.BinOp) for n in ast.walk(tree)):
        return None
    return _evaluated(tree.body)


def _evaluated(node: ast.expr) -> Fraction | None:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return Fraction(str(node.value)) if len(str(node.value)) <= _DIGITS else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _evaluated(node.operand)
        return inner if inner is None or isinstance(node.op, ast.UAdd) else -inner
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _evaluated(node.left), _evaluated(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Add):
        return left + right
    if isinstance(node.op, ast.Sub):
        return left - right
    if isinstance(node.op, ast.Mult):
        return left * right
    return left / right if isinstance(node.op, ast.Div) and right else None


def number(answer: str) -> Fraction | None:
    """The number an answer is: 7, 1,234, -3.5, 1/3, also "7." and "$7"; None for anything else, a sentence included."""
    text = answer.strip().strip("$").removesuffix(".").strip()
    if len(text) > 40 or not _NUMBER.fullmatch(text):
        return None
    text = text.translate(_SIGNS).replace(",", "").replace("$", "").replace(" ", "")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def written(value: Fraction) -> str:
    """A value as people write it: 14, 1/3."""
    return str(value)


def question(stream: Stream) -> str:
    """A question of two or three small numbers, drawn from a stream."""
    a, b, c = stream.below(90) + 10, stream.below(90) + 10, stream.below(9) + 2
    return stream.choice((f"What is {a} + {b}?", f"What is {a} - {b} * {c}?", f"What is {a} * {c} + {b}?"))


def closed(size: int) -> tuple[str, ...]:
    """All questions a + b with a and b from 0 to size, for players that choose."""
    return tuple(f"{a} + {b}" for a in range(size + 1) for b in range(size + 1))


def closed_answers(size: int) -> tuple[str, ...]:
    """All their answers."""
    return tuple(str(n) for n in range(2 * size + 1))
