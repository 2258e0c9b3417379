"""Seeds that leave the process. Whoever receives one learns nothing about the match.

The chance of a match comes from its seed, and the seed of a run may be a small number that somebody can guess. So a
seed for an endpoint is derived with a secret: 32 random bytes, drawn when a run begins and stored with it. It differs
between any two matches, even those of one pairing on one seed, so a server cannot tell which matches share their cards.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterable

from arena.players.player import Player, View
from games.randomness import keyed

VARIABLE = "ARENA_SEED_KEY"
"""environment variable that fixes the secret, so that another run sends the same seeds"""


def new_secret() -> bytes:
    """Returns 32 random bytes, or bytes derived from ARENA_SEED_KEY if it is set."""
    key = os.environ.get(VARIABLE, "")
    return (
        hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=32).digest()
        if key
        else secrets.token_bytes(32)
    )


def seed_for(players: Iterable[Player]) -> int:
    """Returns the default seed of matches: 0, or a random one if a player is `outside` and must not guess it."""
    return secrets.randbits(63) if any(player.outside for player in players) else 0


def outside_seed(secret: bytes, view: View) -> int:
    """Returns the 31-bit seed of a turn for an endpoint. It depends on secret, the match, the turn and the attempt."""
    return keyed(secret, "outside", view.match, view.seat_seed, view.turn, len(view.rejected)) & 0x7FFFFFFF


__all__ = ["VARIABLE", "new_secret", "outside_seed", "seed_for"]
