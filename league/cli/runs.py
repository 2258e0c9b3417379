"""The verbs that play and show runs: `tournament`, `watch`, `board`. Heavy imports happen inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import note, say, say_json, say_result, say_struct
from arena.cli.verb_groups import LOOK, TOURNAMENTS
from league import DEFAULT_DB
from league.cli.options import Db, Display, FileDb, Games, HeatMap, RunName, TrustDb
from league.config.database_url import DatabaseUrl

if TYPE_CHECKING:
    from league.records.leaderboard import Leaderboard
    from league.tournament.run import TournamentResult

app = typer.Typer(rich_markup_mode=None)

_WIDE = 120
"""columns of a table of opponents"""


@app.command(rich_help_panel=TOURNAMENTS)
def tournament(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE.toml]", help="The file with the settings; or --game and --player.")
    ] = None,
    game: Games = None,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="ID", help="Without a file: a player, as ID or NAME=ID. Repeat it."),
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Without a file: rounds of all pairings.")] = None,
    name: Annotated[str | None, typer.Option(help="Without a file: the name of the run.")] = None,
    seed: Annotated[int | None, typer.Option(help="Without a file: the seed of the run.")] = None,
    db: FileDb = None,
    display: Display = "auto",
    metagame: HeatMap = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Start or resume a tournament, from a file or from options."""
    from games import InputError
    from league.config.tournament import load_tournament
    from league.starter.from_options import typed_tournament
    from league.tournament.run import run_tournament

    if file is None:
        config = typed_tournament(game or (), player or (), name=name, db=db, rounds=rounds, seed=seed)
    elif game or player or rounds or name or seed is not None:
        raise InputError(f"--game, --player, --rounds, --name and --seed replace a file; leave them out, or {file}")
    else:
        config = load_tournament(file, db=db)
    mode = "off" if json else display
    finished = run_tournament(config, file or "", board=mode, metagame=metagame, trust=trust)
    if finished.handed_over:
        note(finished.handed_over)
    if json:
        _print_json(finished.snapshot, stopped=finished.reason or None)
    _check_end(finished)


def _check_end(finished: TournamentResult) -> None:
    """Exit with code 130 if the run was interrupted. Raises ArenaError if all of its matches are void."""
    from games import ArenaError

    if not finished.complete and not finished.handed_over:
        matches = finished.snapshot.matches
        note(f"stopped after {matches.finished:,} finished matches; type the same command to continue")
        raise typer.Exit(130)
    if finished.failure:
        raise ArenaError(
            f"all {finished.snapshot.matches.void:,} matches are void, the last because {finished.failure}; fix the "
            f"cause and set a new name, because void matches are not played again"
        )


