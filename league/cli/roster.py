"""The verbs that change who plays a run: `add`, `retire`. Heavy imports happen inside them."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.options import Plugin
from arena.cli.out import say
from arena.cli.verb_groups import TOURNAMENTS
from league import DEFAULT_DB
from league.cli.options import Db, RunName, TrustDb

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=TOURNAMENTS)
def add(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The player's name in the run.", show_default=False)
    ] = "",
    player: Annotated[
        str,
        typer.Argument(
            metavar="[PLAYER]",
            help="What it is, such as mcts(simulations=100) or a name in the store; default: NAME.",
            show_default=False,
        ),
    ] = "",
    plays: Annotated[
        list[str] | None, typer.Option("--plays", metavar="ID", help="A game it plays; may be repeated. Default: all.")
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game", metavar="ID", help="Add a game to the run; may be repeated.", autocompletion=completion.game_ids
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="NAME", help="Who plays the new games; may be repeated. Default: all."),
    ] = None,
    db: Db = DEFAULT_DB,
    run: RunName = None,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Add a player or games to a tournament, also while it is played."""
    from league.tournament.roster_command import Additions
    from league.tournament.roster_command import add as join

    additions = Additions(name, player, plays or (), game or (), by or ())
    say(join(db, run, additions, trust=trust))


@app.command(rich_help_panel=TOURNAMENTS)
def retire(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Players of the run.")],
    db: Db = DEFAULT_DB,
    run: RunName = None,
    plugin: Plugin = None,
) -> None:
    """Retire players from a tournament: they keep their ratings and are paired no more."""
    from league.tournament.roster_command import retire as leave

    say(leave(db, run, names))
