"""The verb `report`. Heavy imports happen inside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import Plugin
from arena.cli.out import note
from arena.cli.verb_groups import LOOK
from league import DEFAULT_DB
from league.cli.options import Db, TrustDb

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=LOOK)
def report(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="The name of the run; default: the newest.")] = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .html, .md or .csv file.")] = Path(
        "report.html"
    ),
    samples: Annotated[int, typer.Option(min=0, metavar="N", help="Matches that are shown turn by turn.")] = 6,
    plots: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also write every plot as PNG and SVG into this folder.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Write it again and again while the run goes on; the page reloads itself.")
    ] = False,
    every: Annotated[float, typer.Option(min=1, metavar="SECONDS", help="With --follow: the shortest pause.")] = 10.0,
    db: Db = DEFAULT_DB,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Write a run as a page to share."""
    from league.reports import gather, write_report
    from league.reports.render import check_suffix

    check_suffix(out)
    if follow:
        from league.reports.follow import follow_report

        note(f"writing {out} until the run ends; Ctrl-C ends it before")
        content = follow_report(db, run, out, samples=samples, trust=trust, every=every)
    else:
        content = gather(db, run, samples=samples, trust=trust)
        write_report(content, out)
    note(f"wrote {out}")
    if plots is not None:
        from league.reports.plots import write_plots

        note(f"wrote {sum(1 for _ in write_plots(content, plots))} plots into {plots}")
