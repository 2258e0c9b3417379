"""The language of attacks: `name(argument, ...)` over texts and numbers, read without running any code.

| form | what it is |
|---|---|
| `"text"`, `3` | a constant |
| `secret(before, after)`, `data(key)`, `item(key, n)`, `fact(key)` | what the seat was told, and what the rules know |
| `message()`, `line(n)`, `number(n)`, `option(n)` | the last message, parts of the observation, a legal action |
| `honest()`, `inner()` | the message of a random honest player; the part of it that is replaced |
| `base64(x)`, `backwards(x)`, ... | a code of `CODES` |
| `mention()`, `fitting()`, `speaker(n)`, `outsider(x)` | an item of a list, a speaker, a speaker who did not say x |
| `coded_item(a, b, how)`, `decoded_item(a, b, how)` | an item of one list for that of another, in an agreed order |
| `key(n)` | a number below n that follows from the last message, the same for all who read it |
| `join(x, y)`, `chosen(x, y)`, `respelled(x)`, `difference(x, y)`, `program(template, n, x)` | texts of texts |
| `extended(x, y)`, `wrapped(how, x)`, `wrapped_end(how, x)`, `calculation(x)` | more of them |
| `tag(name, x)`, `fence(name, x)`, `box(x)`, `phase(name, x, y)` | the honest message with x in a place, in a phase |
| `when(feature, bound, x, y)` | x if the observation has a feature of `FEATURES`, else y |
| `decoded(code, role, before, after)`, `decoded_fact(code, key)` | a partner that reads the code of another role |
| `competent()` | what a competent player says, for partners and beside a secret |
| `sometimes(n, x)` | x in one of n turns |
| `partner(x)` | x, in other turns what the suite's partner says |
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from games.attack import agreed
from games.attack.codes import CODES
from games.attack.programs import rewrite
from games.attack.readings import FEATURES
from games.attack.sources import SOURCES, Lacking, honest, suite_in
from games.errors import InputError
from games.shortcuts import Scripted, ScriptedTurn


class Term(NamedTuple):
    """A form with its arguments."""

    name: str
    args: tuple[Expression, ...] = ()


Expression: TypeAlias = "Term | str | int"
_PLACES = {"tag": r"(<{0}>)(.*?)(</{0}>)", "fence": r"(```{0}\n)(.*?)(\n```)", "box": r"(\\boxed\{{)(.*?)(\}})"}
"""form -> pattern of the part that it replaces"""
_HONEST = Term("honest")


def text_of(expression: Expression) -> str:
    """Returns the text of an expression, which `parse` reads."""
    if isinstance(expression, Term):
        return f"{expression.name}({', '.join(map(text_of, expression.args))})"
    if isinstance(expression, int):
        return str(expression)
    return json.dumps(expression, ensure_ascii=False)  # every JSON text is a text of Python too


def parse(text: str) -> Expression:
    """Returns the expression that a text says. Raises InputError."""
    try:
        return _term(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{text!r:.80} is no expression: {error}") from error


def _term(node: ast.AST) -> Expression:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -int(node.operand.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in NAMES:
            raise ValueError(f"no form {node.func.id!r}; the forms: {', '.join(sorted(NAMES))}")
        return Term(node.func.id, tuple(map(_term, node.args)))
    raise ValueError("write texts, whole numbers and name(argument, ...)")


def policy(text: str) -> Scripted:
    """Returns the policy that plays the expression of a text. Raises InputError."""
    return policy_of(parse(text))


def policy_of(term: Expression) -> Scripted:
    """Returns the policy that plays an expression. In a turn that lacks a text of it, it plays as an honest player."""

    def play(turn: ScriptedTurn) -> str:
        try:
            return _value(term, turn, "")
        except Lacking:
            return honest(turn)

    return play


def _value(term: Expression, turn: ScriptedTurn, inner: str) -> str:
    """Returns the text of an expression. Raises Lacking."""
    if not isinstance(term, Term):
        return str(term)
    form = _FORMS.get(term.name)
    if form is not None:
        return form(turn, inner, *term.args)
    if term.name in CODES:
        return CODES[term.name](_value(term.args[0], turn, inner))
    args = (arg if isinstance(arg, int) else _value(arg, turn, inner) for arg in term.args)
    return (_AGREED.get(term.name) or SOURCES[term.name])(turn, *args)


def _place(kind: str) -> Callable[..., str]:
    """Returns the form that replaces a part of the honest message; a message without that part stays as it is."""

    def form(turn: ScriptedTurn, inner: str, *args: Expression) -> str:
        *name, term = args
        pattern = re.compile(_PLACES[kind].format(*map(re.escape, map(str, name))), re.DOTALL)
        message = honest(turn)
        part = pattern.search(message)
        if part is None:
            return message
        return message[: part.end(1)] + _value(term, turn, part[2]) + message[part.start(3) :]

    return form


def _phase(turn: ScriptedTurn, inner: str, name: str, term: Expression, other: Expression = _HONEST) -> str:
    return _value(term if turn.phase.partition(" ")[0] == name else other, turn, inner)


def _when(turn: ScriptedTurn, inner: str, feature: str, bound: Expression, term: Expression, other: Expression) -> str:
    if feature not in FEATURES or isinstance(bound, Term):
        raise Lacking(f"no feature {feature!r}")
    return _value(term if FEATURES[feature](turn, bound) else other, turn, inner)


def _program(turn: ScriptedTurn, inner: str, template: str, size: int, term: Expression) -> str:
    changed = rewrite(template, size, _value(term, turn, inner))
    if changed is None:
        raise Lacking("no program")
    return changed


def _partner(turn: ScriptedTurn, inner: str, term: Expression) -> str:
    try:
        return _value(term, turn, inner)
    except Lacking:
        return suite_in(turn).partner(turn.role)(turn)


def _sometimes(turn: ScriptedTurn, inner: str, of: int, term: Expression) -> str:
    if turn.stream.below(of):
        raise Lacking("not in this turn")
    return _value(term, turn, inner)


_AGREED: dict[str, Callable[..., str]] = {
    form.__name__: form
    for form in (
        agreed.decoded, agreed.decoded_fact, agreed.outsider, agreed.key, agreed.coded_item, agreed.decoded_item,
    )
}  # fmt: skip
_FORMS: dict[str, Callable[..., str]] = {
    "inner": lambda turn, inner: inner,
    "phase": _phase,
    "program": _program,
    "when": _when,
    "partner": _partner,
    "sometimes": _sometimes,
    **{kind: _place(kind) for kind in _PLACES},
}
NAMES = frozenset((*_FORMS, *_AGREED, *CODES, *SOURCES))
