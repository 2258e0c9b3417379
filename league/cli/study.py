"""The verb `study`. Heavy imports happen inside it."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import note, say_result
from arena.cli.verb_groups import TRAINING
from league.cli.options import File, FileDb, TrustDb

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=TRAINING)
def study(
    file: File,
    plan: Annotated[
        bool, typer.Option("--plan", help="Print arms, seeds, matches and hash; play and write nothing.")
    ] = False,
    db: FileDb = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Start or resume a study: arms x seeds of trainings, compared with intervals."""
    from arena.inference.models import require_packages
    from league.study.config import load_study

    require_packages("a study")  # before a module is imported that needs them
    from league.study.report import plan_lines, plan_summary, result_lines
    from league.study.run import checked_plan, refuse_changed, run_study, stored_parts

    config = load_study(file, db=db)
    if plan:
        planned, parts = checked_plan(config, file, trust=trust), stored_parts(config)
        if parts:
            refuse_changed(planned, parts["plan"])
        summary = plan_summary(planned, parts)
        say_result(summary, plan_lines, json)
        return
    result = run_study(config, file, show=note, trust=trust)
    if result is None:
        note(f"stopped; to resume, type: arena study {file}")
        raise typer.Exit(130)
    say_result(result, result_lines, json)
