r"""Decides whether two mathematical answers are equal, with a strict parser and SymPy, in a sandbox.

Numbers are exact: 1/3 is not 0.333. Letters are case-sensitive. 5 km equals 5000 m and not 5 m. {1, 2}, (1, 2) and
[1, 2] differ; numbers separated by commas without brackets are a set. Ambiguous input is invalid: equations other than
name = value (`6=5` for 5), two adjacent numbers, words other than a few statements ("no solution", "undefined",
yes). Names count only if both sides have them: `(p, q) = (3, 2)`, `|AB| = 5` and `x = 4, y = 5` equal (3, 2), 5 and
4, 5. An interval equals its inequality, and `x = 1 or x = 2` the set {1, 2}. 3h is no 180 min: h can be a letter.
"""

from __future__ import annotations

import importlib.util
import re
from functools import lru_cache

from games.boxes import Box, Sequel, boxes, operated, sequel
from games.errors import InfrastructureError, InputError, MissingPackage
from games.quoting import byte_length
from games.verifiers._maths_units import unit
from games.verifiers._maths_words import ratio, rewritten, statement, unnamed
from games.verifiers.verdict import PASS, Verdict
from games.verifiers.workers import SandboxedWorkers, library

SECONDS = 5.0
LONGEST = 400
"""bytes of an answer, at most"""

_MOST = 200
"""boxes of an answer, at most; bounds the time for hostile texts"""

_COMMAND = re.compile(r"\\[A-Za-z]+|(?<=_)\{[A-Za-z0-9 ,]*\}")
_WORD = re.compile(r"[A-Za-z]{3,}")
_KEYWORDS = """sin cos tan cot sec csc log exp sqrt arcsin arccos arctan sinh cosh tanh and inf infinity matrix pmatrix
bmatrix degree degrees"""
_WORDS = frozenset(_KEYWORDS.split())
_STRANGE = re.compile(r"[^ A-Za-z0-9\\{}()\[\]+\-*/^_=<>,.!|:;'&%$~°πθ√∞×·÷≤≥≠±−µμΩ²³∈∪∅′]")
_NAME = r"\\?[A-Za-z]+'*(?:_\{?\w+\}?)?"
_NAME_IS = re.compile(
    rf"\s*(?P<name>{_NAME}|\(\s*{_NAME}(?:\s*,\s*{_NAME})+\s*\)|\|[A-Z]{{2}}\||{_NAME}\s*:\s*{_NAME}"
    rf"|\\[dt]?frac\{{[A-Z]{{2}}\}}\{{[A-Z]{{2}}\}})(?:\([A-Za-z, ]+\))?\s*=(?P<value>[^=<>]+)"
)
"""x = 5, f(x) = 5, (p, q) = (3, 2), |AB| = 5, A : B = 5"""
_SET = re.compile(r"[\[({,∪±]|\\(?:cup|mathbb|pm)(?![A-Za-z])")
"""a reference that can be a set of numbers"""
_RELATION = re.compile(r"[=<>≤≥≠]|\\(?:l|g)(?:t|eq?|eqslant)(?![A-Za-z])|\\neq?(?![A-Za-z])")


class UnreadReference(InputError):
    """A reference answer that is not a single mathematical expression."""

    def __init__(self, gold: str, why: str) -> None:
        super().__init__(f"the reference answer {gold[:60]!r} is not a single mathematical expression: {why}")


