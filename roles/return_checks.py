"""What the methods of a role return, for the registry, which checks the roles of plugins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any

OF_BATCH = ("credit_batch", "split_batch")
"""methods that get all episodes of a batch and return something for each"""


def _is_chat(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(m, dict) and {"role", "content"} <= m.keys() for m in value)


def _is_credit(value: Any) -> bool:
    return isinstance(value, Real) and isfinite(value)  # numbers of numpy are Real


def _are_rewards(value: object) -> bool:
    return value is None or (isinstance(value, Sequence) and all(map(_is_credit, value)))


def _are_factors(value: object) -> bool:
    return isinstance(value, Collection) and all(map(_is_credit, value))  # a numpy array is no Sequence


def _are_phases(value: object) -> bool:
    return value is None or (
        isinstance(value, Mapping) and all(isinstance(p, str) and _is_credit(r) for p, r in value.items())
    )


def _per_match(valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Returns a check of None, or of a sequence of mappings seat -> something valid."""
    return lambda value: (
        value is None
        or (
            isinstance(value, Sequence)
            and all(isinstance(seats, Mapping) and all(map(valid, seats.values())) for seats in value)
        )
    )


REQUIREMENTS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "messages": (_is_chat, 'a list of {"role": ..., "content": ...}'),
    "parse": (lambda value: isinstance(value, str), "the action as a str, or raises roles.ParseError"),
    "credit": (_is_credit, "a finite number"),
    "phases": (_are_phases, "None, or a mapping phase -> finite number"),
    "credit_batch": (_per_match(_is_credit), "None, or for each episode a mapping seat -> finite number"),
    "split_batch": (_per_match(_are_factors), "None, or for each episode a mapping seat -> finite numbers"),
    "task": (lambda value: isinstance(value, str), "the task as a str"),
    "answer": (lambda value: isinstance(value, str), "the answer as a str"),
    "turn_rewards": (_are_rewards, "None, or a sequence of finite numbers"),
}
"""method -> a check of what it returns, and the requirement in words"""
