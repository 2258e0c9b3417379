"""The verb `rank`. Heavy imports happen inside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import note, say_result
from arena.cli.verb_groups import TOURNAMENTS
from league.cli.options import Display, FileDb, TrustDb

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=TOURNAMENTS)
def rank(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="smollm2-135m, a folder, a Hugging Face id, or the id of a player.")
    ],
    width: Annotated[
        float, typer.Option("--width", min=0.1, metavar="POINTS", help="Play until the 95% interval is so wide.")
    ] = 4.0,
    rounds: Annotated[int, typer.Option("--rounds", min=1, metavar="N", help="At most N rounds.")] = 20,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Seed of the matches; default: the suite's.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a page; .html, or .md.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what it takes at most; play nothing.")] = False,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", min=1, metavar="N", help="Matches at a time; default: 64, at an endpoint 8."),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="The name of the run.")] = None,
    db: FileDb = None,
    display: Display = "auto",
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Rank a model among rated anchors in a pinned suite of games."""
    from league.rank.cost import cost_lines
    from league.rank.lines import ranking_lines
    from league.rank.play import play, prepare
    from league.reports.render import check_suffix

    if out is not None:
        check_suffix(out)
    with prepare(model, name=name, db=db, rounds=rounds, seed=seed, concurrency=concurrency) as prepared:
        for line in cost_lines(prepared, width):
            note(line)
        if plan:
            return
        ranking = play(prepared, width=width, board="off" if json else display, trust=trust)
    say_result(ranking, ranking_lines, json)
    if out is not None:
        from league.reports import gather, write_report

        page = gather(prepared.config.db, prepared.config.name, trust=trust)
        write_report(replace(page, lead="\n".join(ranking_lines(ranking))), out)
        note(f"wrote {out}")
    if not ranking.complete:
        raise typer.Exit(130)
