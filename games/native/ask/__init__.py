"""ask-v0: ask about a wish, or recommend an item."""

from games.native.ask.game import AskGame

__all__ = ["AskGame"]