def equal(gold: str, candidate: str, seconds: float = SECONDS) -> Verdict:
    r"""Compare `candidate` with `gold`: pass, fail, or invalid if `candidate` is not a single mathematical expression.

    Both are LaTeX or plain text; if a text contains boxes, the last one counts, with those that a comma or "and" joins
    to it; two boxes with "or" between them are invalid. Raises UnreadReference if
    `gold` cannot be parsed, MissingPackage, MissingProgram, and InfrastructureError if no worker starts.
    """
    _require()
    texts = unnamed(*(_boxed(text) or "" for text in (gold, candidate)))
    for compare in (statement, ratio):
        stated = [compare(text) for text in texts]
        if None not in stated:
            return PASS if stated[0] == stated[1] else Verdict("fail", "it is not equal to the reference answer")
    reference, why = _readable(gold)
    if reference is None:
        raise UnreadReference(gold, why)
    answer, why = _readable(candidate)
    if answer is None:
        return Verdict("invalid", why)
    names = {"gold_name": "", "given_name": ""}
    reference, answer = _unnamed(reference, answer)
    if not _RELATION.search(reference):
        value = _value(answer)
        if value and value[0].startswith("(") and not _in_order(re.findall(r"[^\s(),]+", value[0])):
            return Verdict(
                "invalid", f"the order of {value[0]} is not that of the reference answer, which has no names"
            )
        if value is None and not _SET.search(reference):
            return Verdict("invalid", "an equation is accepted as an answer only in the form name = value")
        names["given_name"], answer = value or ("", answer)
    elif not _RELATION.search(answer):
        names["gold_name"], reference = _value(reference) or ("", reference)
    reply = _workers().ask({"gold": reference, "given": answer, **names}, seconds)
    if reply is None:
        return Verdict("timeout", f"not compared within {seconds:g} s")
    if "unread_gold" in reply:
        raise UnreadReference(gold, str(reply["unread_gold"]))
    if "unread" in reply or "error" in reply:
        why = str(reply.get("unread", "too complex for the verifier"))[:200]
        return Verdict("invalid", f"it cannot be read as a mathematical expression: {why}")
    if not isinstance(reply.get("equal"), bool):
        raise InfrastructureError("the worker of the maths verifier gave no answer that it can give")
    return PASS if reply["equal"] else Verdict("fail", "it is not equal to the reference answer")


def settles(text: str, seconds: float = SECONDS) -> bool:
    """Returns whether an expression can be parsed and evaluated within the time limit, by comparing it with 0.

    Raises as `equal` does.
    """
    _require()
    expression, _ = readable(text)
    if expression is None:
        return False
    name, value = _value(expression) or ("", expression)
    reply = _workers().ask({"gold": value, "given": "0", "gold_name": name, "given_name": ""}, seconds)
    return reply is not None and isinstance(reply.get("equal"), bool)


def readable(text: str) -> tuple[str | None, str]:
    """Returns the expression in a text and "", or None and why there is none, as far as cheap checks can tell."""
    expression = _boxed(text)
    if expression is None:
        return None, "a box is not closed, holds another one or is a part of a formula, or two boxes differ"
    expression = _undelimited(expression.strip()).removesuffix(".")
    if not expression:
        return None, "it is empty"
    if byte_length(expression) > LONGEST:
        return None, f"it is longer than {LONGEST} bytes"
    strange = _STRANGE.search(expression)
    if strange:
        return None, f"it holds {strange.group()!r}"
    words = [w for w in _WORD.findall(_COMMAND.sub(" ", expression)) if not (w in _WORDS or unit(w) or _function(w))]
    if words:
        return None, f"it holds the word {max(words, key=len)!r}"
    return expression, ""


def _readable(text: str) -> tuple[str | None, str]:
    """As `readable`, of a text that may also be a statement in words, or a ratio of two parts."""
    content = _boxed(text)
    if content is None:
        return readable(text)
    if statement(content) == "no solution":
        return r"\emptyset", ""
    parts = ratio(content)
    if parts and len(parts) == 2:
        return f"{parts[0].numerator}/{parts[0].denominator}", ""
    if statement(content):
        return None, "it is a statement in words"
    if r"\begin" not in content:  # no rows, so that \\\\frac is an escape too many
        content = re.sub(r"\\{2}(?=[A-Za-z]{3})", r"\\", content)
    return readable(rewritten(_undelimited(content.strip())))


def _function(word: str) -> bool:
    """Returns whether a word is a function name followed by a letter, such as sinx."""
    return word[:-1] in _WORDS


_SEGMENTS = re.compile(r"\$[^$]+\$(?:\s*(?:,|;|,?\s+and|or)\s*\$[^$]+\$)*\s*(?:\\?%|[A-Za-z]*)\.?")
"""$1$ and $2$, $125$ miles"""


