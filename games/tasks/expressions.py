"""The canonical form of an arithmetic expression: the same text for every order of its operands and for every wording.

`4 + 3`, `3+4`, `(3) - -4` and `Calculate 4 + 3.` have one form, so they belong to one split of a task source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from decimal import Decimal

from games.quoting import byte_length

_CANDIDATE = re.compile(r"[-+*/^×÷().\d\s]*\d")
SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-"})
_LONGEST = 500
"""bytes of an expression, at most: deeper ones are not arithmetic questions"""


def expression_key(question: str) -> str | None:
    """Returns the canonical form of the longest expression in a question, or None if it has no operator."""
    texts = sorted(_CANDIDATE.findall(question.translate(SIGNS)), key=len, reverse=True)
    return next(filter(None, map(expression_form, texts)), None)


def expression_form(text: str) -> str | None:
    """Returns the canonical form of an expression of numbers and letters; None if it is none or has no operator."""
    tree = _tree(text)
    return _form(tree) if tree is not None and any(isinstance(node, ast.BinOp) for node in ast.walk(tree)) else None


def _tree(text: str) -> ast.expr | None:
    """Returns the syntax tree of a text that consists of numbers, letters, signs and brackets."""
    opened = text.count("(") - text.count(")")
    plain = " ".join((text + ")" * opened).replace("^", "**").split()).lstrip(".")
    if byte_length(plain) > _LONGEST:
        return None
    plain = re.sub(r"\b0+(?=\d)", "", plain)
    try:
        return ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _form(node: ast.expr) -> str:
    """Returns the form of a tree: sorted terms of a sum, sorted factors of a product."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return format(Decimal(str(node.value)).normalize(), "f")
    if isinstance(node, ast.UnaryOp) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)):
        terms = sorted(_terms(node, "+"))
        return terms[0][1:] if len(terms) == 1 and terms[0][0] == "+" else "(" + " ".join(terms) + ")"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        return "(" + " ".join(sorted(_factors(node, "*"))) + ")"
    if isinstance(node, ast.BinOp):
        return f"({_form(node.left)} {type(node.op).__name__} {_form(node.right)})"
    return ast.dump(node)


def _terms(node: ast.expr, sign: str) -> Iterator[str]:
    """Yields the signed terms of a sum, without its brackets."""
    other = "-" if sign == "+" else "+"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if isinstance(node.op, ast.Add) else other)
    elif isinstance(node, ast.UnaryOp):
        yield from _terms(node.operand, other if isinstance(node.op, ast.USub) else sign)
    else:
        yield sign + _form(node)


def _factors(node: ast.expr, sign: str) -> Iterator[str]:
    """Yields the factors of a product, each with `*` or `/`."""
    other = "/" if sign == "*" else "*"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        yield from _factors(node.left, sign)
        yield from _factors(node.right, sign if isinstance(node.op, ast.Mult) else other)
    else:
        yield sign + _form(node)


__all__ = ["SIGNS", "expression_form", "expression_key"]
