"""The verbs of the league: tournaments, boards, replays, exports."""

from league.commands.verbs import app

__all__ = ["app"]
