"""The verbs of the league. Everything heavy is imported inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli.out import note, say, say_json
from arena.cli.verbs import Json, Plugin, load_plugins
from league import DEFAULT_DB
from league.commands.options import Db, Display, File, HeatMap, OtherDb, RunName, TrustDb

if TYPE_CHECKING:
    from league.standings import Snapshot

app = typer.Typer(rich_markup_mode=None)


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="A game id, such as openspiel/kuhn_poker.")],
    player: Annotated[list[str], typer.Argument(help="One for all seats, one for each in order, or seat=player.")],
    seed: Annotated[
        int | None,
        typer.Option(
            help="The match's seed; the same seed gives the same match. Default: 0, or drawn for an endpoint."
        ),
    ] = None,
    db: Annotated[
        str, typer.Option("--db", metavar="URL", help="Where names of snapshots are looked up.")
    ] = DEFAULT_DB,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Play one match and show it as it is played."""
    from functools import partial

    from arena.cli.show import play_match
    from league.names import make

    load_plugins(plugin)
    play_match(game, player, seed, as_json=json, make=partial(make, db=db, trust=trust))


@app.command()
def check(
    id: Annotated[
        str, typer.Argument(help="What to check: a game, role, player, matchmaker, rating, advantage or loss.")
    ],
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Which of these, where several have the name.")
    ] = None,
    json: Json = False,
    plugin: Plugin = None,
) -> None:
    """Run the conformance kit of a game, a role or any other plugin."""
    from league.conformance import check as check_any

    load_plugins(plugin)
    report = check_any(id, kind)
    say_json(report.to_json()) if json else say(str(report))
    if not report.ok:
        raise typer.Exit(1)


@app.command()
def tournament(
    file: File,
    db: OtherDb = None,
    display: Display = "auto",
    metagame: HeatMap = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Play a tournament, or go on with one that was interrupted."""
    from games import ArenaError
    from league.config import load_tournament
    from league.tournament import run_tournament

    load_plugins(plugin)
    shown = "off" if json else display
    finished = run_tournament(load_tournament(file, db=db), file, board=shown, metagame=metagame, trust=trust)
    if json:
        _print_json(finished.snapshot, stopped=finished.reason or None)
    if not finished.complete:
        raise typer.Exit(130)
    if finished.failure:
        raise ArenaError(
            f"nothing was found out: each of the {finished.snapshot.matches.void:,} matches is void, the last because "
            f"{finished.failure}; mend that and type a new name = in {file}, for what is void is not played again"
        )


@app.command()
def watch(
    db: Db = DEFAULT_DB,
    run: RunName = None,
    metagame: HeatMap = None,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Watch a run live from another terminal; reads only."""
    import atexit
    from functools import partial

    from league.board.screen import drop_typed_keys
    from league.board.watch import watch as attach
    from league.planning import total_for
    from league.showing import panels_of, ratings_of

    load_plugins(plugin)
    panels = partial(panels_of, db, metagame=metagame)
    atexit.register(drop_typed_keys)  # also those typed after the board has closed
    attach(db, run, ledger_for=partial(ratings_of, db, trust=trust), total_for=total_for, panels_for=panels)


@app.command()
def board(
    db: Db = DEFAULT_DB,
    run: RunName = None,
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help="Only this game.")] = None,
    metagame: Annotated[bool, typer.Option("--metagame", help="Who beats whom, and what follows.")] = False,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="With --metagame: a .json, .csv or .png file.")
    ] = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Print the standings once."""
    load_plugins(plugin)
    if metagame or out is not None:
        _metagame(db, run, game, out if metagame else "", json)
        return
    from league.showing import read_board

    shown = read_board(db, run, trust=trust)
    if json:
        _print_json(shown.snapshot, game, **shown.panels.to_json(), head=shown.head)
    else:
        from league.board.text import print_board

        panels = () if game else shown.panels.panels(shown.snapshot.standings)
        print_board(shown.snapshot, game, panels=panels, status=shown.status)
        if shown.head:
            say(f"head of the log: {shown.head[:32]} (`arena verify` checks the log)")


@app.command()
def replay(
    match: Annotated[str, typer.Argument(help="A match id, the start of one, or its number in the plan.")],
    db: Db = DEFAULT_DB,
    run: RunName = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Show a recorded match turn by turn."""
    from arena.cli.show import replay_lines
    from arena.match import encode
    from games import InputError, UnknownName
    from league.store import Store
    from league.trust import allow_game

    load_plugins(plugin)
    with Store.open(db, read_only=True) as store:
        found = store.run(run)
        episode = store.episode(match, found)
        if not json:
            files = [file for other in store.runs() for file in other.config.get("plugins", ())]
            allow_game(store, {**found.config, "plugins": files}, episode.game, trust)
    try:
        if json:
            say_json(encode(episode).decode())
        else:
            say("\n".join(replay_lines(episode)))
    except UnknownName as error:
        raise InputError(f"{error}; where a plugin file brings it, add --plugin PATH") from None


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
        found = store.run(run)
        head = store.head(found)
        n = write(store, found, format, out)
    note(f"{n:,} matches of {found.name}; head of the log: {head or 'none'}")


