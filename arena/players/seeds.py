"""Seeds for what leaves the process: whoever receives one learns nothing about the match.

The chance of a match comes from its seed, and a run's own seed may be a small number that somebody finds by trying.
So a seed that is sent away is made with a key that is in nobody's request: 32 random bytes, drawn when a run begins
and kept with it. It differs between any two matches, even of one pairing on one seed, so that a server cannot tell
which matches share their cards.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterable

from arena.players.player import Player, View
from games.randomness import keyed

VARIABLE = "ARENA_SEED_KEY"
"""names the environment variable with which a user makes the seeds of another run come out the same"""


def new_secret() -> bytes:
    """32 random bytes, or those that follow from ARENA_SEED_KEY."""
    given = os.environ.get(VARIABLE, "")
    return (
        hashlib.blake2b(given.encode("utf-8", "surrogateescape"), digest_size=32).digest()
        if given
        else secrets.token_bytes(32)
    )


def seed_for(players: Iterable[Player]) -> int:
    """The seed of matches for which none was given: 0, or where a player is outside one that nobody finds by trying."""
    return secrets.randbits(63) if any(player.outside for player in players) else 0


def outside_seed(secret: bytes, view: View) -> int:
    """The seed of a turn for somebody outside, 31 bits: the same for the same secret, match, turn and attempt."""
    return keyed(secret, "outside", view.match, view.seat_seed, view.turn, len(view.rejected)) & 0x7FFFFFFF


__all__ = ["VARIABLE", "new_secret", "outside_seed", "seed_for"]
