"""Options and arguments that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.terminal import prints_aside


def load_plugins(paths: list[str] | None) -> list[str] | None:
    """Run the plugin files given on the command line, before the verb runs."""
    from games import plugins

    with prints_aside():
        for path in paths or ():
            plugins.load_file(path)
    return paths


def _load_unless_completing(context: typer.Context, paths: list[str] | None) -> list[str] | None:
    return paths if context.resilient_parsing else load_plugins(paths)


Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Plugin = Annotated[
    list[str] | None,
    typer.Option("--plugin", metavar="PATH", callback=_load_unless_completing, help="A plugin file; may be repeated."),
]
"""The files are loaded while the command line is read; the verb has nothing to do."""
Game = Annotated[
    str, typer.Argument(help="A game id, such as openspiel/kuhn_poker.", autocompletion=completion.game_ids)
]
