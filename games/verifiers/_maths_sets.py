r"""Sets of real numbers in different notations: (2, 5) is 2 < x < 5, {1, 2} is "x = 1 or x = 2"."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import FiniteSet, Interval, S, Symbol
from sympy.core.function import AppliedUndef

from games.verifiers._maths_parts import Answer, Group, Relation, Scalar

_REALS = Symbol("mathbb R")
_BRACKETS = {"()": (True, True), "[]": (False, False), "(]": (True, False), "[)": (False, True)}


def same_set(one: Answer, other: Answer) -> bool:
    """Returns whether two answers in different notations are the same set; False if one of them is no set of numbers.

    At least one side names a letter or all real numbers: (1, 2) alone can be a point, and is no set then.
    """
    first, second = _solutions(one), _solutions(other)
    sets = [_plain(side) if solutions is None else solutions[1] for side, solutions in ((one, first), (other, second))]
    letters = {solutions[0] for solutions in (first, second) if solutions is not None}
    if first is None and second is None and not _all_reals(one) and not _all_reals(other):
        return False
    if None in sets or len(letters) > 1:
        return False
    return bool(sets[0] == sets[1])


def _all_reals(answer: Answer) -> bool:
    return isinstance(answer, Scalar) and answer.expr == _REALS


def _solutions(answer: Answer) -> tuple[Any, Any] | None:
    """Returns the letter that an answer restricts, and its possible values."""
    if isinstance(answer, Relation):
        return _relation(answer)
    if isinstance(answer, Group) and answer.kind in ("all", "any", "list") and answer.items:
        parts = [_solutions(item) for item in answer.items]
        if any(part is None for part in parts):
            return None
        made = [part for part in parts if part is not None]
        if len({letter for letter, _ in made}) > 1 or (answer.kind == "list" and not _equations(answer)):
            return None
        joined = sympy.Intersection if answer.kind == "all" else sympy.Union
        return made[0][0], joined(*(values for _, values in made))
    return None


def _equations(answer: Group) -> bool:
    return all(isinstance(item, Relation) and item.kind == "=" for item in answer.items)


def _relation(answer: Relation) -> tuple[Any, Any] | None:
    if answer.kind == "in":
        values = _plain(answer.right)
        letter = answer.left.expr if isinstance(answer.left, Scalar) else None
        return (letter, values) if isinstance(letter, Symbol) and values is not None else None
    left, right = (side.expr if _number_or_letter(side) else None for side in (answer.left, answer.right))
    if left is None or right is None:
        return None
    if not _real(right):  # 2 < x
        if not _real(left):
            return None
        return _bounded(right, left, answer.kind, above=False)
    return _bounded(left, right, answer.kind, above=True)


def _number_or_letter(side: Answer) -> bool:
    return isinstance(side, Scalar) and side.unit is None


def _real(value: Any) -> bool:
    return not value.free_symbols and (value in (sympy.oo, -sympy.oo) or value.is_real is True)


def _bounded(inside: Any, bound: Any, kind: str, above: bool) -> tuple[Any, Any] | None:
    """Returns the values of a letter, or of its absolute value, on one side of a bound."""
    values = {
        "<": Interval.open(-sympy.oo, bound) if above else Interval.open(bound, sympy.oo),
        "<=": Interval(-sympy.oo, bound) if above else Interval(bound, sympy.oo),
        "=": FiniteSet(bound),
        "!=": S.Reals - FiniteSet(bound),
    }.get(kind)
    if values is None:
        return None
    if isinstance(inside, Symbol | AppliedUndef) and inside != _REALS:
        return inside, values
    if isinstance(inside, sympy.Abs) and isinstance(inside.args[0], Symbol):
        distances = sympy.Intersection(values, Interval(0, sympy.oo))
        mirrored = sympy.imageset(sympy.Lambda(inside.args[0], -inside.args[0]), distances)
        return inside.args[0], sympy.Union(distances, mirrored)
    return None


def _plain(answer: Answer) -> Any | None:
    """Returns the set that a notation without a letter names: an interval, a union, numbers in braces or in a list."""
    if isinstance(answer, Scalar):
        return S.Reals if answer.expr in (_REALS, Symbol("R")) else None
    if not isinstance(answer, Group):
        return None
    if answer.kind == "cup":
        parts = [_plain(item) for item in answer.items]
        return None if None in parts else sympy.Union(*parts)
    numbers = [item.expr for item in answer.items if _number_or_letter(item) and _real(item.expr)]
    if len(numbers) != len(answer.items):
        return None
    if answer.kind in ("{setset}", "list"):
        return FiniteSet(*numbers)
    if answer.kind in _BRACKETS and len(numbers) == 2 and bool(numbers[0] < numbers[1]):
        return Interval(*numbers, *_BRACKETS[answer.kind])
    return None
