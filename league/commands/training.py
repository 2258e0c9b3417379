"""The verbs of training and evaluation. Everything heavy is imported inside them."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.out import say, say_json
from arena.cli.verbs import Json, Plugin, load_plugins
from league import DEFAULT_DB
from league.commands.options import Display, File, OtherDb, TrustDb

app = typer.Typer(rich_markup_mode=None)


@app.command()
def train(
    file: File,
    db: OtherDb = None,
    display: Display = "auto",
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Train a policy by self-play in a league, or go on with a training that was interrupted."""
    from league.training import load_training
    from league.training.run import run_training

    load_plugins(plugin)
    trained = run_training(load_training(file, db=db), file, board="off" if json else display, trust=trust)
    if json:
        import msgspec

        say_json(msgspec.json.format(msgspec.json.encode(trained), indent=1).decode())
    if not trained.complete:
        raise typer.Exit(130)


@app.command("eval")
def evaluate(
    player: Annotated[
        str, typer.Argument(help="A player, such as solver, a snapshot in the store, or a run: its newest.")
    ],
    game: Annotated[str, typer.Option("--game", metavar="ID", help="What to play.")],
    matches: Annotated[int, typer.Option(min=0, help="Matches in each seat against each anchor.")] = 100,
    against: Annotated[
        list[str] | None, typer.Option("--against", metavar="PLAYER", help="Instead of random, mcts and solver.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Of all matches; default: 0, or drawn where an endpoint plays.")
    ] = None,
    db: Annotated[str, typer.Option("--db", metavar="URL", help="Where snapshots are looked up.")] = DEFAULT_DB,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Measure a player: exact exploitability where the game allows it, and win rates against anchors."""
    from league.training.report import report_lines, report_on

    load_plugins(plugin)
    report = report_on(player, game, matches=matches, against=against, seed=seed, db=db, trust=trust)
    if json:
        import msgspec

        say_json(msgspec.json.format(msgspec.json.encode(report), indent=1).decode())
    else:
        say("\n".join(report_lines(report)))
