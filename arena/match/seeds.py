"""The seeds of the random numbers of a match's seats."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b

from arena.players.player import Player
from games.randomness import derive

_EIGHT = struct.Struct(">8Q")


def seat_seeds(seed: int, players: Mapping[str, Player], seats: Iterable[str]) -> dict[str, int]:
    """seat -> the seed of its player's random numbers, for `seats` in their order.

    Apart from the game's chance, which must not depend on how often a bot rolled, and apart from what somebody else
    rolls in the same seat of the rotated match. Whoever knows one can compute neither the match's seed nor the seeds of
    other seats. One hash serves eight seats: a hash for each would take a tenth of a short match of bots.
    """
    numbers = _numbers(seed, 0)
    if len(players) > 8:
        numbers += tuple(n for block in range(1, -(-len(players) // 8)) for n in _numbers(seed, block))
    return {seat: n ^ _salt(seat, players[seat].name) for seat, n in zip(seats, numbers, strict=False)}


def _numbers(seed: int, block: int) -> tuple[int, ...]:
    return _EIGHT.unpack(blake2b(b"the seats %d of a match of seed %d" % (block, seed)).digest())


@lru_cache(4096)
def _salt(seat: str, player: str) -> int:
    return derive(0x5DEECE66D, seat, player)


__all__ = ["seat_seeds"]
