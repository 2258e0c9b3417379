"""The verbs of the league. Everything heavy is imported inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli.verbs import Json, Plugin, load_plugins
from league import DEFAULT_DB
from league.commands.options import Db, Display, File, OtherDb, RunName

if TYPE_CHECKING:
    from league.standings import Snapshot

app = typer.Typer(rich_markup_mode=None)


@app.command()
def tournament(
    file: File,
    db: OtherDb = None,
    display: Display = "auto",
    json: Json = False,
    plugin: Plugin = None,
) -> None:
    """Play a tournament, or go on with one that was interrupted."""
    from league.config import load_tournament
    from league.tournament import run_tournament

    load_plugins(plugin)
    finished = run_tournament(load_tournament(file, db=db), file, board="off" if json else display)
    if json:
        _print_json(finished.snapshot)
    if not finished.complete:
        raise typer.Exit(130)


@app.command()
def watch(db: Db = DEFAULT_DB, run: RunName = None) -> None:
    """Watch a run live from another terminal; reads only."""
    from league.board.watch import watch as attach
    from league.planning import total_for
    from league.stored import ratings_for
    from league.training.watching import panels_for

    attach(db, run, ledger_for=ratings_for, total_for=total_for, panels_for=panels_for)


@app.command()
def board(
    db: Db = DEFAULT_DB,
    run: RunName = None,
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help="Only this game.")] = None,
    metagame: Annotated[bool, typer.Option("--metagame", help="Who beats whom, and what follows.")] = False,
    json: Json = False,
) -> None:
    """Print the standings once."""
    if metagame:
        print(_metagame(db, run, game))
        return
    from league.rebuild import read_snapshot

    snapshot = read_snapshot(db, run)
    if json:
        _print_json(snapshot, game)
    else:
        from league.board.text import print_board

        print_board(snapshot, game)


@app.command()
def replay(
    match: Annotated[str, typer.Argument(help="A match id, the start of one, or its number in the plan.")],
    db: Db = DEFAULT_DB,
    run: RunName = None,
    json: Json = False,
    plugin: Plugin = None,
) -> None:
    """Show a recorded match turn by turn."""
    from arena.cli.show import replay_lines
    from arena.match import encode
    from league.store import Store

    load_plugins(plugin)
    with Store.open(db, read_only=True) as store:
        episode = store.episode(match, store.run(run))
    print(encode(episode).decode() if json else "\n".join(replay_lines(episode)))


@app.command()
def export(
    format: Annotated[Literal["jsonl", "pgn", "parquet"], typer.Option(help="What to write.")] = "jsonl",
    out: Annotated[str, typer.Option("--out", "-o", metavar="PATH", help="The file; default: standard output.")] = "-",
    db: Db = DEFAULT_DB,
    run: RunName = None,
) -> None:
    """Write the recorded matches in another format."""
    from league.store import Store
    from league.store.export import export as write

    with Store.open(db, read_only=True) as store:
        write(store, store.run(run), format, out)


@app.command()
def rebuild(db: Db = DEFAULT_DB, run: RunName = None) -> None:
    """Make ratings and standings again from the match log, and say whether they are the same."""
    from league.rebuild import rebuild as make_again

    print(make_again(db, run))


def _metagame(db: str, run: str | None, game: str | None) -> str:
    from league.metagame import metagame_text
    from league.store import Store

    with Store.open(db, read_only=True) as store:
        return metagame_text(store, store.run(run), game or "")


def _print_json(snapshot: Snapshot, game: str | None = None) -> None:
    import json

    from league.board.text import to_json

    print(json.dumps(to_json(snapshot, game), indent=1))
