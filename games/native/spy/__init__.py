"""spy-v0: players give clues about a word; one of them, the spy, has a different word."""

from games.native.spy.game import SpyGame

__all__ = ["SpyGame"]
