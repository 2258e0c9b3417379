"""Derives the random seeds of the seats of a match."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from hashlib import blake2b

from arena.players.player import Player
from games.randomness import derive

_UNPACK = [struct.Struct(f">{n}Q").unpack_from for n in range(9)]
"""at index n, the first n numbers of a hash"""


def seat_seeds(seed: int, players: Mapping[str, Player], seats: Iterable[str]) -> dict[str, int]:
    """Returns seat -> seed of its player's random numbers, in the order of `seats`.

    The numbers are independent of the game's chance, which must not depend on how often a bot draws, and of the numbers
    of another player in the same seat of the rotated match. From one of them nobody can compute the match's seed or the
    seeds of other seats. One hash serves eight seats: one hash per seat takes a tenth of the time of a short match of
    bots.
    """
    count = len(players)
    digest = blake2b(b"the seats 0 of a match of seed %d" % seed).digest()
    numbers = _UNPACK[count](digest) if count <= 8 else _more_numbers(seed, count, digest)
    seeds = {}
    for seat, number in zip(seats, numbers):  # noqa: B905  strict= takes longer, and there are enough numbers
        seeds[seat] = number ^ _SALTS[seat, players[seat].name]
    return seeds


def _more_numbers(seed: int, count: int, digest: bytes) -> tuple[int, ...]:
    """Returns at least `count` numbers, the first eight from `digest`."""
    for block in range(1, -(-count // 8)):
        digest += blake2b(b"the seats %d of a match of seed %d" % (block, seed)).digest()
    return struct.unpack(f">{len(digest) // 8}Q", digest)


class _Salts(dict[tuple[str, str], int]):
    """(seat, player) -> a number of its own; a look-up takes less time than a call of `lru_cache`."""

    def __missing__(self, key: tuple[str, str]) -> int:
        if len(self) >= 4096:
            self.clear()
        self[key] = salt = derive(0x5DEECE66D, *key)
        return salt


_SALTS = _Salts()


__all__ = ["seat_seeds"]
