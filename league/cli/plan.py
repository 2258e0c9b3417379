"""The verb `plan`. Heavy imports happen inside it."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import say_result
from arena.cli.verb_groups import TOURNAMENTS
from league.cli.options import File, FileDb, TrustDb

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=TOURNAMENTS)
def plan(
    file: File,
    pilot: Annotated[
        int,
        typer.Option(
            "--pilot",
            min=0,
            max=10_000,
            metavar="N",
            help="Play N matches in a scratch store first: costs, skills.",
        ),
    ] = 0,
    leagues: Annotated[
        int, typer.Option("--leagues", min=1, max=1000, metavar="N", help="Simulate so many leagues.")
    ] = 20,
    paired: Annotated[
        str | None,
        typer.Option("--paired", metavar="A,B", help="Also the tasks that comparing A and B task by task takes."),
    ] = None,
    reach: Annotated[
        float | None,
        typer.Option("--reach", min=0.0001, metavar="N", help="With --paired: known to N; default: 0.05, 5 of 100."),
    ] = None,
    db: FileDb = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Forecast the matches, tokens, money and time until a tournament ends."""
    from games import InputError
    from league.cli.progress import progress_bar
    from league.config.tournament import load_tournament
    from league.forecast import forecast
    from league.forecast.lines import forecast_lines
    from league.views.by_task import two_players

    if reach is not None and paired is None:
        raise InputError("--reach needs --paired A,B, the two players that are compared")
    near = 0.05 if reach is None else reach
    config, pair = load_tournament(file, db=db), None if paired is None else two_players(paired)
    with progress_bar("simulating the tournament", leagues) as show:
        result = forecast(config, file, pilot=pilot, leagues=leagues, paired=pair, reach=near, trust=trust, show=show)
    say_result(result, lambda value: forecast_lines(value, file), json)
