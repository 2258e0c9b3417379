"""Compares the longest prompt of a game with what a player reads, before a run starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from arena.players.player import Player
from games import GameSpec


def prompt_warnings(players: Mapping[str, Player], specs: Iterable[GameSpec]) -> Iterator[str]:
    """Yields a line for each game whose longest prompt some players may not be able to read whole.

    A game or a player that does not say its length gives none. Bytes bound the tokens of every tokenizer that falls
    back to bytes, so a prompt that fits in bytes fits in tokens; one that does not may fit.
    """
    for spec in specs:
        most = spec.prompt_bytes
        rooms = {name: room for name, player in players.items() if (room := player.prompt_room) is not None}
        if most is None or not (short := {name: room for name, room in rooms.items() if room < most}):
            continue
        readers = ", ".join(f"{name} at most {room:,}" for name, room in short.items())
        yield (
            f"the longest prompt of {spec.id} may have {most:,} bytes, so as many tokens, of which these players read: "
            f"{readers}. Quotations are shortened where one does not fit, and a match in which that is not enough is "
            "void; use a model with a larger context, a smaller max_tokens, or a shorter game, or state a smaller "
            "GameSpec.prompt_bytes"
        )
