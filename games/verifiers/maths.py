r"""Whether two mathematical answers are the same, by math-verify, in processes that may be killed.

math-verify cannot run in a thread and spends seconds on a tower of powers, so it never runs in this process. It also
says yes to more than it should; what is ambiguous is refused here before it is asked: equations between anything but a
name and a value (`6=5` for 5), two numbers side by side, words, percentages read both ways, decimals cut short.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.errors import InputError, MissingPackage
from games.verifiers.verdict import PASS, Verdict
from games.verifiers.workers import Workers

SECONDS = 5.0
LONGEST = 400
"""characters of an answer"""

_BOX = re.compile(r"\\boxed\s*\{")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"[A-Za-z]{2,}")
_FUNCTIONS = frozenset(
    ["sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "exp", "sqrt", "arcsin", "arccos", "arctan", "pi"]
)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*\\?%")
_STRANGE = re.compile(r"[^ A-Za-z0-9\\{}()\[\]+\-*/^_=<>,.!|:;'&%°πθ√∞×·÷≤≥≠±−]")
_NAME_IS = re.compile(r"\s*\\?[A-Za-z]+(?:_\{?\w+\}?)?(?:\([A-Za-z, ]+\))?\s*=(?P<value>[^=]+)")
_REFUSED = frozenset(["\\input", "\\write", "\\def", "\\let", "\\text", "\\mbox", "\\textbf", "\\ne", "\\neq"])


def verify(claim: Mapping[str, Any], answer: str) -> Verdict:
    """Whether `answer` equals `claim["answer"]`."""
    return equal(str(claim["answer"]), answer)


def equal(gold: str, given: str, seconds: float = SECONDS) -> Verdict:
    r"""pass where `given` equals `gold`, fail where not, invalid where it is no single mathematical expression.

    Both are LaTeX or plain text; of a text with `\boxed{...}` the last box counts. Raises InputError for a `gold` that
    cannot be read, MissingPackage, and InfrastructureError where no worker starts.
    """
    _require()
    reference, why = readable(gold)
    if reference is None:
        raise InputError(f"the reference answer {gold[:60]!r} is no single mathematical expression: {why}")
    answer, why = readable(given)
    if answer is None:
        return Verdict("invalid", why)
    if "=" not in reference:
        answer, reference = _value(answer), reference
        if answer is None:
            return Verdict("invalid", "an equation answers a question for a value only as name = value")
    if answer.strip() == reference.strip():
        return PASS
    said = _workers().ask({"gold": reference, "given": answer}, seconds)
    if said is None:
        return Verdict("timeout", f"not compared within {seconds:g} s")
    if "unread" in said or "error" in said:
        return Verdict("invalid", "it cannot be read as a mathematical expression")
    return PASS if said["equal"] is True else Verdict("fail", "it is not equal to the reference answer")


def settles(text: str, seconds: float = SECONDS) -> bool:
    """Whether a readable expression is worked out within the time: compared with 0, a tower of powers is not.

    Raises MissingPackage, and InfrastructureError where no worker starts.
    """
    _require()
    found, _ = readable(text)
    return found is not None and _workers().ask({"gold": "0", "given": found}, seconds) is not None


def readable(text: str) -> tuple[str | None, str]:
    """The expression in a text and "", or None and why there is none."""
    found = _boxed(text)
    if found is None:
        return None, "its box does not end"
    found = found.strip().strip("$").strip().removesuffix(".")
    if not found:
        return None, "it is empty"
    if len(found) > LONGEST:
        return None, f"it is longer than {LONGEST} characters"
    strange = _STRANGE.search(found)
    if strange:
        return None, f"it holds {strange.group()!r}"
    if commands := _REFUSED.intersection(_COMMAND.findall(found)):
        return None, f"it holds {min(commands)}"
    words = [w for w in _WORD.findall(_COMMAND.sub(" ", found)) if w.lower() not in _FUNCTIONS]
    if any(len(w) > 2 for w in words):
        return None, f"it holds the word {max(words, key=len)!r}"
    if re.search(r"\d\s+\.?\d", found):
        return None, "it holds two numbers side by side"
    return _PERCENT.sub(r"(\1/100)", found), ""


def _require() -> None:
    if importlib.util.find_spec("math_verify") is None:
        raise MissingPackage("comparing mathematical answers", "math-verify", "'selfplay-arena[verifiers]'")


def _boxed(text: str) -> str | None:
    """The content of the last box, the whole text where there is none, None where the box is not closed."""
    last = None
    for last in _BOX.finditer(text):  # noqa: B007  the last one is wanted
        pass
    if last is None:
        return text
    depth = 1
    for i in range(last.end(), len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[last.end() : i]
    return None


def _value(answer: str) -> str | None:
    """The right side of `name = value`, the whole where there is no equation, None for any other equation."""
    if "=" not in answer:
        return answer
    match = _NAME_IS.fullmatch(answer)
    return match["value"] if match else None


@lru_cache(1)
def _workers() -> Workers:
    return Workers("games.verifiers._maths_inside")
