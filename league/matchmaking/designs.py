"""Designs: lists of the groups of players that meet, ordered so that all players play evenly over time."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, zip_longest
from math import ceil, comb
from typing import TypeVar

from games.randomness import RandomStream, derive

T = TypeVar("T")
Seating = tuple[str, ...]
"""the players at a table"""


def berger(players: Sequence[str]) -> list[list[Seating]]:
    """Returns every pair once, in sweeps in which nobody plays twice (the circle method of the Berger tables).

    n players need n - 1 sweeps; an odd n needs n sweeps, and one player is idle in each.
    """
    circle: list[str | None] = [*players, None] if len(players) % 2 else list(players)
    half = len(circle) // 2
    sweeps: list[list[Seating]] = []
    for _ in range(len(circle) - 1):
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        sweeps.append([(a, b) for a, b in pairs if a is not None and b is not None])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return sweeps


def everybody(players: Sequence[str], seats: int, limit: int, seed: int) -> list[Seating]:
    """Returns every group of `seats` players once, or a balanced selection if there are more than `limit` groups.

    A selection places all players on random circles and seats each with the next `seats` - 1. Everyone then sits at the
    same number of tables, about (n - 1) / (seats - 1), enough to meet everyone else once on average.
    """
    n = len(players)
    if seats == 2:
        return list(chain.from_iterable(berger(players)))
    if seats == 1 or comb(n, seats) <= limit:
        return [tuple(players[i] for i in group) for group in _even_order(n, seats)]
    groups: list[Seating] = []
    for k in range(ceil((n - 1) / (seats * (seats - 1)))):
        circle = RandomStream(derive(seed, k)).shuffled(players)
        groups += [tuple((circle + circle)[i : i + seats]) for i in range(n)]
    return groups


def everybody_count(n: int, seats: int, limit: int) -> int:
    """Returns the number of groups that `everybody` returns."""
    if seats <= 2 or comb(n, seats) <= limit:
        return comb(n, seats)
    return n * ceil((n - 1) / (seats * (seats - 1)))


@functools.lru_cache(maxsize=64)
def _even_order(n: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Returns all groups of `seats` out of n; each next group is one whose players played least so far."""
    left = list(combinations(range(n), seats))
    played = [0] * n
    order = []
    while left:
        best = min(left, key=lambda group: (sum(played[i] for i in group), group))
        left.remove(best)
        order.append(best)
        for i in best:
            played[i] += 1
    return tuple(order)


def interleave(lists: Iterable[Sequence[T]]) -> Iterator[T]:
    """Yields one item of each list in turn, so that the games of a run progress together."""
    missing = object()
    for row in zip_longest(*lists, fillvalue=missing):
        yield from (item for item in row if item is not missing)  # type: ignore[misc]
