"""Derives the random seeds of the seats of a match."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b

from arena.players.player import Player
from games.randomness import derive

_UNPACK = [struct.Struct(f">{n}Q").unpack_from for n in range(9)]
"""at index n, the first n numbers of a hash"""


def seat_seeds(seed: int, players: Mapping[str, Player], seats: Iterable[str]) -> dict[str, int]:
    """seat -> seed of its player's random numbers, in the order of `seats`.

    The numbers are independent of the game's chance, which must not depend on how often a bot draws, and of the numbers
    of another player in the same seat of the rotated match. From one of them nobody can compute the match's seed or the
    seeds of other seats. One hash serves eight seats: one hash per seat takes a tenth of the time of a short match of
    bots.
    """
    count = len(players)
    digest = blake2b(b"the seats 0 of a match of seed %d" % seed).digest()
    numbers = _UNPACK[count if count < 8 else 8](digest)
    for block in range(1, -(-count // 8)):
        numbers += _UNPACK[8](blake2b(b"the seats %d of a match of seed %d" % (block, seed)).digest())
    seeds = {}
    for seat, number in zip(seats, numbers):  # noqa: B905  strict= takes longer, and there are more numbers than seats
        seeds[seat] = number ^ _salt(seat, players[seat].name)
    return seeds


@lru_cache(4096)
def _salt(seat: str, player: str) -> int:
    return derive(0x5DEECE66D, seat, player)


__all__ = ["seat_seeds"]
