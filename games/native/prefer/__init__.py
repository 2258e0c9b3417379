"""prefer-v0: answers to the same task are compared in pairs, exactly, by judges, or by a table of preferences."""

from games.native.prefer.game import PreferGame

__all__ = ["PreferGame"]
