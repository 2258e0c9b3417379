"""The verbs that play and show runs: `tournament`, `watch`, `board`. Heavy imports happen inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import note, say, say_json
from league import DEFAULT_DB
from league.cli.options import Db, Display, File, FileDb, HeatMap, RunName, TrustDb
from league.config.database_url import DatabaseUrl

if TYPE_CHECKING:
    from league.records.leaderboard import Leaderboard

app = typer.Typer(rich_markup_mode=None)


@app.command()
def tournament(
    file: File,
    db: FileDb = None,
    display: Display = "auto",
    metagame: HeatMap = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Start or resume a tournament."""
    from games import ArenaError
    from league.config.tournament import load_tournament
    from league.tournament.run import run_tournament

    shown = "off" if json else display
    finished = run_tournament(load_tournament(file, db=db), file, board=shown, metagame=metagame, trust=trust)
    if finished.handed_over:
        note(finished.handed_over)
    if json:
        _print_json(finished.snapshot, stopped=finished.reason or None)
    if not finished.complete and not finished.handed_over:
        raise typer.Exit(130)
    if finished.failure:
        raise ArenaError(
            f"all {finished.snapshot.matches.void:,} matches are void, the last because {finished.failure}; fix the "
            f"cause and set a new name = in {file}, because void matches are not played again"
        )


@app.command()
def watch(
    db: Db = DEFAULT_DB,
    run: RunName = None,
    metagame: HeatMap = None,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Show a run live from another terminal; read-only."""
    from functools import partial

    from league.matchmaking.planner import total_for
    from league.views.follower import watch as follow
    from league.views.report import panels_of, ratings_of

    panels = partial(panels_of, db, metagame=metagame)
    follow(db, run, ratings_for=partial(ratings_of, db, trust=trust), total_for=total_for, panels_for=panels)


@app.command()
def board(
    db: Db = DEFAULT_DB,
    run: RunName = None,
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help="Show only this game.")] = None,
    metagame: Annotated[
        bool, typer.Option("--metagame", help="Show who beats whom, equilibria, cycles and surprises.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="With --metagame: .json, .csv, .png or .svg."),
    ] = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Print the standings of a run."""
    if metagame or out is not None:
        _metagame(db, run, game, out if metagame else "", json)
        return
    from league.views.report import read_board

    shown = read_board(db, run, trust=trust)
    if json:
        _print_json(shown.snapshot, game, **shown.panels.to_json(), head=shown.head)
    else:
        from league.board.printed import print_board

        panels = () if game else shown.panels.panels(shown.snapshot.standings)
        print_board(shown.snapshot, game, panels=panels, status=shown.status)
        if shown.head:
            say(f"head of the log: {shown.head[:32]} (`arena verify` checks the log)")


def _metagame(db: DatabaseUrl | str, run: str | None, game: str | None, out: str | None, json: bool) -> None:
    from games import InputError
    from league.metagame import export
    from league.store import Store

    if out == "":
        raise InputError("--out needs --metagame; add it, or write the standings to a file with > FILE")
    with Store.open(db, read_only=True) as store:
        meta, title = export.of_run(store, store.run(run), game or "")
    if out is not None:
        export.write(meta, out, title)
        note(f"wrote {out}")
    if json or out is None:
        say_json(export.dumps(meta)) if json else say(export.text(meta))


def _print_json(snapshot: Leaderboard, game: str | None = None, **more: object) -> None:
    import json

    from league.board.printed import to_json

    say_json(json.dumps(to_json(snapshot, game) | more, indent=1))
