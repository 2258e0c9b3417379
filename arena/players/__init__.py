"""What can sit in a seat: bots, language models, humans."""

from arena.players.player import Player, View
from arena.players.registry import ids, make, register

__all__ = ["Player", "View", "ids", "make", "register"]
