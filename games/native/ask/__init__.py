"""ask: ask about a wish, or recommend an item."""

from games.native.ask.game import AskGame, PublishedAskGame

__all__ = ["AskGame", "PublishedAskGame"]
