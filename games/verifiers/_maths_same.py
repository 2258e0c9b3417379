"""Decides whether two parsed answers are equal: by structure, then by proof. Numerical values only refute.

A decimal means exactly the fraction it denotes. A decimal of at least 12 significant digits also equals a number
without finite decimal expansion that rounds to it; this is the only tolerance, and it is relative.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy import Rational

from games.verifiers._maths_parts import Answer, Group, Relation, Scalar, symbols
from games.verifiers._maths_sets import same_set
from games.verifiers._maths_tokens import Unread
from games.verifiers._maths_units import Unit

DIGITS = 12
_UNORDERED = ("list", "{setset}", "cup", "all", "any")
_POINTS = (("7/5", "11/7"), ("23/9", "13/31"), ("-17/11", "29/13"))


def same(gold: Answer, answer: Answer) -> bool:
    """Returns whether two answers are equal. Raises Unread for a relation that is always true or always false."""
    if isinstance(gold, Scalar) and isinstance(answer, Scalar):
        return _scalars(gold, answer) or same_set(gold, answer)
    if isinstance(gold, Relation) and isinstance(answer, Relation) and (gold.kind == "in") == (answer.kind == "in"):
        return _relations(gold, answer)
    if isinstance(gold, Group) and isinstance(answer, Group) and _groups(gold, answer):
        return True
    return same_set(gold, answer)


def _groups(gold: Group, answer: Group) -> bool:
    kinds = {gold.kind, answer.kind}
    if len(kinds) > 1 and kinds != {"list", "{setset}"}:
        return False
    if gold.kind == "matrix":
        rows, others = gold.items, answer.items
        if [len(row) for row in rows] != [len(row) for row in others]:
            return False
        return all(same(x, y) for row, other in zip(rows, others, strict=True) for x, y in zip(row, other, strict=True))
    a, b = list(gold.items), list(answer.items)
    if kinds <= {"list", "{setset}"}:  # repeated elements of a set count once
        a, b = _once(a), _once(b)
    if len(a) != len(b):
        return False
    if gold.kind in _UNORDERED:
        return _matched(a, b)
    return all(same(x, y) for x, y in zip(a, b, strict=True))


def _once(items: Sequence[Answer]) -> list[Answer]:
    distinct: list[Answer] = []
    for item in items:
        if not any(same(item, other) for other in distinct):
            distinct.append(item)
    return distinct


def _matched(a: Sequence[Answer], b: Sequence[Answer]) -> bool:
    """Returns whether two collections match in any order. Equality is an equivalence, so greedy matching is exact."""
    left = list(b)
    for item in a:
        at = next((i for i, other in enumerate(left) if same(item, other)), None)
        if at is None:
            return False
        del left[at]
    return True


def _relations(gold: Relation, answer: Relation) -> bool:
    if gold.kind in ("is", "in"):
        return gold.kind == answer.kind and same(gold.left, answer.left) and same(gold.right, answer.right)
    ours, theirs = _difference(gold), _difference(answer)
    if gold.kind != answer.kind:
        return False
    ratio = sympy.cancel(sympy.together(ours / theirs))
    if ratio.free_symbols:
        ratio = sympy.simplify(ratio)
    if ratio.free_symbols or not ratio.is_finite or ratio == 0:
        return False
    return True if gold.kind in ("=", "!=") else bool(ratio.is_positive)


def _difference(relation: Relation) -> Any:
    left, right = relation.left, relation.right
    if not (isinstance(left, Scalar) and isinstance(right, Scalar)) or left.unit or right.unit:
        raise Unread("a relation between other things than expressions")
    difference = sympy.expand(left.expr - right.expr)
    if not symbols(Scalar(difference)) or not symbols(Scalar(sympy.simplify(difference))):
        raise Unread("it is always true or always false")
    return difference


def _scalars(gold: Scalar, answer: Scalar) -> bool:
    if gold.unit is not None or answer.unit is not None:
        if gold.unit is None or answer.unit is None or gold.unit.powers != answer.unit.powers:
            return bool(gold.unit == answer.unit)
        gold, answer = (_in_base(scalar, scalar.unit) for scalar in (gold, answer) if scalar.unit is not None)
    a, b = gold.expr, answer.expr
    if a == b:
        return True
    if sympy.oo in (a, b) or -sympy.oo in (a, b):
        return False
    if a.is_Rational and b.is_Rational:
        return (not _terminates(a) and _rounds(answer, a)) or (not _terminates(b) and _rounds(gold, b))
    if not (a.free_symbols or b.free_symbols) and (_rounds(gold, b) or _rounds(answer, a)):
        return True
    return not _refuted(a, b) and _is_zero(a - b)


def _in_base(scalar: Scalar, unit: Unit) -> Scalar:
    factor = Rational(unit.factor.numerator, unit.factor.denominator)
    return Scalar(scalar.expr * factor, scalar.digits, scalar.last * factor)


def _terminates(value: Any) -> bool:
    """Returns whether a fraction has a finite decimal expansion, so that no rounding is needed."""
    q = int(value.q)
    for prime in (2, 5):
        while q % prime == 0:
            q //= prime
    return q == 1


def _rounds(decimal: Scalar, value: Any) -> bool:
    """Returns whether a real number, rounded or truncated, gives this decimal, which needs enough digits."""
    if decimal.digits < DIGITS or _terminates_nearby(value):
        return False
    distance = sympy.N(value - decimal.expr, 30, maxn=1000)
    return bool(distance.is_real and abs(distance) < decimal.last)


def _terminates_nearby(value: Any) -> bool:
    """Returns whether a value such as log 8 / log 2 is, to 50 digits, a fraction with a finite decimal expansion."""
    number = sympy.N(value, 60, maxn=1000)
    if not number.is_real or not number.is_finite:
        return False
    nearest = Rational(Fraction(str(number)).limit_denominator(10**6))
    return _terminates(nearest) and bool(abs(number - nearest) < sympy.Float("1e-50") * max(1, abs(number)))


def _refuted(a: Any, b: Any) -> bool:
    """Returns whether the values at some point differ by more than rounding errors."""
    names = sorted((a.free_symbols | b.free_symbols), key=str)
    for first, step in _POINTS if names else _POINTS[:1]:
        point = {name: Rational(first) + i * Rational(step) for i, name in enumerate(names)}
        x, y = (sympy.N(side.subs(point), 40, maxn=500) for side in (a, b))
        if not (x.is_number and y.is_number and x.is_finite and y.is_finite):
            continue
        if abs(x - y) > sympy.Float("1e-25") * max(abs(x), abs(y)):
            return True
    return False


def _is_zero(difference: Any) -> bool:
    """Returns whether an expression can be proved to be zero; False if no proof is found."""
    steps = (
        sympy.expand,
        lambda d: sympy.cancel(sympy.together(d)),
        lambda d: sympy.radsimp(sympy.sqrtdenest(d)),
        sympy.simplify,
        lambda d: sympy.expand_log(sympy.expand(d)),
        lambda d: sympy.simplify(sympy.expand(d, trig=True, complex=False)),
    )
    for step in steps:
        if step(difference) == 0:
            return True
    return bool(difference.equals(0) is True)
