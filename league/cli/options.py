"""Options that several verbs of the league share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

File = Annotated[str, typer.Argument(metavar="FILE.toml", help="The file with the settings of the run.")]
Db = Annotated[str, typer.Option("--db", metavar="URL", help="The database of the run.")]
FileDb = Annotated[str | None, typer.Option("--db", metavar="URL", help="A database to use instead of the file's.")]
SnapshotDb = Annotated[str, typer.Option("--db", metavar="URL", help="The database with snapshots used as players.")]
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
