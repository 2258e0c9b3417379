"""Formulas of propositional logic with implication and negation: parsing, printing, deciding, comparing.

A formula is a name (`"p"`), `("~", a)` or `("->", a, b)`. In proofs under construction, a number represents a formula
that is not known yet. `games.proofs.first_order` parses formulas with more signs: `("&", a, b)`, `("|", a, b)`,
`("<->", a, b)`, `("forall", "x", a)`, `("exists", "x", a)`, `("=", "x", "y")` and `("in", "x", "y")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from games.proofs.grammar import INDIVIDUALS, QUANTIFIERS, VARIABLES, Formula, Grammar, NotAFormula, size

__all__ = [
    "INDIVIDUALS",
    "QUANTIFIERS",
    "VARIABLES",
    "Formula",
    "NotAFormula",
    "instance",
    "joined",
    "names",
    "parse",
    "parts",
    "refutation",
    "renamed",
    "replaced",
    "show",
    "size",
]

_GRAMMAR = Grammar(
    re.compile(r"\s*(->|=>|→|⊃|\\to\b|\\rightarrow\b|-\.|~|¬|!|\\neg\b|\\lnot\b|[()\[\]]|[A-Za-z]+)"),
    {"->": ("->", "=>", "→", "⊃", "\\to", "\\rightarrow"), "~": ("-.", "~", "¬", "!", "\\neg", "\\lnot", "not")},
    joining=("->",),
)


def parse(text: str, largest: int = 60) -> Formula:
    """Parse a formula; `->` is right-associative. Raises NotAFormula.

    `largest` bounds its size (names and connectives). Round and square brackets are allowed in pairs.

    >>> parse("p -> q -> ~p")
    ('->', 'p', ('->', 'q', ('~', 'p')))
    """
    return _GRAMMAR.parse(text, largest)


def show(formula: Formula) -> str:
    """Print a formula in a unique form that `parse` accepts.

    >>> show(("->", ("~", "p"), ("->", "q", "p")))
    '~p -> (q -> p)'
    """
    if isinstance(formula, tuple) and len(formula) == 3 and formula[0] not in QUANTIFIERS:
        return f"{_inner(formula[1])} {formula[0]} {_inner(formula[2])}"
    return _inner(formula)


def _inner(formula: Formula) -> str:
    if not isinstance(formula, tuple):
        return str(formula)
    if formula[0] == "~":
        return f"~{_inner(formula[1])}"
    if formula[0] in QUANTIFIERS:
        return f"{formula[0]} {formula[1]} {_inner(formula[2])}"
    return f"({show(formula)})"


def names(formula: Formula) -> list[str]:
    """Returns the names in a formula, in order of first occurrence."""
    return list(dict.fromkeys(f for f in parts(formula) if isinstance(f, str)))


def parts(formula: Formula) -> Iterator[Formula]:
    """Yields the formula and all its subformulas, from the left."""
    yield formula
    if isinstance(formula, tuple):
        for part in formula[1:]:
            yield from parts(part)


def replaced(formula: Formula, values: dict[Any, Formula]) -> Formula:
    """Substitute values for the names (or numbers) of a formula."""
    if isinstance(formula, tuple):
        return (formula[0], *(replaced(part, values) for part in formula[1:]))
    return values.get(formula, formula)


def renamed(formula: Formula) -> Formula:
    """Rename the names to p, q, ... in order, so that formulas that differ only in these names become equal."""
    letters = [f for f in dict.fromkeys(parts(formula)) if not isinstance(f, tuple) and f not in INDIVIDUALS]
    return replaced(formula, dict(zip(letters, (*VARIABLES, *(f"x{i}" for i in range(len(letters)))), strict=False)))


def refutation(formula: Formula) -> dict[str, bool] | None:
    """Returns values of the names that make a formula false, or None if it is true for all 2**n.

    None means provable: propositional logic is complete. The formula has no quantifier and no equation.
    """
    letters = names(formula)
    for values in product((False, True), repeat=len(letters)):
        assignment = dict(zip(letters, values, strict=True))
        if not _value(formula, assignment):
            return assignment
    return None


def _value(formula: Formula, assignment: dict[str, bool]) -> bool:
    if isinstance(formula, str):
        return assignment[formula]
    if formula[0] == "~":
        return not _value(formula[1], assignment)
    return joined(formula[0], _value(formula[1], assignment), _value(formula[2], assignment))


def joined(sign: str, a: bool, b: bool) -> bool:
    """Returns the truth of two formulas joined by ->, &, | or <->."""
    if sign == "->":
        return not a or b
    return (a and b) if sign == "&" else (a or b) if sign == "|" else a == b


def instance(formula: Formula, of: Formula, values: dict[str, Formula] | None = None) -> bool:
    """Returns whether a formula is an instance of another one."""
    values = {} if values is None else values
    if isinstance(of, str):
        return bool(values.setdefault(of, formula) == formula)
    return (
        isinstance(formula, tuple)
        and formula[0] == of[0]
        and all(instance(a, b, values) for a, b in zip(formula[1:], of[1:], strict=True))
    )
