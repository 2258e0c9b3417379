"""Formulas with all signs of first-order logic: parsing, and what can be decided about their truth.

A letter p to t stands for any formula, in which x, y, z may occur: formulas are schemes, as in set.mm. Truth tables
decide a formula without quantifiers and equations exactly. Of others a model with one or two elements may refute it;
if none does, it is unknown whether it is provable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from math import prod
from typing import Literal, NamedTuple

from games.proofs.formula import joined, parts, refutation
from games.proofs.grammar import EQUATIONS, INDIVIDUALS, QUANTIFIERS, VARIABLES, Formula, Grammar, NotAFormula

_GRAMMAR = Grammar(
    re.compile(r"\s*(<->|<=>|->|=>|/\\|\\/|-\.|A\.|E\.|e\.|[→⊃↔≡∧∨¬∀∃∈&|~!=()\[\]]|[A-Za-z]+)"),
    {
        "->": ("->", "=>", "→", "⊃"),
        "<->": ("<->", "<=>", "↔", "≡"),
        "&": ("&", "/\\", "∧", "and"),
        "|": ("|", "\\/", "∨", "or"),
        "~": ("~", "-.", "¬", "!", "not"),
        "forall": ("forall", "A.", "∀", "all"),
        "exists": ("exists", "E.", "∃", "some"),
        "=": ("=",),
        "in": ("in", "e.", "∈"),
    },
    joining=("<->", "->", "|", "&"),
)
_MOST_MODELS = 1500
"""models that are tried for each number of elements"""
_MOST_NESTED = 3
"""quantifiers within quantifiers, at most: each doubles the time of `decide`"""

Truth = Literal["true", "false", "unknown"]


class Decided(NamedTuple):
    """Whether a formula is true, and if it is false why."""

    truth: Truth
    reason: str = ""


def parse_any(text: str, largest: int = 60) -> Formula:
    """Parse a formula; `->` is right-associative, & binds tighter than |, | than ->. Raises NotAFormula.

    `largest` bounds its size (names and signs).

    >>> parse_any("forall x (p & q) -> exists x p")
    ('->', ('forall', 'x', ('&', 'p', 'q')), ('exists', 'x', 'p'))
    """
    formula = _GRAMMAR.parse(text, largest)
    if _nested(formula) > _MOST_NESTED:
        raise NotAFormula(f"it has more than {_MOST_NESTED} quantifiers within each other")
    return formula


def _nested(formula: Formula) -> int:
    if not isinstance(formula, tuple):
        return 0
    return (formula[0] in QUANTIFIERS) + max(map(_nested, formula[1:]))


def propositional_only(formula: Formula) -> bool:
    """Returns whether a formula has no quantifier and no equation, so that truth tables decide it."""
    return all(not isinstance(p, tuple) or p[0] not in (*QUANTIFIERS, *EQUATIONS) for p in parts(formula))


def decide(formula: Formula) -> Decided:
    """Returns whether a formula is true, as far as it can be decided."""
    if propositional_only(formula):
        refuted = refutation(formula)
        if refuted is None:
            return Decided("true")
        values = " and ".join(f"{name} is {str(value).lower()}" for name, value in refuted.items())
        return Decided("false", f"it is false if {values}")
    for elements in (1, 2):
        if any(not _holds(formula, model) for model in islice(_models(formula, elements), _MOST_MODELS)):
            return Decided("false", f"it is false in a model with {elements} element{'s' * (elements > 1)}")
    return Decided("unknown")


class _Model(NamedTuple):
    """`letters`: for each letter its truth for all values of x, y, z. `related`: the pairs for which `in` holds."""

    elements: int
    places: Mapping[str, int]
    letters: Mapping[str, int]
    related: int
    now: tuple[int, ...]


def _models(formula: Formula, elements: int) -> Iterator[_Model]:
    """Yields all models with all values of x, y, z, or an even selection if there are too many."""
    leaves = [part for part in parts(formula) if isinstance(part, str)]
    used = [v for v in INDIVIDUALS if v in leaves]
    letters = [v for v in VARIABLES if v in leaves]
    cells = elements ** len(used)
    tables, relations = 2**cells, 2 ** (elements**2)
    many = prod([tables] * len(letters)) * relations * cells
    step = max(1, many // _MOST_MODELS) | 1  # odd, so that no power of two hides behind it
    places = {v: elements**i for i, v in enumerate(used)}
    for n in range(0, many, step):
        n, at = divmod(n, cells)
        n, related = divmod(n, relations)
        truth = {}
        for letter in letters:
            n, truth[letter] = divmod(n, tables)
        values = tuple(at // places[v] % elements for v in used)
        yield _Model(elements, places, truth, related, values)


def _holds(formula: Formula, model: _Model) -> bool:
    used = list(model.places)

    def true(part: Formula, now: tuple[int, ...]) -> bool:
        if isinstance(part, str):
            cell = sum(value * model.places[v] for v, value in zip(used, now, strict=True))
            return bool(model.letters[part] >> cell & 1)
        sign = part[0]
        if sign == "~":
            return not true(part[1], now)
        if sign in QUANTIFIERS:
            i = used.index(part[1])
            each = (true(part[2], (*now[:i], e, *now[i + 1 :])) for e in range(model.elements))
            return all(each) if sign == "forall" else any(each)
        if sign in EQUATIONS:
            a, b = now[used.index(part[1])], now[used.index(part[2])]
            return a == b if sign == "=" else bool(model.related >> (a * model.elements + b) & 1)
        return joined(sign, true(part[1], now), true(part[2], now))

    return true(formula, model.now)
