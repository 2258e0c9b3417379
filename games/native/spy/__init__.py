"""spy: players give clues about a word; one of them, the spy, has a different word."""

from games.native.spy.game import PublishedSpyGame, SpyGame

__all__ = ["PublishedSpyGame", "SpyGame"]
