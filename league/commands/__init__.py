"""The verbs of the league: tournaments, boards, replays, exports."""

import typer

app = typer.Typer(rich_markup_mode=None)

__all__ = ["app"]
