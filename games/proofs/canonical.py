"""The canonical form of a formula: the same for other names, orders of operands, and pairs of negations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

from games.proofs.formula import INDIVIDUALS, QUANTIFIERS, VARIABLES, Formula, names, show

_COMMUTING = ("&", "|", "<->", "=")
_MOST = 4
"""names whose orders are all tried; more names are numbered in the order of the text"""


def canonical_formula(formula: Formula) -> str:
    """Returns the form of a formula with at most `_MOST` letters; with more, commuted operands may tell it apart.

    >>> canonical_formula(("&", "r", ("~", ("~", "q")))) == canonical_formula(("&", "p", "s"))
    True
    """
    letters = [name for name in names(formula) if name not in (*INDIVIDUALS, *_SIGNS)]
    free = dict.fromkeys(_free(formula, frozenset()))
    orders = permutations(letters) if len(letters) <= _MOST else [letters]
    fresh = (*VARIABLES, *(f"x{i}" for i in range(len(letters))))
    individuals = {name: f"i{place}" for place, name in enumerate(free)}
    namings = (dict(zip(order, fresh, strict=False)) | individuals for order in orders)
    return min(show(_form(formula, named, 0)) for named in namings)


_SIGNS = ("~", "->", *_COMMUTING, *QUANTIFIERS)


def _free(formula: Formula, bound: frozenset[str]) -> Iterator[str]:
    """Yields the names of individuals that no quantifier binds."""
    if not isinstance(formula, tuple):
        if formula in INDIVIDUALS and formula not in bound:
            yield str(formula)
        return
    inner = bound | {formula[1]} if formula[0] in QUANTIFIERS else bound
    for part in formula[1:]:
        yield from _free(part, inner)


def _form(formula: Formula, named: Mapping[str, str], depth: int) -> Formula:
    """Returns a formula with other names, bound ones by the depth of their quantifier, and sorted operands."""
    if not isinstance(formula, tuple):
        return named.get(formula, formula)
    sign = formula[0]
    if sign in QUANTIFIERS:
        bound = f"b{depth}"
        return (sign, bound, _form(formula[2], {**named, formula[1]: bound}, depth + 1))
    operands = [_form(part, named, depth) for part in formula[1:]]
    if sign == "~" and isinstance(operands[0], tuple) and operands[0][0] == "~":
        return operands[0][1]
    return (sign, *(sorted(operands, key=show) if sign in _COMMUTING else operands))
