"""Options that several verbs of the league share."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from league.config.database_url import DatabaseUrl


def _database(text: str | DatabaseUrl) -> DatabaseUrl:
    """Returns the URL of an option, and removes its secrets from `sys.argv`, because trackers upload that."""
    try:
        url = DatabaseUrl(text)
    except ValueError as error:  # typer would print the text
        raise typer.BadParameter(str(error)) from None
    if isinstance(text, str):  # no default
        sys.argv[:] = [argument.replace(text, str(url)) for argument in sys.argv]
    return url


File = Annotated[str, typer.Argument(metavar="FILE.toml", help="The file with the settings of the run.")]
Db = Annotated[DatabaseUrl, typer.Option("--db", metavar="URL", parser=_database, help="The database of the run.")]
FileDb = Annotated[
    DatabaseUrl | None,
    typer.Option("--db", metavar="URL", parser=_database, help="A database to use instead of the file's."),
]
SnapshotDb = Annotated[
    DatabaseUrl,
    typer.Option("--db", metavar="URL", parser=_database, help="The database with snapshots used as players."),
]
AnyDb = Annotated[
    DatabaseUrl | None,
    typer.Option("--db", metavar="URL", parser=_database, help="A store to examine; default: the default store."),
]
Games = Annotated[
    list[str] | None, typer.Option("--game", metavar="ID", help="A game, as in `arena games`. Repeat it for several.")
]
MatchSeed = Annotated[
    int | None, typer.Option("--seed", help="Seed of all matches. Default: 0, or random with an endpoint.")
]
RunName = Annotated[str | None, typer.Option("--run", metavar="NAME", help="The name of the run; default: the newest.")]
TrustDb = Annotated[
    bool,
    typer.Option("--trust-db", help="Use the code, models, URLs and keys that the database names, and list them."),
]
HeatMap = Annotated[
    bool | None,
    typer.Option("--metagame/--no-metagame", help="Show or hide who beats whom; default: shown if there is room."),
]
Display = Annotated[
    Literal["auto", "live", "plain", "off"],
    typer.Option("--board", help="How to show progress; auto is live in a terminal and plain lines elsewhere."),
]