@app.command(rich_help_panel=TOURNAMENTS)
def duel(
    first: Annotated[str, typer.Argument(metavar="A", help="The player that is tested, as ID or NAME=ID.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    game: Games = None,
    nelo0: Annotated[float, typer.Option(help="Normalised Elo at which A is not accepted.")] = 0.0,
    nelo1: Annotated[float, typer.Option(help="Normalised Elo at which A is not rejected.")] = 50.0,
    pairs: Annotated[int, typer.Option(min=1, help="At most this many pairs of matches.")] = 1000,
    name: Annotated[str | None, typer.Option(help="The name of the run.")] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of the run.")] = None,
    db: FileDb = None,
    display: Display = "auto",
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Test whether player A is stronger than player B: pairs with exchanged seats until a sequential test decides."""
    from league.starter.from_options import typed_duel
    from league.tournament.run import run_tournament
    from league.views.report import read_board

    test = {"nelo0": nelo0, "nelo1": nelo1, "max_pairs": pairs}
    config = typed_duel(first, second, game or (), test, name=name, db=db, seed=seed)
    finished = run_tournament(config, board="off" if json else display, metagame=False, trust=trust)
    _check_end(finished)
    report = read_board(config.db, config.name, trust=trust)
    if json:
        _print_json(report.snapshot, **report.panels.to_json())
    elif display == "off":  # a board shows them
        say("\n".join(report.panels.stopping.lines()))


@app.command(rich_help_panel=LOOK)
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


@app.command(rich_help_panel=LOOK)
def board(
    db: Db = DEFAULT_DB,
    run: RunName = None,
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help="Show only this game.")] = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Compare this player with each opponent.")
    ] = None,
    paired: Annotated[
        str | None, typer.Option("--paired", metavar="A,B", help="Compare two players on the same tasks.")
    ] = None,
    control: Annotated[
        str | None,
        typer.Option("--control", metavar="NAMES", help="Hold these fixed, with commas: length, format, first."),
    ] = None,
    metagame: Annotated[
        bool, typer.Option("--metagame", help="Show who beats whom, equilibria, cycles and surprises.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="With --metagame: .json, .csv, .png or .svg."),
    ] = None,
    legend: Annotated[bool, typer.Option("--legend", help="Explain the columns below the table.")] = False,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Print the standings of a run."""
    if game is not None:
        game = _stored_game(db, run, game)
    if metagame or out is not None:
        _metagame(db, run, game, out if metagame else "", json)
        return
    if player is not None:
        _opponents(db, run, game, player, json)
        return
    if paired is not None:
        _paired(db, run, game, paired, json)
        return
    if control is not None:
        _control(db, run, game, control, json)
        return
    from league.views.report import read_board

    page = read_board(db, run, trust=trust)
    if json:
        _print_json(page.snapshot, game, **page.panels.to_json(), head=page.head)
    else:
        from league.board.printed import print_board

        panels = () if game else page.panels.panels(page.snapshot.standings)
        print_board(page.snapshot, game, panels=panels, status=page.status, legend=legend)
        if not legend:
            say("`arena board --legend` explains the columns")
        if page.head:
            say(f"head of the log: {page.head[:32]} (`arena verify` checks the log)")


def _stored_game(db: DatabaseUrl | str, run: str | None, game: str) -> str:
    from league.runs.game_ids import id_in_run
    from league.store import Store

    with Store.open(db, read_only=True) as store:
        return id_in_run(store.run(run).spec.games, game)


def _metagame(db: DatabaseUrl | str, run: str | None, game: str | None, out: str | None, json: bool) -> None:
    from games import InputError
    from league.metagame import export
    from league.metagame.report import text
    from league.store import Store

    if out == "":
        raise InputError("--out needs --metagame; add it, or write the standings to a file with > FILE")
    with Store.open(db, read_only=True) as store:
        meta, title = export.of_run(store, store.run(run), game)
    if out is not None:
        export.write(meta, out, title)
        note(f"wrote {out}")
    if json or out is None:
        say_json(export.dumps(meta)) if json else say(text(meta))


def _paired(db: DatabaseUrl | str, run: str | None, game: str | None, names: str, json: bool) -> None:
    from league.store import Store
    from league.views.by_task import by_task_lines, by_task_of

    with Store.open(db, read_only=True) as store:
        pair = by_task_of(store, store.run(run), game, names)
    say_result(pair, by_task_lines, json)


def _control(db: DatabaseUrl | str, run: str | None, game: str | None, names: str, json: bool) -> None:
    from league.store import Store
    from league.views.controlled import controlled_lines, controlled_of

    with Store.open(db, read_only=True) as store:
        tables = controlled_of(store, store.run(run), game, [name.strip() for name in names.split(",")])
    say_result(tables, controlled_lines, json)


def _opponents(db: DatabaseUrl | str, run: str | None, game: str | None, player: str, json: bool) -> None:
    from league.board.player_page import opponent_lines
    from league.store import Store
    from league.views.player_history import PlayerHistory

    with Store.open(db, read_only=True) as store:
        chosen = store.run(run)
        chosen.spec.check_names([player], game)
        records = PlayerHistory(store, chosen).all_details(player, game or "").opponents
    if json:
        say_struct({"player": player, "opponents": records})
    else:
        say("\n".join(line for line, _ in opponent_lines(list(records), _WIDE)[0]))
        say("95% intervals of the points: they hold for all pairs of players in all games and at every look together")


def _print_json(snapshot: Leaderboard, game: str | None = None, **more: object) -> None:
    import json

    from league.board.printed import to_json

    say_json(json.dumps(to_json(snapshot, game) | more, indent=1))
