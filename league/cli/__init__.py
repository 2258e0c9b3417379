"""The verbs of the league. The `arena` command finds `app` under the entry-point group `arena.commands`."""

from typer import Typer

from league.cli import (
    find,
    info,
    init,
    log,
    matches,
    models,
    pack,
    plan,
    ranking,
    rating,
    report,
    roster,
    runs,
    study,
    training,
)

app = Typer(rich_markup_mode=None)
for group in (
    matches,
    plan,
    ranking,
    rating,
    init,
    info,
    runs,
    roster,
    find,
    report,
    pack,
    log,
    training,
    study,
    models,
):
    app.add_typer(group.app)

__all__ = ["app"]
