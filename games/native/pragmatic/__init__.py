"""pragmatic: a speaker gives example strings of a regular expression, a listener names it."""

from games.native.pragmatic.game import pragmatic

__all__ = ["pragmatic"]
