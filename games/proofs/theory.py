"""Theories: the built-in one is propositional logic with three axioms, modus ponens, and lemmas proved from them.

Another one is read from set.mm (`games.proofs.setmm`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from games.proofs.database import Assertion, Database
from games.proofs.formula import QUANTIFIERS, VARIABLES, Formula, show
from games.proofs.kernel import check

PROPOSITIONAL = Path(__file__).with_name("propositional.mm")
SIGNS = {"->": "->", "&": "/\\", "|": "\\/", "<->": "<->", "=": "=", "in": "e.", "forall": "A.", "exists": "E."}
"""sign of a formula -> symbol of a database, as in set.mm"""
LEMMA = "lemma"
"""the label of a lemma that a match adds to its theory"""
_SIGN = {symbol: sign for sign, symbol in SIGNS.items()}
BUILDERS = {
    "~": "wn", "->": "wi", "&": "wa", "|": "wo", "<->": "wb", "=": "weq", "in": "wel", "forall": "wal", "exists": "wex",
}  # fmt: skip
"""sign of a formula -> the assertion that builds such a formula"""


@dataclass(frozen=True, slots=True)
class Rule:
    """An axiom, rule or lemma. `order` lists its mandatory hypotheses: a variable, or "" for a premise."""

    label: str
    premises: tuple[Formula, ...]
    conclusion: Formula
    variables: tuple[str, ...]
    order: tuple[str, ...]
    proved: bool

    def line(self) -> str:
        """Returns the rule as players read it."""
        premises = ", ".join(map(show, self.premises))
        return f"{self.label}: {f'from {premises} infer ' if premises else ''}{show(self.conclusion)}"


@dataclass(frozen=True, slots=True)
class Theory:
    """A database whose proofs have all been checked, and its rules by label.

    `symbols`: name in a formula -> (symbol of the database, label that states its type). `closed`: a proof uses no
    other provable assertion of the database than the rules.
    """

    database: Database
    rules: Mapping[str, Rule]
    symbols: Mapping[str, tuple[str, str]] = field(default_factory=lambda: {v: (v, f"w{v}") for v in VARIABLES})
    closed: bool = False

    def tokens(self, formula: Formula) -> list[str]:
        """Returns a formula in the symbols of the database."""
        if isinstance(formula, str):
            return [self.symbols[formula][0]]
        sign = formula[0]
        if sign == "~":
            return ["-.", *self.tokens(formula[1])]
        first, second = self.tokens(formula[1]), self.tokens(formula[2])
        if sign in QUANTIFIERS:
            return [SIGNS[sign], *first, *second]
        both = [*first, SIGNS[sign], *second]
        return both if sign in ("=", "in") else ["(", *both, ")"]

    def builds(self, formula: Formula) -> list[str]:
        """Returns the labels that prove a formula well-formed."""
        if isinstance(formula, str):
            return [self.symbols[formula][1]]
        sign, *inner = formula
        if sign in QUANTIFIERS:  # set.mm states the type of formulas before that of individuals
            inner.reverse()
        return [*(label for part in inner for label in self.builds(part)), BUILDERS[sign]]

    def spelled_out(self, labels: Sequence[str]) -> bool:
        """Returns whether a proof has labels that occur only in full proofs."""
        return not self._syntax().isdisjoint(labels)

    def unlisted(self, labels: Sequence[str]) -> str:
        """Returns the first label that a closed theory does not offer, or ""."""
        offered = self.rules.keys() | self._syntax() if self.closed else labels
        return next((label for label in labels if label not in offered), "")

    def _syntax(self) -> set[str]:
        return {*BUILDERS.values(), *(label for _, label in self.symbols.values())}


@lru_cache(1)
def propositional() -> Theory:
    """Returns the theory of `propositional.mm`."""
    return read(PROPOSITIONAL.read_text(encoding="ascii"))


def read(text: str) -> Theory:
    """Parse a theory in the language of `propositional.mm`. Raises BadDatabase, and BadProof for an unproved lemma."""
    database = Database(text)
    for assertion in database.assertions.values():
        if assertion.proof is not None:
            check(database, assertion)
    return Theory(database, rules_of(database, {}))


def rules_of(database: Database, names: Mapping[str, str]) -> dict[str, Rule]:
    """Returns the provable assertions whose formulas have only SIGNS. `names`: symbol of a variable -> name."""
    provable = (a for a in database.assertions.values() if database.decode(a.expression[0]) == "|-")
    candidates = ((a, _rule(database, a, names)) for a in provable)
    return {a.label: rule for a, rule in candidates if rule is not None}


class _OtherSigns(Exception):
    """An expression has other signs than SIGNS."""


def _rule(database: Database, assertion: Assertion, names: Mapping[str, str]) -> Rule | None:
    hypotheses = assertion.hypotheses
    try:
        premises = tuple(_formula(database, h.expression, names) for h in hypotheses if not h.variable)
        conclusion = _formula(database, assertion.expression, names)
    except _OtherSigns:
        return None
    order = tuple(names.get(v, v) for v in (database.decode(h.variable) for h in hypotheses))
    proved = assertion.proof is not None
    return Rule(assertion.label, premises, conclusion, tuple(v for v in order if v), order, proved)


def _formula(database: Database, expression: str, names: Mapping[str, str]) -> Formula:
    """Returns the formula of `|- ...`. Raises _OtherSigns."""
    words = database.decode(expression).split()[:0:-1]

    def pop() -> str:
        if not words:
            raise _OtherSigns
        return words.pop()

    def name() -> str:
        word = pop()
        if (word not in names and names) or not word.isalpha():
            raise _OtherSigns
        return names.get(word, word)

    def one() -> Formula:
        sign = _SIGN.get(word := pop(), word)
        if sign == "-.":
            return ("~", one())
        if sign in QUANTIFIERS:
            return (sign, name(), one())
        if sign == "(":
            left, between, right = one(), _SIGN.get(pop(), ""), one()
            if pop() != ")" or between not in ("->", "&", "|", "<->"):
                raise _OtherSigns
            return (between, left, right)
        words.append(word)
        first = name()
        if words and words[-1] in ("=", "e."):
            return (_SIGN[pop()], first, name())
        return first

    formula = one()
    if words:
        raise _OtherSigns
    return formula
