"""The tab `opponents` of a player's page."""

from __future__ import annotations

from collections.abc import Callable

from league.board.cells import clean, number
from league.board.grid import Grid, grid_lines, list_layout, list_part
from league.board.lines import Line
from league.board.player_details import OpponentLine, PlayerDetails
from league.board.state import BoardState
from league.board.view_state import Layout, Target, ViewState

_OpponentKey = Callable[[OpponentLine], tuple[bool, float, str]]
_OPPONENT_COLUMNS: dict[str, _OpponentKey] = {
    "matches": lambda r: (False, -r.matches, r.player),
    "share": lambda r: (r.share is None, -(r.share or 0.0), r.player),
    "mean": lambda r: (False, -r.mean, r.player),
    "opponent": lambda r: (False, 0.0, r.player),
}
"""column that orders the opponents -> sort key"""


def opponents_tab(
    state: BoardState, view: ViewState, details: PlayerDetails, width: int, height: int
) -> tuple[list[Line], Layout]:
    """Returns a row for each opponent."""
    records = opponents_in_order(details, view)
    lines, spans = opponent_lines(records, width)
    columns = ("opponent", "share", "", "matches", "", "", "", "mean")
    part = list_part(lines, [r.player for r in records], width, height, view.top, view.cursor)
    keys = [record.player for record in records]
    targets = [Target(0, start, end, "sort_by", key) for key, (start, end) in zip(columns, spans, strict=False) if key]
    return part.lines, list_layout(part, keys, width, targets, tuple(filter(None, columns)))


def opponents_in_order(details: PlayerDetails, view: ViewState) -> list[OpponentLine]:
    """Returns the records against opponents, ordered by the column of the view."""
    records = sorted(details.opponents, key=_OPPONENT_COLUMNS.get(view.sort, _OPPONENT_COLUMNS["matches"]))
    return records[::-1] if view.reverse else records


def opponent_lines(records: list[OpponentLine], width: int) -> tuple[list[Line], list[tuple[int, int]]]:
    """Returns a header and a line for each opponent, and the cells of each column."""
    head = ("opponent", "points", "95%", "matches", "won", "drawn", "lost", "mean score")
    rows = tuple(_opponent(record) for record in records)
    styles = tuple(("", ("green" if record.low > 0.5 else "red" if record.high < 0.5 else "")) for record in records)
    return grid_lines(Grid(head, rows, styles), width)


def _opponent(record: OpponentLine) -> tuple[str, ...]:
    share = record.share
    points = ("–", "") if share is None else (f"{share:.0%}", f"{record.low:.0%}–{record.high:.0%}")
    counts = (f"{n:,}" for n in (record.matches, record.wins, record.draws, record.losses))
    return clean(record.player), *points, *counts, number(record.mean, 2, sign=True)
