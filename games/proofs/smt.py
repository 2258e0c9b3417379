"""Decides with z3, in a sandbox, whether a formula of arithmetic or logic holds for all values of its variables.

This is an oracle, not a proof checker: it separates false statements, with a counterexample, from unproved ones.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.errors import MissingPackage
from games.quoting import byte_length
from games.verifiers.verdict import PASS, Verdict
from games.verifiers.workers import SandboxedWorkers, library

SORTS = ("Bool", "Int", "Real")
SECONDS = 2.0
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
_TOKEN = re.compile(r"[()]|[^\s()|\";]+|\s+")
_LONGEST = 10_000


def verify(claim: Mapping[str, Any], answer: str = "") -> Verdict:
    """Returns whether `claim["formula"]` is valid over `claim["variables"]`; ignores the answer."""
    return valid(claim["formula"], claim.get("variables", {}))


def valid(formula: str, variables: Mapping[str, str], seconds: float = SECONDS) -> Verdict:
    """pass: an SMT-LIB term holds for all values. fail: with a counterexample. timeout: z3 cannot decide.

    invalid: not a single term, or z3 cannot parse it. `variables` maps each name to Bool, Int or Real. Raises
    MissingPackage, MissingProgram without bubblewrap, and InfrastructureError if no worker starts.
    """
    if importlib.util.find_spec("z3") is None:
        raise MissingPackage("deciding arithmetic", "z3-solver", "'selfplay-arena[verifiers]'")
    for name, sort in variables.items():
        if not _NAME.fullmatch(name) or sort not in SORTS:
            return Verdict("invalid", f"the variable {name!r} of sort {sort!r} is none of {', '.join(SORTS)}")
    if (why := _not_one_term(formula)) is not None:
        return Verdict("invalid", why)
    answer = _workers().ask({"formula": formula, "variables": dict(variables)}, seconds)
    if answer is None or "unknown" in answer:
        return Verdict("timeout", f"z3 cannot decide within {seconds:g} s")
    if not isinstance(answer.get("valid"), bool):
        return Verdict("invalid", f"z3 cannot read it: {str(answer)[:200]}")
    return PASS if answer["valid"] else Verdict("fail", f"false where {answer.get('model') or 'nothing is assumed'}")


def _not_one_term(text: str) -> str | None:
    """Returns why a text is not exactly one S-expression (more could close the assertion around it), or None."""
    if byte_length(text) > _LONGEST:
        return f"a formula of more than {_LONGEST} bytes"
    depth, terms, at = 0, 0, 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return f"{text[at]!r} is not allowed in a formula"
        at = token.end()
        if token.group().isspace():
            continue
        terms += depth == 0
        depth += {"(": 1, ")": -1}.get(token.group(), 0)
        if depth < 0 or terms > 1 or depth > 500:
            break
    return None if depth == 0 and terms == 1 else "it is not exactly one term with its brackets closed"


@lru_cache(1)
def _workers() -> SandboxedWorkers:
    return SandboxedWorkers(lambda: library("games.proofs._smt_child", "z3"))
