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

from games.proofs.formula import (
    INDIVIDUALS,
    QUANTIFIERS,
    VARIABLES,
    Formula,
    NotAFormula,
    joined,
    parts,
    refutation,
    size,
)

_SIGNS = {
    "->": ("->", "=>", "→", "⊃"),
    "<->": ("<->", "<=>", "↔", "≡"),
    "&": ("&", "/\\", "∧", "and"),
    "|": ("|", "\\/", "∨", "or"),
    "~": ("~", "-.", "¬", "!", "not"),
    "forall": ("forall", "A.", "∀", "all"),
    "exists": ("exists", "E.", "∃", "some"),
    "=": ("=",),
    "in": ("in", "e.", "∈"),
}
_SIGN = {written: sign for sign, forms in _SIGNS.items() for written in forms}
_TOKEN = re.compile(r"\s*(<->|<=>|->|=>|/\\|\\/|-\.|A\.|E\.|e\.|[→⊃↔≡∧∨¬∀∃∈&|~!=()\[\]]|[A-Za-z]+)")
_LOOSEST = ("<->", "->", "|", "&")
_DEEPEST = 60
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
    if len(text) > 20 * largest:
        raise NotAFormula(f"it is longer than {20 * largest} characters")
    tokens, at = [], 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise NotAFormula(f"{text[at:].strip()[:12]!r} cannot be read")
        tokens.append(_SIGN.get(match[1], match[1]))
        at = match.end()
    tokens.reverse()
    found = _loose(tokens, 0, 0)
    if tokens:
        raise NotAFormula(f"{tokens[-1][:12]!r} follows the end of the formula")
    if size(found) > largest:
        raise NotAFormula(f"it has {size(found)} names and signs; at most {largest} are allowed")
    if _nested(found) > _MOST_NESTED:
        raise NotAFormula(f"it has more than {_MOST_NESTED} quantifiers within each other")
    return found


def _nested(formula: Formula) -> int:
    if not isinstance(formula, tuple):
        return 0
    return (formula[0] in QUANTIFIERS) + max(map(_nested, formula[1:]))


def _loose(tokens: list[str], level: int, depth: int) -> Formula:
    if level == len(_LOOSEST):
        return _tight(tokens, depth + 1)
    left = _loose(tokens, level + 1, depth)
    sign = _LOOSEST[level]
    if tokens and tokens[-1] == sign:
        if depth > _DEEPEST:
            raise NotAFormula("it is nested too deep")
        tokens.pop()
        return (sign, left, _loose(tokens, level, depth + 1))
    return left


def _tight(tokens: list[str], depth: int) -> Formula:
    if not tokens:
        raise NotAFormula("it ends too early")
    if depth > _DEEPEST:
        raise NotAFormula("it is nested too deep")
    token = tokens.pop()
    if token == "~":
        return ("~", _tight(tokens, depth + 1))
    if token in QUANTIFIERS:
        return (token, _individual(tokens), _tight(tokens, depth + 1))
    if token in ("(", "["):
        inner = _loose(tokens, 0, depth + 1)
        if not tokens or tokens.pop() != {"(": ")", "[": "]"}[token]:
            raise NotAFormula("a bracket is not closed")
        return inner
    if token in INDIVIDUALS and tokens and tokens[-1] in ("=", "in"):
        return (tokens.pop(), token, _individual(tokens))
    if token in VARIABLES:
        return token
    raise NotAFormula(f"{token[:12]!r} is none of the names {', '.join(VARIABLES)}, and no part of a formula")


def _individual(tokens: list[str]) -> str:
    found = tokens.pop() if tokens else "the end"
    if found not in INDIVIDUALS:
        raise NotAFormula(f"one of {', '.join(INDIVIDUALS)} is needed, not {found[:12]!r}")
    return found


def propositional_only(formula: Formula) -> bool:
    """Whether a formula has no quantifier and no equation, so that truth tables decide it."""
    return all(not isinstance(p, tuple) or p[0] not in (*QUANTIFIERS, "=", "in") for p in parts(formula))


def decide(formula: Formula) -> Decided:
    """Whether a formula is true, as far as it can be decided."""
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
    """Models with all values of x, y, z, evenly spread over the possible ones if those are too many."""
    found = [part for part in parts(formula) if isinstance(part, str)]
    used = [v for v in INDIVIDUALS if v in found]
    letters = [v for v in VARIABLES if v in found]
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
        if sign in ("=", "in"):
            a, b = now[used.index(part[1])], now[used.index(part[2])]
            return a == b if sign == "=" else bool(model.related >> (a * model.elements + b) & 1)
        return joined(sign, true(part[1], now), true(part[2], now))

    return true(formula, model.now)
