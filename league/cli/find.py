"""The verbs that list what a store holds: `runs`, `matches`. Heavy imports happen inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli import completion
from arena.cli.options import Json
from arena.cli.out import note, say, say_struct
from arena.cli.verb_groups import LOOK
from league import DEFAULT_DB
from league.cli.options import Db, RunName

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.views.listing import MatchRow, RunRow
from collections.abc import Collection, Iterator, Sequence

app = typer.Typer(rich_markup_mode=None)

LIST_LENGTH = 50
"""matches that are listed without --limit"""


@app.command(rich_help_panel=LOOK)
def runs(db: Db = DEFAULT_DB, json: Json = False) -> None:
    """List the runs of a store, newest first."""
    from league.store import Store
    from league.views.listing import run_rows

    with Store.open(db, read_only=True) as store:
        rows = run_rows(store)
    if json:
        say_struct(rows)
    else:
        titles = ("run", "kind", "status", "matches", "void", "players", "started", "games")
        say("\n".join(aligned(titles, [_run_cells(row) for row in rows], right=("matches", "void", "players"))))


def _run_cells(row: RunRow) -> tuple[str, ...]:
    games = ", ".join(row.games)
    counts = (f"{row.finished:,} of {row.planned:,}", f"{row.void:,}", f"{len(row.players):,}")
    return (row.name, row.kind, row.status, *counts, row.created.replace("T", " ")[:16], games)


@app.command(rich_help_panel=LOOK)
def matches(
    db: Db = DEFAULT_DB,
    run: RunName = None,
    player: Annotated[str, typer.Option("--player", metavar="NAME", help="Only matches of this player.")] = "",
    game: Annotated[
        str,
        typer.Option(
            "--game", metavar="ID", help="Only this game, or all its variants.", autocompletion=completion.game_ids
        ),
    ] = "",
    role: Annotated[
        str, typer.Option("--role", metavar="NAME", help="Only where this role is played, by --player or --loser.")
    ] = "",
    status: Annotated[
        Literal["finished", "forfeit", "truncated", "void"] | None,
        typer.Option("--status", metavar="STATUS", help="finished, forfeit, truncated or void."),
    ] = None,
    loser: Annotated[
        str,
        typer.Option(
            "--loser", metavar="NAME", help="Only matches that this player lost; in general-sum games, by forfeit."
        ),
    ] = "",
    shortest: Annotated[int, typer.Option("--min-turns", min=0, metavar="N", help="At least N turns.")] = 0,
    longest: Annotated[int | None, typer.Option("--max-turns", min=0, metavar="N", help="At most N turns.")] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help=f"Only the last N; default: {LIST_LENGTH}, with --json all. 0: all."),
    ] = None,
    json: Json = False,
) -> None:
    """List and filter the matches of a run."""
    from league.store import Store
    from league.views.listing import MatchFilter, elsewhere, match_rows

    criteria = MatchFilter(player, game, role, status or "", loser, shortest, longest)
    with Store.open(db, read_only=True) as store:
        stored = store.run(run)
        rows = list(match_rows(store, stored, criteria))
        other = "" if rows else elsewhere(store, stored)
    most = (0 if json else LIST_LENGTH) if limit is None else limit
    last = rows[-most:]
    if json:
        say_struct(last)
    else:
        titles = ("match", "game", "status", "turns", "players and returns", "reason")
        names = _short_names(last)
        say("\n".join(aligned(titles, [_match_cells(row, names) for row in last], right=("turns",))))
        left_out = f", the last {len(last):,} shown; --limit 0 shows all" if len(last) < len(rows) else ""
        hint = other or "; `arena replay MATCH` shows one turn by turn"
        note(f"{len(rows):,} matches of {stored.name}{left_out}{hint}")


def _short_names(rows: Sequence[MatchRow]) -> dict[str, str]:
    """Returns player names short enough for a cell of the table, and still different from each other."""
    from league.board.short_names import LEAST, shortened

    names = sorted({player for row in rows for player in row.players.values()})
    seats = max((len(row.players) for row in rows), default=1)
    return dict(zip(names, shortened(names, max(LEAST, MOST // seats - 9)), strict=True))  # room for " +1.25 · "


def _match_cells(row: MatchRow, names: Mapping[str, str]) -> tuple[str, ...]:
    if row.status == "void":
        played = " · ".join(names[player] for player in row.players.values())
    else:
        played = " · ".join(f"{names[player]} {row.scores[seat]:+g}" for seat, player in row.players.items())
    return (row.match, row.game, row.status, f"{row.turns}", played, row.reason)


MOST = 60
"""the widest column in terminal cells, the last one excepted"""


def aligned(titles: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[str] = ()) -> Iterator[str]:
    """Yields a line of titles, then one line per row. Columns named in `right` are aligned to the right."""
    from rich.cells import cell_len

    from league.board.cells import clean, pad

    table = [list(map(clean, row)) for row in (titles, *rows)]
    widths = [min(MOST, max(map(cell_len, column))) for column in zip(*table, strict=True)]
    for row in table:
        cells = [pad(text, widths[i], titles[i] in right) for i, text in enumerate(row[:-1])]
        yield "  ".join([*cells, row[-1]]).rstrip()
