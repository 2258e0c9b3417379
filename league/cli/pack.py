"""The verbs `pack` and `open`, which share a run as one file. Heavy imports happen inside them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import Plugin
from arena.cli.out import note, say_lines
from arena.cli.verb_groups import LOOK
from league import DEFAULT_DB
from league.cli.options import Db, TrustDb

if TYPE_CHECKING:
    from league.pack import OpenedRun
    from league.verify.run import Verified

app = typer.Typer(rich_markup_mode=None)

SECONDS = 60.0
"""for replaying matches of an opened run; `arena verify` replays all"""


@app.command(rich_help_panel=LOOK)
def pack(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The name of the run; `arena runs` lists them.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The file to write; default: RUN.arena.")
    ] = None,
    db: Db = DEFAULT_DB,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Write a run into one file to share: its log, plugin files, snapshots and newest checkpoint."""
    from league.cli.progress import progress_bar
    from league.pack import pack_run

    packed = pack_run(db, run, out, trust=trust, show=progress_bar)
    files = f"{packed.files:,} file{'s' if packed.files > 1 else ''}"
    note(f"wrote {packed.file}: {', '.join(packed.runs)}; {files}, {packed.size:,} bytes")
    if packed.absent:
        note(f"not in it, though the run names them: {', '.join(map(str, packed.absent))}")
    note(f"to open it: arena open {shlex.quote(str(packed.file))}")


@app.command("open", rich_help_panel=LOOK)
def open_run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `arena pack` wrote.")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="The new folder; default: the name of the run.")
    ] = None,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Open a file of `arena pack` in a new folder and verify its log."""
    from games import ArenaError
    from league.cli.progress import progress_bar
    from league.pack import open_pack
    from league.verify.run import lines

    opened = open_pack(file, folder, show=progress_bar)
    say_lines([f"opened {opened.run} in {opened.folder}: {opened.matches:,} matches"])
    db = str(opened.folder / opened.db)
    checked = _verified(db, trust)
    say_lines([*(line for each in checked for line in lines(each)), *_next_lines(opened)])
    if wrong := sum(each.wrong for each in checked):
        raise ArenaError(f"found {wrong:,} error{'' if wrong == 1 else 's'} in {db}")


def _verified(db: str, trust: bool) -> list[Verified]:
    """Verify the runs of a store; matches are replayed unless that needs code which the user has not allowed."""
    from games import InputError
    from league.cli.progress import progress_bar
    from league.verify import verify

    for sample, what in ((None, "replayed"), (0, "verified")):
        try:
            return verify(db, sample=sample, limit=SECONDS, trust=trust, show=progress_bar)
        except InputError as error:
            note(f"not {what}: {error}")
    return []


def _next_lines(opened: OpenedRun) -> Iterator[str]:
    """Yields what can be typed next."""
    code = "".join(f" --plugin {shlex.quote(file)}" for file in opened.plugins)
    run, at = shlex.quote(opened.run), f"--db {opened.db}"
    verb, more = ("train", "; with larger `steps`, for longer") if opened.kind != "tournament" else ("tournament", "")
    if opened.plugins:
        yield f"code of the run, which was not run: {', '.join(opened.plugins)}; read it before you type --plugin"
    if opened.effects:
        yield f"to continue the run would {'; '.join(opened.effects)}"
    yield "next:"
    yield f"  cd {shlex.quote(str(opened.folder))}"
    yield f"  arena board {at}{code}"
    if opened.matches:
        yield f"  arena replay 0 {at}{code}"
    yield f"  arena report {run} {at}{code} -o page.html"
    if opened.snapshots:
        yield f"  arena play {shlex.quote(opened.game)} {run} random {at}{code}"
    yield f"  arena {verb} {opened.settings}{code}      continues it{more}"
