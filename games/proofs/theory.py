"""The built-in theory: propositional logic with three axioms, modus ponens, and lemmas proved from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from games.proofs.database import Assertion, Database
from games.proofs.formula import Formula
from games.proofs.kernel import check

PROPOSITIONAL = Path(__file__).with_name("propositional.mm")


@dataclass(frozen=True, slots=True)
class Rule:
    """An axiom, rule or lemma. `order` lists its mandatory hypotheses: a variable, or "" for a premise."""

    label: str
    premises: tuple[Formula, ...]
    conclusion: Formula
    variables: tuple[str, ...]
    order: tuple[str, ...]
    proved: bool


@dataclass(frozen=True, slots=True)
class Theory:
    """A database whose proofs have all been checked, and its rules by label."""

    database: Database
    rules: Mapping[str, Rule]


@lru_cache(1)
def propositional() -> Theory:
    """Return the theory of `propositional.mm`."""
    return read(PROPOSITIONAL.read_text(encoding="ascii"))


def read(text: str) -> Theory:
    """Parse a theory in the language of `propositional.mm`. Raises BadDatabase, and BadProof for an unproved lemma."""
    database = Database(text)
    for assertion in database.assertions.values():
        if assertion.proof is not None:
            check(database, assertion)
    provable = [a for a in database.assertions.values() if database.decode(a.expression[0]) == "|-"]
    return Theory(database, {a.label: _rule(database, a) for a in provable})


def tokens(formula: Formula) -> list[str]:
    """Return a formula in the symbols of the database."""
    if isinstance(formula, str):
        return [formula]
    if formula[0] == "~":
        return ["-.", *tokens(formula[1])]
    return ["(", *tokens(formula[1]), "->", *tokens(formula[2]), ")"]


def _rule(database: Database, assertion: Assertion) -> Rule:
    hypotheses = assertion.hypotheses
    order = tuple(database.decode(h.variable) if h.variable else "" for h in hypotheses)
    premises = tuple(_formula(database, h.expression) for h in hypotheses if not h.variable)
    return Rule(
        assertion.label,
        premises,
        _formula(database, assertion.expression),
        tuple(v for v in order if v),
        order,
        assertion.proof is not None,
    )


def _formula(database: Database, expression: str) -> Formula:
    """Return the formula of `|- ...`."""
    words = database.decode(expression).split()[:0:-1]

    def one() -> Formula:
        word = words.pop()
        if word == "-.":
            return ("~", one())
        if word != "(":
            return word
        left = one()
        words.pop()
        right = one()
        words.pop()
        return ("->", left, right)

    return one()
