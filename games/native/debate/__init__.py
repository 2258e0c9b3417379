"""debate: debaters argue for answers before a judge."""

from games.native.debate.earlier import NearDebateGame, PublishedDebateGame
from games.native.debate.game import DebateGame

__all__ = ["DebateGame", "NearDebateGame", "PublishedDebateGame"]
