"""Decides whether a text proves a formula: short proofs are expanded, and the kernel checks the result."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.errors import InputError
from games.proofs.condensed import elaborate
from games.proofs.database import BadDatabase, Database
from games.proofs.formula import Formula, NotAFormula, parse
from games.proofs.kernel import BadProof, check
from games.proofs.theory import LEMMA, Theory, propositional, rules_of
from games.quoting import byte_length
from games.verifiers.verdict import PASS, Verdict

SECONDS = 120.0
"""seconds of processor time for all lemmas of a database; set.mm takes 10 to 20"""
LONGEST = 200_000
"""bytes of a proof, at most; the longest in set.mm has 32,946"""
_SEPARATOR = re.compile(r"[\s,;]+")
_TOO_LONG = Verdict("invalid", f"it is too large: more than {LONGEST} bytes")


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
        return Judged(_TOO_LONG)
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


@lru_cache(8)
def _checked(text: str) -> Database | str:
    """Parse a database and check all its lemmas. Raises BadDatabase; names the first lemma that is not proved."""
    database = Database(text)
    stop = time.thread_time() + SECONDS
    for assertion in database.assertions.values():
        if assertion.proof is None:
            continue
        try:
            check(database, assertion)
        except BadProof as error:
            return f"the database's lemma {assertion.label} is not proved: {error}"
        if time.thread_time() > stop:
            return f"the lemmas of the database take more than {SECONDS:g} s to check"
    return database


def verify(claim: Mapping[str, Any], answer: str) -> Verdict:
    """Returns whether `answer` proves `claim["statement"]`.

    With `claim["database"]`, the text of a Metamath database, the statement is an expression of that database and the
    answer a proof in normal or compressed form. Without it, the statement is a formula of propositional logic. Raises
    InputError for a database or statement that cannot be parsed, and for a database with an unproved lemma.
    """
    if "database" not in claim:
        try:
            return judge(parse(claim["statement"], largest=1000), answer).verdict
        except NotAFormula as error:
            raise InputError(f"the statement {claim['statement'][:60]!r} is not a formula: {error}") from None
    if byte_length(answer) > LONGEST:
        return _TOO_LONG
    database = _checked(claim["database"])
    if isinstance(database, str):
        raise BadDatabase(database)
    theorem = database.theorem("claim", claim["statement"].split(), answer.split())
    try:
        check(database, theorem)
    except BadProof as error:
        return Verdict("fail" if error.readable else "invalid", str(error))
    return PASS
