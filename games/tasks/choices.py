"""Lists of numbers that contain a right answer and do not tell which one it is."""

from __future__ import annotations

from collections.abc import Iterable

from games.randomness import RandomStream

NEAR = (-10, -2, -1, 1, 2, 10)
"""distances of made-up wrong numbers from the right one; three or more of them tell it"""
POOL = 40
"""answers to other tasks from which a list is made"""


def beside(truth: int, others: Iterable[int], n: int, stream: RandomStream) -> tuple[str, ...]:
    """The right number and up to `n` of the others that are near it, in random order.

    All numbers are sorted and cut into stretches of n + 1, whichever of them is right; the list is the stretch of the
    right one. If the others are right answers to tasks that were drawn in the same way, any number of a list is as
    likely to be right as any other: rank, distance and how often a number is an answer tell nothing. Where few numbers
    can be answers, one that often is remains a better guess, because a list holds no number twice.
    """
    spare = stream.shuffled(sorted({*others} - {truth}))
    kept = sorted([truth, *spare[(len(spare) + 1) % (n + 1) :]])
    start = kept.index(truth) // (n + 1) * (n + 1)
    return tuple(stream.shuffled([str(number) for number in kept[start : start + n + 1]]))
