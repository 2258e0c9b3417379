"""From `mcts(simulations=100)` to a player. Listing imports no player."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from arena.players.player import Player
from games import InputError, UnknownName, plugins
from games.naming import parse_name

GROUP = "arena.players"

# Our own players: name -> "module:factory".
NATIVE = {
    "haggler": "arena.players.haggler:Haggler",
    "human": "arena.players.human:Human",
    "llm": "arena.players.llm:LLM",
    "mcts": "arena.players.search:MCTS",
    "random": "arena.players.uniform:Uniform",
    "solver": "arena.players.solver:Solver",
}

T = TypeVar("T", bound=Callable[..., Player])


def register(name: str) -> Callable[[T], T]:
    """Decorator for a player in a plugin file: `@register("greedy")` above a Player class or a factory."""
    return plugins.register(GROUP, name)


def _entries() -> dict[str, plugins.Entry]:
    return {**plugins.builtin(NATIVE), **plugins.entries(GROUP)}


def ids() -> list[str]:
    """The kinds of player there are."""
    return sorted(_entries())


def make(id: str, name: str | None = None) -> Player:
    """The player that `id` describes, shown as `name` (default: the id itself)."""
    parsed = parse_name(id)
    entry = _entries().get(parsed.base)
    if entry is None:
        raise UnknownName("player", parsed.base, ids(), "arena players")
    player = plugins.create("player", entry, parsed.params)
    if not isinstance(player, Player):
        raise InputError(f"player {parsed.base!r} of {entry.origin} made a {type(player).__name__}, not a Player")
    player.name = name or str(parsed)
    return player
