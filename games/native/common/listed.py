"""Scripted choices from a list of answers, by the numbers alone: shortcuts of games that list answers.

A list of a right number and of wrong ones at the distances 1, 2 and 10 from it tells the right one, because few numbers
of the list have all others at these distances. The lists of `games.tasks.choices.beside` do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from games.randomness import RandomStream
from games.tasks.choices import NEAR
from games.verifiers import arithmetic

Choice: TypeAlias = Callable[[Sequence[str], RandomStream], str]
"""chooses from a list of answers without the question"""


def _numbers(options: Sequence[str]) -> dict[str, float]:
    """The options that are numbers, with their values, in order of size."""
    found = {option: arithmetic.number(option) for option in options}
    values = {option: float(value) for option, value in found.items() if value is not None}
    return dict(sorted(values.items(), key=lambda item: item[1]))


def by_distance(options: Sequence[str], stream: RandomStream) -> str:
    """One of the numbers whose distances to most others are those of made-up answers."""
    values = _numbers(options)
    fits = {one: sum(other - mine in NEAR for other in values.values()) for one, mine in values.items()}
    best = [option for option, n in fits.items() if n == max(fits.values())]
    return stream.choice(best or list(options))


def in_the_middle(options: Sequence[str], stream: RandomStream) -> str:
    """The number in the middle, or one of two."""
    ordered = list(_numbers(options)) or list(options)
    return stream.choice(ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1])


def _at(place: int) -> Choice:
    return lambda options, stream: (list(_numbers(options)) or list(options))[place]


CHOICES: Mapping[str, Choice] = MappingProxyType({
    "the number whose distances fit": by_distance,
    "the number in the middle": in_the_middle,
    "the largest number": _at(-1),
    "the smallest number": _at(0),
    "the first of the list": lambda options, stream: options[0],
    "the last of the list": lambda options, stream: options[-1],
})  # fmt: skip