def _undelimited(text: str) -> str:
    r"""Remove LaTeX math delimiters around the whole text: $x$, \(x\), \[x\]."""
    for before, after in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if len(text) > len(before + after) and text.startswith(before) and text.endswith(after):
            inner = text[len(before) : -len(after)]
            if before not in inner:
                return inner.strip()
    return text.replace("$", " ") if _SEGMENTS.fullmatch(text) else text


def _require() -> None:
    if importlib.util.find_spec("sympy") is None:
        raise MissingPackage("comparing mathematical answers", "sympy", "'selfplay-arena[verifiers]'")


def _boxed(text: str) -> str | None:
    """Returns the content of the last box and of those that belong to it, the whole text without one.

    None: a box is not closed, is a part of a formula, or holds a box beside something else, it is unclear which of two
    boxes counts, or there are too many.
    """
    parts: list[Box] = []
    every = boxes(text)
    if len(every) > _MOST:
        return None
    for box in sorted(every, key=lambda b: b.end, reverse=True):
        if parts and box.start >= parts[0].start:
            continue  # it is within a box
        what = sequel(text[box.end : parts[0].start]) if parts else Sequel.PART
        if what == Sequel.CORRECTION or box.content is None:
            break
        if what == Sequel.PART:
            parts.insert(0, box)
        elif all(box.content.strip() != (part.content or "").strip() for part in parts):
            return None
    if not parts:
        return None if every else text
    if any(operated(text, part.start, part.end) for part in parts):
        return None
    content = ", ".join((part.content or "").strip() for part in parts)
    inner = boxes(content)
    return content if not inner else _boxed(content) if inner[-1].start == 0 and inner[-1].end == len(content) else None


def _value(answer: str) -> tuple[str, str] | None:
    """Returns name and right side of `name = value`, "" and the text without a relation, None for other equations."""
    if not _RELATION.search(answer):
        return "", answer
    match = _NAME_IS.match(answer)
    if match is None:
        return None
    name, value = match["name"], answer[match.start("value") :]
    if name.startswith("("):  # (x, y) = (1, 2) or (x, y) = (2, 1)
        value = re.sub(re.escape(name) + r"\s*=", " ", value)
    return None if _RELATION.search(value) else (name, value)


def _unnamed(reference: str, answer: str) -> tuple[str, str]:
    """Returns both without names where one names its parts and the other does not: `x = 4, y = 5` and `4, 5`.

    The order counts then, but not among x_1 and x_2, which are two solutions.
    """
    sides = [reference, answer]
    named = [_RELATION.search(side) is not None for side in sides]
    if named[0] == named[1]:
        return reference, answer
    one, other = sides if named[0] else sides[::-1]
    parts = [match for match in map(_NAME_IS.fullmatch, _LINKS.split(one)) if match]
    names = {part["name"] for part in parts}
    if not 1 < len(parts) == len(names) == len(_LINKS.split(one)):
        return reference, answer
    one = ", ".join(part["value"] for part in parts)
    if len({name.partition("_")[0] for name in names}) > 1 and _LINKS.search(other):
        if not _in_order([part["name"] for part in parts]):
            return reference, answer
        one, other = f"({one})", f"({other})"
    return (one, other) if named[0] else (other, one)


def _in_order(names: list[str]) -> bool:
    """Returns whether parts with these names stand where parts without names do: `y = 4, x = 5` is no (4, 5)."""
    return any(len(name.partition("_")[0]) > 1 for name in names) or names == sorted(names)


_AND = r"(?:\\text\s*\{\s*and\s*\}|\band\b)"
_GAP = r"(?:\s|\\[ ,;:!]|\\q?quad){0,9}"
_LINKS = re.compile(rf"{_GAP}(?:[,;]{_GAP}{_AND}?|{_AND}){_GAP}")
"""what joins parts of one answer"""


@lru_cache(1)
def _workers() -> SandboxedWorkers:
    return SandboxedWorkers(lambda: library("games.verifiers._maths_child", "sympy"))
