r"""What decides whether an answer is right: within limits, with a reason.

What could run an answer, or be killed by one, runs in bubblewrap; in this process runs the Metamath kernel, which
compares texts and stops at a number of symbols.

Every verifier is a function `verify(claim, answer) -> Verdict` under a name; `claim` says what is to be shown.

| name | claim | answer |
|---|---|---|
| python | cases: pairs (arguments, value); name of the function, default f | a program |
| maths | answer: an expression | an expression, the last `\boxed{}` of it |
| metamath | statement: a formula p -> q, or with a database (text) one of its expressions | a proof |
| smt | variables: name -> Bool, Int or Real; formula: SMT-LIB term | ignored: is it valid? |
| coq | statement; header | a proof script |
| efg | game: an extensive-form game as .efg text | a text: the same game? |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from games.errors import UnknownName
from games.verifiers.verdict import KINDS, PASS, Kind, MissingProgram, Verdict

Verifier = Callable[[Mapping[str, Any], str], Verdict]

VERIFIERS = {
    "coq": "games.proofs.coq:verify",
    "efg": "games.dialogue.efg_check:verify",
    "maths": "games.verifiers.maths:verify",
    "metamath": "games.proofs.judge:verify",
    "python": "games.verifiers.python:verify",
    "smt": "games.proofs.smt:verify",
}


def verifier(name: str) -> Verifier:
    """The verifier of that name. Raises UnknownName."""
    if name not in VERIFIERS:
        raise UnknownName("verifier", name, sorted(VERIFIERS))
    module, _, attribute = VERIFIERS[name].partition(":")
    found: Verifier = getattr(import_module(module), attribute)
    return found


__all__ = ["KINDS", "PASS", "VERIFIERS", "Kind", "MissingProgram", "Verdict", "Verifier", "verifier"]
