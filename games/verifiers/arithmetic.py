"""Arithmetic questions with exact answers: parsing, random questions, and sums for closed games.

Values are fractions, so 1/3 is not 0.333. A text that is not arithmetic has no known answer (None).
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction

from games.quoting import byte_length
from games.randomness import RandomStream

_LEAD = re.compile(r"(?:what(?:'s| is)|how much is|compute|calculate|evaluate|find)? ?:?", re.IGNORECASE)
_SUM = re.compile(r"[-+*/()\d .×·÷−]{1,200}")
_LONGEST = 240
"""the largest length of a question, with white space collapsed; every pattern here takes linear time"""
WHOLE = r"(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)"
"""a whole number, with commas only between thousands: 4,2 is two numbers, not 42"""
_NUMBER = re.compile(rf"[-+−]?\s?\$?{WHOLE}(?:\.\d+)?(?:\s?/\s?\d+)?")
_COMMA = re.compile(r"\{,\}|,\\! ?")
_LATEX_FRACTION = re.compile(r"(-?)\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-"})
_DIGITS = 18
_NODES = 60


def value(question: str) -> Fraction | None:
    """Returns the exact value of a question that is one expression of + - * / on numbers; else None.

    A question that is its own answer (42, 1 / 3) has no value, because copying it would solve it.

    >>> value("What is 2 + 3 * 4?")
    Fraction(14, 1)
    """
    asked = _asked(question)
    result = None if asked is None else _computed(asked)
    return None if asked is None or literal(asked) == result else result


def _asked(question: str) -> str | None:
    """Returns the expression that a question consists of, with white space collapsed, or None."""
    text = " ".join(question.split())
    lead = _LEAD.match(text)
    if byte_length(text) > _LONGEST or lead is None:
        return None
    text = text[lead.end() :].strip()
    if text.endswith(("?", ".", "!")):
        text = text[:-1].rstrip()
    text = text.removesuffix("=").strip()
    return text if _SUM.fullmatch(text) and any(c.isdigit() for c in text) else None


def _computed(expression: str) -> Fraction | None:
    try:
        tree = ast.parse(expression.translate(_SIGNS), mode="eval")
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
    r"""Returns the number that an answer is, or None: 7, 1,234, -3.5, 1/3, "7.", "$7", \frac{1}{3}, 1{,}234."""
    text = answer.strip().strip("$").removesuffix(".").strip()
    if len(text) > 40:
        return None
    fraction = _LATEX_FRACTION.fullmatch(text)
    text = "{}{}/{}".format(*fraction.groups()) if fraction else _COMMA.sub(",", text)
    if not _NUMBER.fullmatch(text):
        return None
    text = text.translate(_SIGNS).replace(",", "").replace("$", "").replace(" ", "")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def literal(answer: str) -> Fraction | None:
    """As `number`, but a fraction must be in lowest terms, because 84/2 may copy the question."""
    fraction = number(answer)
    if fraction is None or not ("/" in answer or "frac" in answer):
        return fraction
    digits = re.findall(r"\d+", answer)
    return fraction if fraction.denominator > 1 and int(digits[-1]) == fraction.denominator else None


def right(answer: str | None, truth: Fraction) -> bool:
    """Returns whether an answer is this value, written as a number and not as an expression."""
    return answer is not None and literal(answer) == truth


def plausible(answer: str, truth: str) -> bool:
    """Returns whether a part of the calculation does not reject an answer: sign, length and last digit are right.

    An answer of which one of the two is no number is plausible.
    """
    one, other = number(answer), number(truth)
    return one is None or other is None or _rough(one) == _rough(other)


def _rough(value: Fraction) -> tuple[bool, int, str, bool]:
    digits = str(abs(value.numerator))
    return value < 0, len(digits), digits[-1], value.denominator == 1


_QUESTIONS = ("What is {a} + {b}?", "What is {a} - {b} * {c}?", "What is {b} * {c} + {a}?")
_LEAST = 100_000
"""the numbers a and b have six digits, so that rough estimates and rests are a small part of the calculation"""


def question(stream: RandomStream) -> str:
    """Returns a random question with two or three numbers."""
    text = stream.choice(_QUESTIONS)
    a, b, c = _LEAST + stream.below(9 * _LEAST), _LEAST + stream.below(9 * _LEAST), 2 + stream.below(8)
    return text.format(a=a, b=b, c=c)


def closed(size: int) -> tuple[str, ...]:
    """Returns all questions a + b with a and b from 0 to size, for closed games."""
    return tuple(f"{a} + {b}" for a in range(size + 1) for b in range(size + 1))


def closed_answers(size: int) -> tuple[str, ...]:
    """Returns all answers to the questions of `closed`."""
    return tuple(str(n) for n in range(2 * size + 1))
