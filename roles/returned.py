"""What the methods of a role return, for the registry, which checks the roles of plugins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any

OF_BATCH = ("credit_batch", "split_batch")
"""methods that get all episodes of a batch and return something for each"""


def _is_chat(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(m, dict) and {"role", "content"} <= m.keys() for m in found)


def _is_credit(found: Any) -> bool:
    return isinstance(found, Real) and isfinite(found)  # numbers of numpy are Real


def _are_rewards(found: object) -> bool:
    return found is None or (isinstance(found, Sequence) and all(map(_is_credit, found)))


def _are_factors(found: object) -> bool:
    return isinstance(found, Collection) and all(map(_is_credit, found))  # a numpy array is no Sequence


def _are_phases(found: object) -> bool:
    return found is None or (
        isinstance(found, Mapping) and all(isinstance(p, str) and _is_credit(r) for p, r in found.items())
    )


def _per_match(valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A check of None, or of a sequence of mappings seat -> something valid."""
    return lambda found: (
        found is None
        or (
            isinstance(found, Sequence)
            and all(isinstance(seats, Mapping) and all(map(valid, seats.values())) for seats in found)
        )
    )


WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "messages": (_is_chat, 'a list of {"role": ..., "content": ...}'),
    "parse": (lambda found: isinstance(found, str), "the action as a str, or raises roles.ParseError"),
    "credit": (_is_credit, "a finite number"),
    "phases": (_are_phases, "None, or a mapping phase -> finite number"),
    "credit_batch": (_per_match(_is_credit), "None, or for each episode a mapping seat -> finite number"),
    "split_batch": (_per_match(_are_factors), "None, or for each episode a mapping seat -> finite numbers"),
    "task": (lambda found: isinstance(found, str), "the task as a str"),
    "answer": (lambda found: isinstance(found, str), "the answer as a str"),
    "turn_rewards": (_are_rewards, "None, or a sequence of finite numbers"),
}
"""method -> a check of what it returns, and the requirement in words"""
