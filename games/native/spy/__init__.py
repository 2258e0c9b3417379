"""spy: players give clues about a word; one of them, the spy, has a different word."""

from games.native.spy.game import spy

__all__ = ["spy"]
