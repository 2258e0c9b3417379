"""Decides whether a text proves a formula: short proofs are expanded, and the kernel checks the result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from games.proofs.condensed import elaborate
from games.proofs.formula import Formula
from games.proofs.kernel import BadProof, check
from games.proofs.theory import LEMMA, Theory, propositional, rules_of
from games.quoting import byte_length
from games.verifiers.verdict import PASS, Verdict

LONGEST = 200_000
"""bytes of a proof, at most; the longest in set.mm has 32,946"""
_SEPARATOR = re.compile(r"[\s,;]+")


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a proof, its labels as written, and the number of steps the kernel checked."""

    verdict: Verdict
    labels: tuple[str, ...] = ()
    steps: int = 0


def judge(statement: Formula, text: str, theory: Theory | None = None) -> Judged:
    """pass: the labels in `text` prove the statement. fail: they do not. invalid: the text is not a proof.

    A proof is short (see `games.proofs.condensed`), or a full Metamath proof with the labels that build formulas.
    """
    if byte_length(text) > LONGEST:
        return Judged(Verdict("invalid", f"it is too large: more than {LONGEST} bytes"))
    theory = theory or propositional()
    labels = tuple(label for label in _SEPARATOR.split(text.strip()) if label)
    try:
        if other := theory.unlisted(labels):
            raise BadProof(f"there is no rule {other[:20]!r}", readable=False)
        whole = labels if theory.spelled_out(labels) else elaborate(theory, labels, statement)
        steps = check(theory.database, theory.database.theorem("conjecture", ["|-", *theory.tokens(statement)], whole))
    except BadProof as error:
        return Judged(Verdict("fail" if error.readable else "invalid", str(error)), labels)
    return Judged(PASS, labels, steps)


def extended(theory: Theory, statement: Formula, labels: Sequence[str]) -> Theory:
    """Returns the theory with one more lemma, LEMMA, which the kernel checks. Raises BadProof."""
    database = copy(theory.database)
    proof = elaborate(theory, tuple(labels), statement)
    lemma = database.theorem(LEMMA, ["|-", *theory.tokens(statement)], proof)
    check(database, lemma)
    database.append(lemma)
    return Theory(database, rules_of(database, {}))
