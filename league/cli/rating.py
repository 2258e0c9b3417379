"""The verb `rate`. Heavy imports happen inside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import Json
from arena.cli.out import note, say_json
from arena.cli.verb_groups import TOURNAMENTS

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=TOURNAMENTS)
def rate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="CSV, PGN or JSON Lines; - is standard input.")],
    reference: Annotated[
        str, typer.Option("--reference", metavar="NAME", help="Points are against this player; default: most matches.")
    ] = "",
    game: Annotated[str | None, typer.Option("--game", metavar="NAME", help="Show only this game.")] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out rows that cannot be read, as of a judge that named no winner.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE.html", help="Write a page to share.")] = None,
    legend: Annotated[bool, typer.Option("--legend", help="Explain the columns below the table.")] = False,
    json: Json = False,
) -> None:
    """Rate results from elsewhere.

    The columns of FILE, in any order and case, with , ; or tab between them:

    \b
      a, b, result             1, 0, 0.5, 1-0, 1/2-1/2, win, draw, a, tie, a name
      winner, loser            nobody knows the seats, so no seat has an effect
      match, player, rank      a row for each player; or score; for teams: team

    Optional columns: date, task, game. Usual names are known too: model_a and model_b with winner, white and black,
    home_team and home_score, and others. Of PGN the tags White, Black, Result and Date are read.
    """
    import json as json_

    from games import InputError
    from league.board.printed import print_board, to_json
    from league.imports import rate as rate_file
    from league.imports.matches import BadRows
    from league.reports.render import write_results

    try:
        board = rate_file(file, reference=reference, skip_bad=skip_bad)
    except BadRows as error:
        for line in error.lines:
            note(line)
        rows = f"{error.count:,} bad row{'s' * (error.count > 1)}"
        raise InputError(f"{rows}; correct {'them' if error.count > 1 else 'it'}, or add --skip-bad") from None
    if json:
        content = to_json(board, game) | {"sentences": list(board.sentences)}
        say_json(json_.dumps(content, indent=1))
    else:
        print_board(board, game, panels=() if game else board.panels(), legend=legend)
    if out is not None:
        write_results(board, board.sentences, out)
        note(f"wrote {out}")
