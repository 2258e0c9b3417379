"""From `mcts(simulations=100)` to a player."""

from __future__ import annotations

from arena.players.player import Player, lacks
from games.errors import InputError
from games.naming import parse_name
from games.registries import Registry

PLAYERS = Registry(
    "player",
    "arena.players",
    Player,
    {
        "by-role": "arena.players.by_role:by_role",
        "deducer": "arena.players.deducer:Deducer",
        "haggler": "arena.players.haggler:Haggler",
        "human": "arena.players.human:Human",
        "llm": "arena.players.llm:LLM",
        "mcts": "arena.players.search:MCTS",
        "openai": "arena.players.endpoint:Endpoint",
        "random": "arena.players.uniform:Uniform",
        "solver": "arena.players.solver:Solver",
    },
    listed_by="arena players",
)

ids = PLAYERS.ids
register = PLAYERS.register


def make(id: str, name: str | None = None) -> Player:
    """The player that `id` describes, shown as `name` (default: the id itself)."""
    player = PLAYERS.make(id)
    if problem := lacks(player):
        player.close()
        base = parse_name(id).base
        raise InputError(f"player {base!r} of {PLAYERS.entries()[base].origin} cannot play: {problem}")
    player.name = name or str(parse_name(id))
    return player
