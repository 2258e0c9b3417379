"""debate: debaters argue for answers before a judge."""

from games.native.debate.game import DebateGame, PublishedDebateGame

__all__ = ["DebateGame", "PublishedDebateGame"]
