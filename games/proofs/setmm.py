"""The propositional and first-order part of set.mm, the largest database of Metamath, from Debian's package.

Only the text before the axioms of set theory is read: 1.5 of its 36 million characters. Formulas with other signs than
those of `games.proofs.first_order` (substitution, three-way conjunction, classes) and rules with more individuals than
x, y, z are left out.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from games.errors import InputError
from games.proofs.condensed import LONGEST
from games.proofs.database import Assertion, Database, Hypothesis
from games.proofs.formula import INDIVIDUALS, VARIABLES, names
from games.proofs.judge import judge
from games.proofs.kernel import BadProof, steps
from games.proofs.theory import Rule, Theory, rules_of

FILE = Path("/usr/share/metamath/databases/set.mm")
_END = "\n    ax-ext $a "
"""the first axiom of set theory"""
_LETTERS = ("ph", "ps", "ch", "th", "ta", "et", "ze", "si", "rh", "mu", "la", "ka")


class Proved(NamedTuple):
    """A theorem of set.mm without premises, with a short proof."""

    label: str
    rule: Rule
    proof: tuple[str, ...]


def available() -> bool:
    """Returns whether set.mm is installed."""
    return FILE.exists()


@lru_cache(1)
def theory() -> Theory:
    """Returns the database up to set theory, and its rules. Raises InputError if set.mm is not installed."""
    if not available():
        raise InputError(f"the formulas need {FILE}; type: apt-get install metamath-databases")
    text = FILE.read_text(encoding="ascii")
    end = text.find(_END)
    if end < 0:
        raise InputError(f"{FILE} has no axiom ax-ext, so it is not the set.mm that can be read here")
    database = Database(text[: text.rfind("$}", 0, end) + 2])
    letters = dict(zip(_LETTERS, (*VARIABLES, *_LETTERS[len(VARIABLES) :]), strict=True)) | {v: v for v in INDIVIDUALS}
    symbols = {name: (symbol, f"{'v' if name in INDIVIDUALS else 'w'}{symbol}") for symbol, name in letters.items()}
    return Theory(database, rules_of(database, letters), symbols)


@lru_cache(4)
def proved(longest: int) -> tuple[Proved, ...]:
    """Returns theorems with names that players may write, and short proofs of 2 to `longest` labels, checked."""
    theorems = (_proved(label, longest) for label in theory().rules)
    return tuple(p for p in theorems if p is not None)


def _proved(label: str, longest: int) -> Proved | None:
    rule, assertion = theory().rules[label], theory().database.assertions[label]
    if rule.premises or assertion.proof is None or set(names(rule.conclusion)) - {*VARIABLES, *INDIVIDUALS}:
        return None
    try:
        proof = short_proof(assertion)
    except BadProof:
        return None
    if not 2 <= len(proof) <= longest or not set(proof) <= theory().rules.keys():
        return None
    return Proved(label, rule, proof) if judge(rule.conclusion, " ".join(proof), theory()).verdict.ok else None


def short_proof(assertion: Assertion) -> tuple[str, ...]:
    """Returns the proof of a theorem without labels that build formulas, repeated parts in full. Raises BadProof."""
    stack: list[tuple[str, ...]] = []
    saved: list[tuple[str, ...]] = []
    database = theory().database
    for step in steps(database, assertion):
        if step is None:
            saved.append(stack[-1])
        elif isinstance(step, int):
            stack.append(saved[step])
        elif isinstance(step, Hypothesis):
            stack.append(())
        else:
            first = len(stack) - len(step.hypotheses)
            labels = [label for part in stack[first:] for label in part]
            del stack[first:]
            logical = database.decode(step.expression[0]) == "|-"
            stack.append((*labels, step.label) if logical else ())
            if len(stack[-1]) > LONGEST:
                raise BadProof("its short form is too long")
    return stack[-1]
