"""pragmatic: a speaker gives example strings of a regular expression, a listener names it."""

from games.native.pragmatic.game import PragmaticGame, PublishedPragmaticGame

__all__ = ["PragmaticGame", "PublishedPragmaticGame"]
