"""ask: ask about a wish, or recommend an item."""

from games.native.ask.game import ask

__all__ = ["ask"]
