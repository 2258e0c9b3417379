"""The canonical form of an arithmetic expression: the same text for every order of its operands and for every wording.

`4 + 3`, `3+4.0`, `(3) - -4 + 0` and `Calculate 4 + 3.` have one form, so they are one task. Other sums with the same
value keep forms of their own.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from games.quoting import byte_length

_CANDIDATE = re.compile(r"[-+*/^×·÷().\d\s]*\d")
SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-"})
_LONGEST = 500
"""bytes of an expression, at most: deeper ones are not arithmetic questions"""
_SUM, _PRODUCT = ast.Add | ast.Sub, ast.Mult | ast.Div
_MINUS = "minus"
_OPPOSITE = {"+": "-", "-": "+", "*": "/", "/": "*"}


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
    if isinstance(node, ast.UnaryOp) or (isinstance(node, ast.BinOp) and isinstance(node.op, _SUM | _PRODUCT)):
        return _joined(_reduced(_terms(node, "+"), "0"), "+", "0")
    if isinstance(node, ast.BinOp):
        return f"({_form(node.left)} {type(node.op).__name__} {_form(node.right)})"
    return ast.dump(node)


def _reduced(parts: Iterator[str], neutral: str) -> list[str]:
    """Returns the parts of a sum or product that count: without neutral ones and pairs of opposites, sorted."""
    counts = Counter(part for part in parts if part[1:] != neutral)
    for part in list(counts):
        other = _OPPOSITE[part[0]] + part[1:]
        both = min(counts[part], counts[other])
        counts[part] -= both
        counts[other] -= both
    return sorted(counts.elements())


def _joined(parts: list[str], plain: str, neutral: str) -> str:
    if len(parts) == 1 and parts[0][0] == plain:
        return parts[0][1:]
    return "(" + " ".join(parts) + ")" if parts else neutral


def _terms(node: ast.expr, sign: str) -> Iterator[str]:
    """Yields the signed terms of a sum, without its brackets."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _SUM):
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if isinstance(node.op, ast.Add) else _OPPOSITE[sign])
    elif isinstance(node, ast.UnaryOp):
        yield from _terms(node.operand, _OPPOSITE[sign] if isinstance(node.op, ast.USub) else sign)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, _PRODUCT):
        factors = list(_factors(node, "*"))
        negative = sum(factor[1:] == _MINUS for factor in factors) % 2
        rest = [factor for factor in factors if factor[1:] != _MINUS]
        form = "0" if "*0" in rest else _joined(_reduced(iter(rest), "1"), "*", "1")
        yield (_OPPOSITE[sign] if negative else sign) + form
    else:
        yield sign + _form(node)


def _factors(node: ast.expr, sign: str) -> Iterator[str]:
    """Yields the factors of a product, each with `*` or `/`; a minus is a factor of its own."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _PRODUCT):
        yield from _factors(node.left, sign)
        yield from _factors(node.right, sign if isinstance(node.op, ast.Mult) else _OPPOSITE[sign])
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.USub):
            yield sign + _MINUS
        yield from _factors(node.operand, sign)
    else:
        form = _form(node)
        if form[:2] == "(-" and " " not in form:
            yield sign + _MINUS
            form = form[2:-1]
        yield sign + form


__all__ = ["SIGNS", "expression_form", "expression_key"]
