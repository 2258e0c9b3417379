"""Wrong numbers that most cheap checks let pass, and a player that glances: for numbers of eight digits."""

from __future__ import annotations

import re

from games.randomness import RandomStream

LEAST = 10**7
"""the least number of eight digits"""
_WEIGHTS = {
    1: 1, 10: 1, 100: 1, 819: 1, 1_000: 1, 9_009: 1, 10_000: 1, 100_000: 1, 900_900: 3,
    1_000_000: 1, 10_000_000: 1, 99_000_000: 1, 100_000_000: 1, 100_100_000: 1,
}  # fmt: skip
SLIPS = tuple(slip for slip, weight in _WEIGHTS.items() for _ in range(weight))
"""how far a wrong number lies from the right one, each as likely

An integer program chose them. Of sums of three numbers, each single digit tells at most a third of them, any three
beside each other and the first three little more than half, the first and the last two .58, the rests by 3, 7, 9, 11
and 13 .63, and any four digits from .6 to .71.
"""
_LARGE, _SMALL = 100_000, (9, 10, 11)
"""slips of numbers below `_LARGE`"""
_OVERLOOKED = 4
"""one of so many columns is not checked at a glance"""


def slip(value: int, stream: RandomStream) -> int:
    """Returns a wrong number near a right one, on its side of zero."""
    off = stream.choice((-1, 1)) * stream.choice(SLIPS if abs(value) >= _LARGE else _SMALL)
    return value + off if value * (value + off) > 0 else value - off


def overlooked(question: str) -> tuple[int, ...]:
    """Returns the columns with most to add, a quarter of those of the longest number, counted from the right.

    A factor of one digit is in no column.
    """
    numbers = re.findall(r"\d\d+", question) or re.findall(r"\d", question)
    columns = range(max(map(len, numbers), default=1))
    load = [sum(int(number[-1 - at]) for number in numbers if len(number) > at) for at in columns]
    return tuple(sorted(columns, key=lambda at: -load[at])[: max(1, len(load) // _OVERLOOKED)])


def glances(value: int, truth: int, question: str) -> bool:
    """Returns whether a number is right in all columns but those with most to add."""
    worth = [10**at for at in overlooked(question)]
    one, other = (abs(n) - sum(abs(n) // by % 10 * by for by in worth) for n in (value, truth))
    return one == other and value * truth >= 0


def unnoticed(truth: int, question: str, stream: RandomStream) -> int:
    """Returns a wrong number that a glance lets pass: another digit in the column with most to add."""
    worth: int = 10 ** overlooked(question)[0]
    digit = abs(truth) // worth % 10
    off = (stream.choice([n for n in range(10) if n != digit]) - digit) * worth
    return truth - off if truth < 0 else truth + off
