"""The verbs for the match log: `export`, `rebuild`, `verify`. Heavy imports happen inside them."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import note, say, say_lines, say_struct
from arena.cli.verb_groups import LOOK, TOURNAMENTS
from league import DEFAULT_DB
from league.cli.options import Db, RunName, TrustDb

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=LOOK)
def export(
    format: Annotated[Literal["jsonl", "pgn", "parquet"], typer.Option(help="The format to write.")] = "jsonl",
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PATH", help="The file to write; default: standard output.")
    ] = "-",
    messages: Annotated[
        bool, typer.Option("--messages", help="With parquet: add every turn as a chat, prompt and answer as text.")
    ] = False,
    db: Db = DEFAULT_DB,
    run: RunName = None,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Write the recorded matches as JSON lines, PGN or Parquet."""
    from games import InputError
    from league.store import Store
    from league.store.export import export as write
    from league.views.chat import ChatReader

    if messages and format != "parquet":
        raise InputError("--messages needs --format parquet")
    with Store.open(db, read_only=True) as store:
        stored = store.run(run)
        head = store.head(stored)
        chats = ChatReader(store, stored, trust=trust).messages if messages else None
        n = write(store, stored, format, out, chats)
    note(f"{n:,} matches of {stored.name}; head of the log: {head or 'none'}")


@app.command(rich_help_panel=TOURNAMENTS)
def rebuild(db: Db = DEFAULT_DB, run: RunName = None, plugin: Plugin = None, trust: TrustDb = False) -> None:
    """Recompute the standings from the match log and compare them."""
    from league.runs.rebuild import rebuild as recompute

    say_lines([str(recompute(db, run, trust=trust))])


@app.command(rich_help_panel=TOURNAMENTS)
def verify(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="The run to verify; default: all runs.")] = None,
    db: Db = DEFAULT_DB,
    sample: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Replay N random matches; default: all.")
    ] = None,
    limit: Annotated[float | None, typer.Option(min=0, metavar="SECONDS", help="Stop replaying after this time.")] = (
        None
    ),
    head: Annotated[
        str, typer.Option("--head", metavar="DIGEST", help="Check that the log still contains this earlier head.")
    ] = "",
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Verify the log: hash chain, results and recorded episodes."""
    from games import ArenaError
    from league.cli.progress import progress_bar
    from league.verify import verify as check
    from league.verify.run import lines

    reports = check(db, run, sample=sample, limit=limit, head=head, trust=trust, show=progress_bar)
    if json:
        say_struct({"runs": reports})
    else:
        say_lines(line for verified in reports for line in lines(verified))
    lost = bool(head) and not any(verified.holds_head for verified in reports)
    if head and not lost and not json:
        say(f"the log still begins with the results up to head {head}")
    wrong = sum(verified.wrong for verified in reports)
    problems = [f"found {wrong:,} error{'' if wrong == 1 else 's'} in {db}"] if wrong else []
    problems += [f"no result in {db} has the digest {head}: the log is not the one with that head"] if lost else []
    if problems:
        raise ArenaError("; ".join(problems))
