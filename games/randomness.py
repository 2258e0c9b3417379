"""Seeded random streams that are cheap to create.

`random.Random(seed)` initialises 624 words, which takes 5 us: longer than a move of Kuhn poker. SplitMix64 (Steele, Lea
and Flood 2014, figure 15) needs no initialisation and passes BigCrush. Where a seed is a hash already, `POWERS` give
numbers for a third of the time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
"""what a stream's state grows by at each draw, so `choose(seed + n * STEP, items)` is the choice after n draws"""


POWERS = tuple(pow(0xF1357AEA2E62A9C5, n, 1 << 64) for n in range(1, 65))
"""of a multiplier for generators modulo 2**64 (Steele and Vigna 2022, arXiv 2001.05304, section 5): the highest bits of
`seed * POWERS[n]` are draw n of the generator that begins at the seed. Every draw is uniform because a power is odd;
draws of one seed are as independent as the multiplier is good. The seed must be a hash: equal steps of seeds give equal
steps of a draw"""


def derive(seed: int, *labels: str | int) -> int:
    """Returns a 63-bit seed that depends only on `seed` and the labels, not on PYTHONHASHSEED."""
    text = "\x1f".join([str(seed), *map(str, labels)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def keyed(key: bytes, *labels: str | int) -> int:
    """Returns a 63-bit seed from a key of at most 64 bytes and labels; it reveals neither (keyed BLAKE2b)."""
    text = "\x1f".join(map(str, labels))
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), key=key, digest_size=8).digest(), "big") >> 1


def choose(seed: int, items: Sequence[T]) -> T:
    """Returns `RandomStream(seed).choice(items)` without the stream, which takes half of the time of a single draw."""
    z = (seed + STEP) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    if (count := len(items)) == 2:
        return items[z >> 63 & 1]  # the general case without what does not reach the highest of 64 bits
    z &= _MASK
    return items[((z ^ (z >> 31)) * count) >> 64]


class RandomStream:
    """One reproducible stream of random numbers."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """Returns the next 64 random bits."""
        self._state = z = (self._state + STEP) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def random(self) -> float:
        """Returns a uniform number on [0, 1), 53 bits."""
        return (self.bits() >> 11) * 1.1102230246251565e-16

    def below(self, n: int) -> int:
        """Returns a uniform number on 0 .. n-1; the bias of multiply-shift is below n / 2**64."""
        return (self.bits() * n) >> 64

    def choice(self, items: Sequence[T]) -> T:
        """Returns one of the items, uniformly."""
        return items[(self.bits() * len(items)) >> 64]

    def weighted(self, weights: Sequence[float]) -> int:
        """Returns a random index with probability in proportion to its weight; not all weights may be zero."""
        point = self.random() * sum(weights)
        last = 0
        for i, w in enumerate(weights):
            if w > 0:
                last = i
                point -= w
                if point < 0:
                    return i
        return last

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Returns a shuffled copy (Fisher-Yates)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out
