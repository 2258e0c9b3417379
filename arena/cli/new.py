"""The verb `new`, which writes plugin files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.cli.out import say
from arena.cli.verb_groups import PLUGINS

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=PLUGINS)
def new(
    kind: Annotated[
        Literal["game", "role", "player"], typer.Argument(metavar="game|role|player", help="What the plugin is.")
    ],
    name: Annotated[str, typer.Argument(help="Its name: small letters, digits and dashes.")],
    template: Annotated[
        Literal["board", "two-role", "dialogue", "verifier", "solo"] | None,
        typer.Option("--template", "-t", help="The kind of game to start from; for a game. Default: board."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where to write.")] = Path(),
) -> None:
    """Write a plugin file and its test, and check them."""
    from arena.scaffold import write_plugin
    from games import InputError

    if template is not None and kind != "game":
        raise InputError(f"--template is for games; leave it out for a {kind}")
    made = write_plugin(kind, name, out, template or "board")
    say(f"wrote {made.file} and {made.test}\n{made.report}")
    say("\ntype next:")
    kind_option = " --kind player" if kind == "player" else ""
    say(f"  arena check {made.id} --plugin {made.file}{kind_option}")
    if kind == "game":
        others = "" if template == "solo" else " random"
        say(f"  arena play {made.id} human{others} --plugin {made.file}")
    elif kind == "player":
        say(f"  arena play openspiel/kuhn_poker {made.id} random --plugin {made.file}")
    say(f"  pytest {made.test}")
    if not made.report.ok:
        raise typer.Exit(1)
