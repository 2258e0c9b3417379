"""Scripted choices from a list of answers without the question: shortcuts of games that list answers.

A list of a right number and of wrong ones at the distances 1, 2 and 10 from it tells the right one, because few numbers
of the list have all others at these distances. In a list that holds each number once, or numbers that are never an
answer, the one that is most often right elsewhere is a better guess than chance. The lists of
`games.tasks.choices.exchangeable` tell neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from games.native.common.sourced import SourcedGame
from games.randomness import RandomStream, derive
from games.tasks.choices import NEAR
from games.verifiers import arithmetic

Choice: TypeAlias = Callable[[Sequence[str], RandomStream], str]
"""chooses from a list of answers without the question"""
OFTEN_RIGHT = "the answer that is often right"
_OTHERS = 2000
"""other matches whose answers are counted, for a guess from priors"""


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


def frequency(answers: Callable[[int], str]) -> Callable[[str], int]:
    """In how many of other matches an answer is right. `answers`: seed -> the right answer of its match."""

    @cache
    def often() -> Counter[str]:
        return Counter(answers(derive(i, "priors")) for i in range(_OTHERS))

    return lambda answer: often()[answer]


def frequency_in(game: SourcedGame) -> Callable[[str], int]:
    """In how many matches of a game about tasks of a source an answer is right."""
    return frequency(lambda seed: game.drawn(seed).answer)


def often_right(often: Callable[[str], int]) -> Choice:
    """The answer of the list that is right in most other matches: a guess from priors."""

    def choose(options: Sequence[str], stream: RandomStream) -> str:
        most = max(map(often, options))
        return stream.choice([option for option in options if often(option) == most])

    return choose


def choices(game: SourcedGame) -> Mapping[str, Choice]:
    """All choices that need no question, for a game about tasks of a source."""
    return {**CHOICES, OFTEN_RIGHT: often_right(frequency_in(game))}


CHOICES: Mapping[str, Choice] = MappingProxyType({
    "the number whose distances fit": by_distance,
    "the number in the middle": in_the_middle,
    "the largest number": _at(-1),
    "the smallest number": _at(0),
    "the first of the list": lambda options, stream: options[0],
    "the last of the list": lambda options, stream: options[-1],
})  # fmt: skip
