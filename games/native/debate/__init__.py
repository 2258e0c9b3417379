"""debate-v0: debaters argue for answers before a judge."""

from games.native.debate.game import DebateGame

__all__ = ["DebateGame"]
