"""Parses and writes names with parameters, `ns/name(param=value)`, as used for games, players, roles and ratings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from games.errors import InputError

Value = bool | int | float | str

_HEAD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./:-]*")


@dataclass(frozen=True, slots=True)
class Name:
    """A parsed name. `str()` writes it with the parameters in their given order."""

    base: str
    params: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.params:
            return self.base
        return f"{self.base}({','.join(f'{k}={_show(v)}' for k, v in self.params.items())})"


def parse_name(text: str) -> Name:
    """Parse `base` or `base(key=value, ...)`.

    A value becomes a bool, int or float if it has that form, else text. Commas inside parentheses, brackets, braces or
    quotes belong to the value. Raises InputError.
    """
    text = text.strip()
    match = _HEAD.match(text)
    if match is None:
        raise InputError(f"{text!r} is not a name; write for example kuhn_poker or mcts(simulations=100)")
    base, rest = match.group(), text[match.end() :].strip()
    if not rest:
        return Name(base)
    if rest[0] != "(" and text[match.end()] == rest[0]:
        raise InputError(f"{text!r} is not a name: {rest[0]!r} is none of a-z, A-Z, 0-9, _, ., /, : and -")
    if rest[0] != "(" or rest[-1] != ")":
        raise InputError(f"cannot read {rest!r} after {base!r}; write {base}(key=value, ...)")
    params: dict[str, Value] = {}
    for part in _split(rest[1:-1], text):
        key, eq, value = part.partition("=")
        key = key.strip()
        if not eq or not key.replace("-", "_").isidentifier():  # by-role takes role names, which contain dashes
            raise InputError(f"cannot read parameter {part.strip()!r} in {text!r}; write {base}(key=value, ...)")
        if key in params:
            raise InputError(f"parameter {key!r} occurs twice in {text!r}")
        params[key] = _value(value.strip())
    return Name(base, params)


def _split(text: str, whole: str) -> list[str]:
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
        if depth < 0:
            break
    if depth != 0 or quote:
        raise InputError(f"unbalanced brackets or quotes in {whole!r}")
    parts.append(text[start:])
    return [p for p in parts if p.strip()]


def _value(text: str) -> Value:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text in ("true", "True"):
        return True
    if text in ("false", "False"):
        return False
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _show(value: Value) -> str:
    """Returns a value in the form that `parse_name` reads, quoted if necessary. Raises InputError if no form exists."""
    if not isinstance(value, str):
        return str(value)
    for written in (value, f"'{value}'", f'"{value}"')[not value :]:
        if _reads_back(written, value):
            return written
    raise InputError(
        f"{value!r} cannot be written as a parameter; leave out brackets or one of the two kinds of quotes"
    )


def _reads_back(written: str, value: str) -> bool:
    try:
        return parse_name(f"x(k={written})").params == {"k": value}
    except InputError:
        return False
