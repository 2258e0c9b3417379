"""Players: everything that can take a seat in a match. `Player` is the base class; `register` adds a plugin's player.

Bots are in `bots`, language models in `llm`, models behind OpenAI-compatible endpoints in `endpoint`, humans at the
terminal in `human`, and `by_role` combines one player per role.
"""

from arena.players.player import Player, View
from arena.players.registry import ids, make, register

__all__ = ["Player", "View", "ids", "make", "register"]
