"""The verbs of the league: tournaments, boards, replays, exports, training, evaluation."""

from league.commands.training import app as _training
from league.commands.verbs import app

app.add_typer(_training)

__all__ = ["app"]
