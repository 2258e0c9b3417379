"""The parts of a mathematical answer, built on SymPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

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
    """Several parts. `kind` is `list`, a pair of brackets, `cup` or `matrix`; the items of a matrix are its rows.

    Relations that must all hold are `all`, those of which one must hold are `any`.
    """

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
    """Returns a product. A decimal times a power of ten stays a decimal."""
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
    """Returns a power. Raises Unread before computing one that is too large."""
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


def symbols(answer: Any) -> frozenset[Any]:
    """Returns the letters and unknown functions in an answer."""
    if isinstance(answer, Scalar):
        return frozenset(answer.expr.free_symbols | {applied.func for applied in answer.expr.atoms(AppliedUndef)})
    if isinstance(answer, Relation):
        return symbols(answer.left) | symbols(answer.right)
    items = answer.items if isinstance(answer, Group) else answer
    return frozenset().union(*map(symbols, items))


def joined(clauses: list[Answer], links: set[str]) -> list[Answer]:
    """Returns the clauses as one where `or` is not `and`: inequalities, and equations of different letters.

    Solutions such as `x = 1 or x = 2` may be separated by any word. A comma between inequalities of the same letters
    can be either, so it is neither. Raises Unread where the words contradict each other.
    """
    plain = all(isinstance(c, Scalar | Group) and not _logical(c) for c in clauses)
    same = all(symbols(c) == symbols(clauses[0]) for c in clauses)
    if len(clauses) == 1 or plain or (same and not any(map(_logical, clauses))):
        return clauses
    if "or" in links and ("and" in links or (not same and len(links) > 1)):
        raise Unread("it mixes `or` with `and` or commas")
    kind = "any" if "or" in links else "list" if same and "and" not in links else "all"
    parts = [part for c in clauses for part in (c.items if isinstance(c, Group) and c.kind == kind == "all" else (c,))]
    return [Group(kind, tuple(parts))]


def _logical(answer: Answer) -> bool:
    """Returns whether it is an inequality, a membership or a combination of both."""
    if isinstance(answer, Group):
        return answer.kind in ("all", "any")
    return isinstance(answer, Relation) and answer.kind not in ("=", "is")


def relation(kind: str, a: Answer, b: Answer) -> Relation:
    if kind in (">", ">="):
        return Relation("<" + kind[1:], b, a)
    return Relation(kind, a, b)