@app.command()
def rebuild(db: Db = DEFAULT_DB, run: RunName = None, plugin: Plugin = None, trust: TrustDb = False) -> None:
    """Make ratings and standings again from the match log, and say whether they are the same."""
    from league.rebuild import rebuild as make_again

    load_plugins(plugin)
    say(str(make_again(db, run, trust=trust)))


@app.command()
def verify(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="Only this run; default: all of them.")] = None,
    db: Db = DEFAULT_DB,
    sample: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Replay N matches, drawn at random; default: all.")
    ] = None,
    limit: Annotated[float | None, typer.Option(min=0, metavar="SECONDS", help="Replay for so long at most.")] = None,
    head: Annotated[
        str, typer.Option("--head", metavar="DIGEST", help="A head that was noted: is it still in the log?")
    ] = "",
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Check that the log is what was played: the hash chain, results against episodes, episodes against the rules."""
    from games import ArenaError
    from league.commands.verifying import progress_bar
    from league.verify import verify as check
    from league.verify.run import lines

    load_plugins(plugin)
    found = check(db, run, sample=sample, limit=limit, head=head, trust=trust, show=progress_bar)
    if json:
        import msgspec

        say_json(msgspec.json.format(msgspec.json.encode({"runs": found}), indent=1).decode())
    else:
        say("\n".join(line for verified in found for line in lines(verified)))
    lost = bool(head) and not any(verified.holds_head for verified in found)
    if head and not lost and not json:
        say(f"the log still begins with what had the head {head}")
    wrong = sum(verified.wrong for verified in found)
    told = [f"{wrong:,} things are wrong in {db}"] if wrong else []
    told += [f"no result of {db} has the digest {head}: the log is not the one that was noted"] if lost else []
    if told:
        raise ArenaError("; ".join(told))


@app.command()
def strike(
    worker: Annotated[str, typer.Option("--worker", metavar="NAME", help="As `arena board` names it.")],
    undo: Annotated[bool, typer.Option("--undo", help="Let its matches count again.")] = False,
    reason: Annotated[str, typer.Option("--reason", help="Kept in the run's diary.")] = "",
    db: Db = DEFAULT_DB,
    run: RunName = None,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Leave a worker's matches out of the standings of a run. Nothing is deleted; --undo takes it back."""
    from league.strikes import strike as strike_worker

    load_plugins(plugin)
    say(str(strike_worker(db, run, worker, undo=undo, reason=reason, trust=trust)))


def _metagame(db: str, run: str | None, game: str | None, out: str | None, json: bool) -> None:
    from games import InputError
    from league.metagame import export
    from league.store import Store

    if out == "":
        raise InputError("--out is for --metagame; add it, or send the standings to a file with > FILE")
    with Store.open(db, read_only=True) as store:
        meta, title = export.of_run(store, store.run(run), game or "")
    if out is not None:
        export.write(meta, out, title)
    if json or out is None:
        say_json(export.dumps(meta)) if json else say(export.text(meta))


def _print_json(snapshot: Snapshot, game: str | None = None, **more: object) -> None:
    import json

    from league.board.text import to_json

    say_json(json.dumps(to_json(snapshot, game) | more, indent=1))
