"""The parts of a mathematical answer, built on SymPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from games.verifiers._maths_tokens import Unread
from games.verifiers._maths_units import Unit

_LARGEST = 20_000  # binary digits of a number


@dataclass(frozen=True, slots=True)
class Scalar:
    """An expression. A plain decimal number also has its significant digits and the value of the last one."""

    expr: Any
    digits: int = 0
    last: Any = 0
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Several parts. `kind` is `list`, a pair of brackets, `cup` or `matrix`; the items of a matrix are its rows."""

    kind: str
    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation such as `a = b`. A chain `a < b < c` becomes a list of two; `a > b` becomes `b < a`."""

    kind: str
    left: Any
    right: Any


Answer = Scalar | Group | Relation


def expr(answer: Answer) -> Any:
    if not isinstance(answer, Scalar) or answer.unit is not None:
        raise Unread("something other than an expression where one is needed")
    return answer.expr


def decimal(answer: Answer) -> tuple[int, Any]:
    return (answer.digits, answer.last) if isinstance(answer, Scalar) else (0, 0)


def times(a: Scalar, b: Answer, value: Any) -> Scalar:
    """Return a product. A decimal times a power of ten stays a decimal."""
    product = a.expr * value
    digits, last = decimal(a)
    shifted = digits and value.is_Rational and value > 0 and str(value.p * value.q).strip("0") == "1"
    return Scalar(product, digits, last * value) if shifted else Scalar(product)


def finite(answer: Scalar) -> Scalar:
    expr = answer.expr
    if expr in (sympy.oo, -sympy.oo):
        return answer
    if expr.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
        raise Unread("it is not finite")
    return answer


def power(base: Any, exponent: Any) -> Any:
    """Return a power. Raises Unread before computing one that is too large."""
    if exponent.is_Rational and (base.is_Rational or base.is_number):
        size = max(abs(base.p), abs(base.q)).bit_length() if base.is_Rational else 64
        if size * abs(exponent) > _LARGEST:
            raise Unread("a power is too large")
    elif (exponent.is_number and base.is_number and abs(sympy.N(exponent, 5)) > 1000) or (
        exponent.is_Integer and abs(exponent) > 200 and not base.is_Symbol
    ):
        raise Unread("a power is too large")
    if base == 0 and not (exponent.is_number and exponent.is_positive):
        raise Unread("zero to a power that is not positive")
    return base**exponent


def relation(kind: str, a: Answer, b: Answer) -> Relation:
    if kind in (">", ">="):
        return Relation("<" + kind[1:], b, a)
    return Relation(kind, a, b)
