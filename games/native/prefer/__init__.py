"""prefer: answers to the same task are compared in pairs, exactly, by judges, or by a table of preferences."""

from games.native.prefer.earlier import NearPreferGame, PublishedPreferGame
from games.native.prefer.game import PreferGame

__all__ = ["NearPreferGame", "PreferGame", "PublishedPreferGame"]
