"""Listed answers for tiny models: a right answer among wrong ones, and guesses that do not read the question.

Each answer of a list is as likely to be right as any other (`games.tasks.choices.exchangeable`). The guesses show it: a
list of a right number and of wrong ones at the distances 1, 2 and 10 from it tells the right one, because few numbers
of the list have all others at these distances, and where a list holds each number once, or numbers that are never an
answer, the one that is most often right elsewhere is a better guess than chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Annotated, TypeAlias

from annotated_types import Interval

from games.randomness import RandomStream, derive
from games.tasks import SourceTask, TaskSource
from games.tasks.choices import NEAR
from games.verifiers import arithmetic

Problems = Annotated[int, Interval(ge=0, le=1000)]
"""the parameter `problems`: how many tasks are posed, for small models; 0: all tasks of the source"""
WRONG = 3
"""wrong answers of a list"""
Choice: TypeAlias = Callable[[Sequence[str], RandomStream], str]
"""chooses from a list of answers without the question"""
OFTEN_RIGHT = "the answer that is often right"
_OTHERS = 2000
"""other matches whose answers are counted, for a guess from priors"""


def drawn(source: TaskSource, seed: int, problems: int = 0) -> SourceTask:
    """Returns the task of a match with this seed; with `problems` one of so many."""
    return source.draw(_seed_of(RandomStream(derive(seed, "problem")).below(problems)) if problems else seed)


def listed(
    source: TaskSource, task: SourceTask, stream: RandomStream, problems: int = 0, n: int = WRONG
) -> tuple[str, ...]:
    """Returns the right answer and up to `n` wrong ones in random order, each as likely to be right.

    Wrong answers are right ones to tasks of the same kind, drawn as matches draw them. If `problems` are too few for a
    list, it is filled with wrong answers to any of them, which do not tell the problem posed.
    """
    same = [seed for seed in map(_seed_of, range(problems)) if source.kind_of(seed) == task.kind]
    if not same:
        return source.fair_choices(task, stream, n)
    draw: Callable[[int], SourceTask] = cache(source.draw)

    def alike(seed: int) -> SourceTask:
        return draw(same[RandomStream(seed).below(len(same))])

    answers = source.fair_choices(task, stream, n, alike)
    if len(answers) > n:
        return answers
    near = source.fair_choices(alike(stream.bits() >> 1), stream, n)
    more = [text for text in near if text not in answers and not source.verdict(task, text).ok]
    return tuple(stream.shuffled([*answers, *more][: n + 1]))


def _seed_of(problem: int) -> int:
    return derive(problem, "problem")


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


def frequency_of(source: TaskSource, problems: int = 0) -> Callable[[str], int]:
    """Returns in how many matches about tasks of a source an answer is right."""
    return frequency(lambda seed: drawn(source, seed, problems).answer)


def often_right(often: Callable[[str], int]) -> Choice:
    """The answer of the list that is right in most other matches: a guess from priors."""

    def choose(options: Sequence[str], stream: RandomStream) -> str:
        most = max(map(often, options))
        return stream.choice([option for option in options if often(option) == most])

    return choose


def choices(source: TaskSource, problems: int = 0) -> dict[str, Choice]:
    """Returns all guesses that need no question, for a game about tasks of a source."""
    return {**CHOICES, OFTEN_RIGHT: often_right(frequency_of(source, problems))}


CHOICES: Mapping[str, Choice] = MappingProxyType({
    "the number whose distances fit": by_distance,
    "the number in the middle": in_the_middle,
    "the largest number": _at(-1),
    "the smallest number": _at(0),
    "the first of the list": lambda options, stream: options[0],
    "the last of the list": lambda options, stream: options[-1],
})  # fmt: skip
