"""Texts that match a regular expression, so that a text gets past the first look of a reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from games.randomness import RandomStream

_PARSER: Any = import_module("re._parser")
MOST = 4
"""repetitions of one part beyond the least; a long text is the work of `mutations`"""
_CATEGORIES = {
    "CATEGORY_DIGIT": "0179٣", "CATEGORY_SPACE": " \n\t\xa0", "CATEGORY_WORD": "axZ_09é",
    "CATEGORY_NOT_DIGIT": "a -", "CATEGORY_NOT_SPACE": "a1.", "CATEGORY_NOT_WORD": " .-<",
}  # fmt: skip
_ANY = 'a1 .-"<\u202e'


def matching(pattern: re.Pattern[str], stream: RandomStream) -> str:
    """Returns a text that matches the pattern, or nearly: looks around and back references are not obeyed."""
    try:
        return _sequence(_PARSER.parse(pattern.pattern, pattern.flags & ~re.DEBUG), stream, {})
    except (re.error, RecursionError, OverflowError):
        return ""


def _sequence(parts: Any, stream: RandomStream, groups: dict[int, str]) -> str:
    return "".join(_PARTS[str(name)](value, stream, groups) if str(name) in _PARTS else "" for name, value in parts)


def _repeat(value: Any, stream: RandomStream, groups: dict[int, str]) -> str:
    least, most, inner = value
    times = least + stream.below(min(int(most) - least, MOST) + 1)
    return "".join(_sequence(inner, stream, groups) for _ in range(min(times, 200)))


def _group(value: Any, stream: RandomStream, groups: dict[int, str]) -> str:
    number, _, _, inner = value
    text = _sequence(inner, stream, groups)
    if number is not None:
        groups[number] = text
    return text


def _set(value: Any, stream: RandomStream, groups: dict[int, str]) -> str:
    if str(value[0][0]) == "NEGATE":
        return stream.choice(_ANY)
    name, item = stream.choice(value)
    return _PARTS[str(name)](item, stream, groups)


_PARTS: Mapping[str, Callable[[Any, RandomStream, dict[int, str]], str]] = {
    "LITERAL": lambda value, stream, groups: chr(value),
    "NOT_LITERAL": lambda value, stream, groups: stream.choice(_ANY),
    "ANY": lambda value, stream, groups: stream.choice(_ANY),
    "RANGE": lambda value, stream, groups: chr(value[0] + stream.below(value[1] - value[0] + 1)),
    "IN": _set,
    "CATEGORY": lambda value, stream, groups: stream.choice(_CATEGORIES[str(value)]),
    "BRANCH": lambda value, stream, groups: _sequence(stream.choice(value[1]), stream, groups),
    "SUBPATTERN": _group,
    "MAX_REPEAT": _repeat,
    "MIN_REPEAT": _repeat,
    "POSSESSIVE_REPEAT": _repeat,
    "ATOMIC_GROUP": lambda value, stream, groups: _sequence(value, stream, groups),
    "GROUPREF": lambda value, stream, groups: groups.get(value, ""),
}
"""opcode of the parsed pattern -> what it writes; the others write nothing"""
