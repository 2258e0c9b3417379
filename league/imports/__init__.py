"""Results from elsewhere: read, checked, rated and shown, as `arena rate` and `league.rate` do.

A reader makes rows of a file (`reading`), `columns` says what they mean, `matches` reads or refuses each, `counts` and
`teams` prepare them for the fit of the boards and for TrueSkill, and `ratings` makes the leaderboard.
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from league.imports.ratings import RatedResults

__all__ = ["rate"]


def rate(rows: Any, *, reference: str = "", skip_bad: bool = False, name: str = "") -> RatedResults:
    """Returns the leaderboard of results from elsewhere.

    `rows`: the name of a CSV, PGN or JSON Lines file, or "-" for standard input; mappings with the keys of its
    columns; tuples `(a, b, result)` or `(winner, loser)`; or a data frame. The columns are `a, b, result`, or `winner,
    loser`, or a row for each player with `match, player, rank` (or `score`; for teams also `team`); `date`, `task` and
    `game` may be beside them. docs/tournaments.md lists what else is read.

    `reference`: the player against whom points are expected; default: the one of most matches. `skip_bad`: leave rows
    out that cannot be read; without it they raise BadRows, an InputError. `name`: the title of the leaderboard.

        board = league.rate([{"a": "one", "b": "two", "result": 1}, {"a": "two", "b": "one", "result": "1/2-1/2"}])
        board.standings[0].player, board.sentences, board.probability("one", "two")
    """
    from league.imports.columns import shape_of
    from league.imports.matches import matches_of
    from league.imports.ratings import leaderboard
    from league.imports.reading import read_file, read_rows

    if isinstance(rows, str | PathLike):
        source = read_file(str(rows), lambda columns: shape_of(set(columns)) is not None)
    else:
        source = read_rows(rows)
    source.name = name or source.name
    return leaderboard(matches_of(source, skip_bad=skip_bad), reference)
