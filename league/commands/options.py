"""Options that several verbs of the league share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

File = Annotated[str, typer.Argument(metavar="FILE.toml")]
Db = Annotated[str, typer.Option("--db", metavar="URL", help="Where the run is kept.")]
OtherDb = Annotated[str | None, typer.Option("--db", metavar="URL", help="Instead of the file's db.")]
RunName = Annotated[str | None, typer.Option("--run", metavar="NAME", help="Which run; default: the newest.")]
TrustDb = Annotated[
    bool,
    typer.Option("--trust-db", help="Use the code, models, URLs and keys that the database names; each is listed."),
]
HeatMap = Annotated[
    bool | None,
    typer.Option("--metagame/--no-metagame", help="The heat map of who beats whom; default: where there is room."),
]
Display = Annotated[
    Literal["auto", "live", "plain", "off"],
    typer.Option("--board", help="live in a terminal, plain lines elsewhere."),
]
