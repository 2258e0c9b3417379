"""The range of the returns of another library's game, which its id tells: `returns_range=[-120,0]`.

An environment does not say how little it may pay, and a forfeit must not pay more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from games.errors import InputError
from games.game import GameSpec
from games.naming import Name, parse_name

PARAMETER = "returns_range"
LIBRARIES = ("openenv", "pettingzoo", "textarena", "verifiers")
"""namespaces whose ids take `returns_range`"""
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"\[\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\]")


def read_range(text: str | None) -> tuple[float, float] | None:
    """Returns the lowest and the highest return of a seat; None for no text. Raises InputError."""
    if not text:
        return None
    match = _RANGE.fullmatch(text)
    span = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not span[0] < span[1] or not all(map(math.isfinite, span)):
        raise InputError(
            f"returns_range={text} is no range; write the lowest and the highest return of a seat, such as "
            "returns_range=[-120,0]"
        )
    return span


def with_range(params: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parameters of an id with `returns_range`, if it is among them, in one spelling. Raises InputError."""
    span = read_range(str(params.get(PARAMETER, "")))
    return {**params, PARAMETER: _written(span)} if span else {k: v for k, v in params.items() if k != PARAMETER}


def _written(span: tuple[float, float]) -> str:
    return f"[{span[0]:g},{span[1]:g}]"


def wider(returns: Iterable[float]) -> tuple[float, float]:
    """Returns a range of round numbers around some returns, three times as wide: other play pays less, or more."""
    values = [*returns]
    room = max(max(values) - min(values), abs(min(values)), 1.0)
    unit = 10.0 ** math.floor(math.log10(room)) / 2
    return math.floor((min(values) - room) / unit) * unit, math.ceil((max(values) + room) / unit) * unit


def remedy(spec: GameSpec, returns: Iterable[float]) -> str:
    """Returns what to write so that a forfeit pays less than any of these returns."""
    name, span = parse_name(spec.id), wider(returns)
    if name.base.partition("/")[0] not in LIBRARIES:
        return f"write returns_range={span} in the GameSpec"
    return f"write {Name(name.base, {**name.params, PARAMETER: _written(span)})}"
