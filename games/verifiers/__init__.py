r"""Verifiers: programs that grade an answer, within limits and with a reason.

Everything that executes an answer, or that an answer could crash, runs in bubblewrap. Only the Metamath kernel runs in
this process: it compares texts and stops at a fixed number of symbols.

A verifier is a function `verify(claim, answer) -> Verdict` with a name; `claim` says what is to be shown.

| name | claim | answer |
|---|---|---|
| python | cases: pairs (arguments, value); name of the function, default f | a program |
| maths | answer: an expression | an expression, the last `\boxed{}` of it |
| metamath | statement: a formula p -> q, or with a database (text) one of its expressions | a proof |
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
    "efg": "games.native.efg.check:verify",
    "maths": "games.verifiers.maths:verify",
    "metamath": "games.proofs.judge:verify",
    "python": "games.verifiers.python:verify",
}


def verifier(name: str) -> Verifier:
    """Returns the verifier with this name. Raises UnknownName."""
    if name not in VERIFIERS:
        raise UnknownName("verifier", name, sorted(VERIFIERS))
    module, _, attribute = VERIFIERS[name].partition(":")
    function: Verifier = getattr(import_module(module), attribute)
    return function


__all__ = ["KINDS", "PASS", "VERIFIERS", "Kind", "MissingProgram", "Verdict", "Verifier", "verifier"]
