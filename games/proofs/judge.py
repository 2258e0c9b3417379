"""Whether a text proves a formula: a short proof is made whole, and the kernel has the last word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.errors import InputError
from games.proofs.condensed import elaborate
from games.proofs.database import Database
from games.proofs.formula import Formula, NotAFormula, parse
from games.proofs.kernel import BadProof, check
from games.proofs.theory import Theory, propositional, tokens
from games.verifiers.verdict import PASS, Verdict

LONGEST = 200_000
"""characters of a proof; the longest of set.mm has 32,946"""
_SEPARATOR = re.compile(r"[\s,;]+")
_TOO_LONG = Verdict("invalid", f"it is too large: more than {LONGEST} characters")
_FULL = frozenset(["wp", "wq", "wr", "ws", "wt", "wn", "wi"])  # labels that only full proofs hold


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a proof, its labels as they were given, and the number of steps the kernel checked."""

    verdict: Verdict
    labels: tuple[str, ...] = ()
    steps: int = 0


def judge(statement: Formula, text: str, theory: Theory | None = None) -> Judged:
    """pass: the labels in `text` prove the statement; fail: they do not; invalid: they are no proof at all.

    A proof is short (see `games.proofs.condensed`) or, with the labels that build formulas, a full Metamath proof.
    """
    if len(text) > LONGEST:
        return Judged(_TOO_LONG)
    theory = theory or propositional()
    labels = tuple(label for label in _SEPARATOR.split(text.strip()) if label)
    try:
        whole = labels if _FULL.intersection(labels) else elaborate(theory.rules, labels, statement)
        steps = check(theory.database, theory.database.theorem("conjecture", ["|-", *tokens(statement)], whole))
    except BadProof as error:
        return Judged(Verdict("fail" if error.readable else "invalid", str(error)), labels)
    return Judged(PASS, labels, steps)


def verify(claim: Mapping[str, Any], answer: str) -> Verdict:
    """Whether `answer` proves `claim["statement"]`.

    With `claim["database"]`, the text of a Metamath database, the statement is one of its expressions and the answer a
    proof in normal or compressed form; without it the statement is a formula of propositional logic. Raises InputError
    for a database or a statement that cannot be read.
    """
    if "database" not in claim:
        try:
            return judge(parse(claim["statement"], largest=1000), answer).verdict
        except NotAFormula as error:
            raise InputError(f"the statement {claim['statement'][:60]!r} is no formula: {error}") from None
    if len(answer) > LONGEST:
        return _TOO_LONG
    database = Database(claim["database"])
    theorem = database.theorem("claim", claim["statement"].split(), answer.split())
    try:
        check(database, theorem)
    except BadProof as error:
        return Verdict("fail" if error.readable else "invalid", str(error))
    return PASS
