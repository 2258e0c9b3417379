"""prefer: answers to the same task are compared in pairs, exactly, by judges, or by a table of preferences."""

from games.native.prefer.game import prefer

__all__ = ["prefer"]
