"""Wrong numbers that most cheap checks let pass, and a player that makes such checks: for numbers of eight digits."""

from __future__ import annotations

from math import prod

from games.randomness import RandomStream

LEAST = 10**7
"""the least number of eight digits"""
SLIPS = (90, 100, 90_090, 9_009_000, 10_010_000, 69_300_000)
"""how far a wrong number lies from the right one, each as likely

A linear program chose them. The rests by 3, 4, 7, 8, 9, 11, 13, 99, 100 and 1000, each single digit and the first two
digits tell at most half of the six, the first three about half, any two digits beside each other two thirds.
"""
_LARGE, _SMALL = 100_000, (9, 10, 11)
"""slips of numbers below `_LARGE`"""
_RESTS = (7, 9, 11, 13, 100)
_CHECKS = 3
"""how many of six cheap checks the glancing player makes: the rests, and one of length and leading digits"""
UNNOTICED = prod(_RESTS)
"""the distance that all rests let pass"""


def slip(value: int, stream: RandomStream) -> int:
    """Returns a wrong number near a right one, on its side of zero."""
    off = stream.choice((-1, 1)) * stream.choice(SLIPS if abs(value) >= _LARGE else _SMALL)
    return value + off if value * (value + off) > 0 else value - off


def glances(value: int, truth: int, stream: RandomStream) -> bool:
    """Returns whether a number passes three cheap checks, which are drawn."""
    passed = [(value - truth) % rest == 0 for rest in _RESTS]
    return all(stream.shuffled([*passed, _rough(value) == _rough(truth)])[:_CHECKS])


def unnoticed(truth: int) -> int:
    """Returns a wrong number that no cheap check tells, if there is one."""
    return min((truth + UNNOTICED, truth - UNNOTICED), key=lambda value: _rough(value) != _rough(truth))


def _rough(value: int) -> tuple[bool, int, str]:
    """Returns sign, length and the first two digits."""
    digits = str(abs(value))
    return value < 0, len(digits), digits[:2]
