"""Lists of answers that contain a right one and do not tell which one it is.

`exchangeable` makes the lists of new versions of games. `NEAR` and `beside` make those of earlier ones, which stored
matches name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from games.randomness import RandomStream
from games.verifiers import arithmetic

NEAR = (-10, -2, -1, 1, 2, 10)
"""distances of made-up wrong numbers from the right one; three or more of them tell it"""
POOL = 40
"""number of answers to other tasks that `beside` chooses from"""


def exchangeable(truth: str, others: Iterable[str], n: int, stream: RandomStream) -> tuple[str, ...]:
    """Returns the right answer and up to `n` of the others, in random order; each of the list is as likely to be right.

    That holds exactly, whatever answers are frequent, if the others are right answers to tasks that were drawn in the
    same way: then any of all these answers, repetitions included, is as likely to be the right one as any other. They
    are sorted, equal ones in random order, and the list takes every k-th: of a part of them where that gives different
    answers, so that answers of a list lie near each other. Which lists are possible does not depend on which answer is
    right.

    An answer that is more frequent than a list can hide is on every list. It is the best guess then, and right as often
    as it is in the tasks.
    """
    answers = [truth, *others]
    always = _too_frequent(answers, n + 1)
    size = _order(answers)
    order = [i for i in stream.shuffled(range(len(answers))) if answers[i] not in always]
    order.sort(key=lambda i: size[i])
    rest = [answers[i] for i in order]
    choices = list(always)
    if rest:
        at = stream.below(len(rest)) if truth in always else order.index(0)
        choices += _every_kth(rest, at, n + 1 - len(always), stream)
    return tuple(stream.shuffled(choices))


def _too_frequent(answers: Sequence[str], places: int) -> list[str]:
    """Returns the answers so frequent that a list of every k-th answer could hold one twice; they take extra places."""
    left, frequent = Counter(answers), list[str]()
    while more := sorted(a for a, times in left.items() if times * (places - len(frequent)) > left.total()):
        for answer in more:
            del left[answer]
        frequent += more
    return frequent


def _every_kth(answers: Sequence[str], at: int, places: int, stream: RandomStream) -> list[str]:
    """Returns answers at even distances in the sorted list, `at` among them, from as short a stretch as possible."""
    start, end = 0, len(answers)
    while True:
        middle = (start + end) // 2
        if not all(_differ(half, places) for half in (answers[start:middle], answers[middle:end])):
            break
        start, end = (start, middle) if at < middle else (middle, end)
    part = answers[start:end]
    # Each answer takes as many points of a circle as there are places; points at a distance of len(part) are chosen.
    point = (at - start) * places + stream.below(places)
    return [part[(point + i * len(part)) % (len(part) * places) // places] for i in range(places)]


def _differ(answers: Sequence[str], places: int) -> bool:
    """Returns whether no list of every k-th answer, with this many places, holds an answer twice."""
    return bool(answers) and max(Counter(answers).values()) * places <= len(answers)


def _order(answers: Sequence[str]) -> Sequence[Fraction] | Sequence[str]:
    """Returns what the answers are sorted by: their values if all are numbers, else the texts."""
    values = [arithmetic.number(answer) for answer in answers]
    numbers = [value for value in values if value is not None]
    return numbers if len(numbers) == len(answers) else answers


def beside(truth: int, others: Iterable[int], n: int, stream: RandomStream) -> tuple[str, ...]:
    """Returns the right number and up to `n` of the others that are near it, in random order.

    All numbers are sorted and cut into stretches of n + 1, whichever of them is right; the list is the stretch of the
    right one. Rank and distance tell nothing, but a number that often is an answer is a better guess than others,
    because all numbers are taken once.
    """
    spare = stream.shuffled(sorted({*others} - {truth}))
    kept = sorted([truth, *spare[(len(spare) + 1) % (n + 1) :]])
    start = kept.index(truth) // (n + 1) * (n + 1)
    return tuple(stream.shuffled([str(number) for number in kept[start : start + n + 1]]))
