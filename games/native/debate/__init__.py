"""debate: debaters argue for answers before a judge."""

from games.native.debate.game import debate

__all__ = ["debate"]
