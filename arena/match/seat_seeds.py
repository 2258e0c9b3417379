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
    seeds, index = {}, 0
    try:
        for seat in seats:  # a counter takes half of the time of zip
            seeds[seat] = numbers[index] ^ _SALTS[seat][players[seat].name]
            index += 1
    except KeyError:
        _add_salt(seat, players[seat].name)
        return seat_seeds(seed, players, seats)
    return seeds


def _more_numbers(seed: int, count: int, digest: bytes) -> tuple[int, ...]:
    """Returns at least `count` numbers, the first eight from `digest`."""
    for block in range(1, -(-count // 8)):
        digest += blake2b(b"the seats %d of a match of seed %d" % (block, seed)).digest()
    return struct.unpack(f">{len(digest) // 8}Q", digest)


_SALTS: dict[str, dict[str, int]] = {}
"""seat -> player -> a number of its own; two look-ups take less time than one by a pair, or a call of `lru_cache`"""


def _add_salt(seat: str, name: str) -> None:
    salts = _SALTS.setdefault(seat, {})
    if len(salts) >= 4096:
        salts.clear()
    salts[name] = derive(0x5DEECE66D, seat, name)


__all__ = ["seat_seeds"]
