"""The columns of the tables of standings in a report: the board's first ones, and the others in a second table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from league.board.cells import number
from league.board.short_names import game_labels
from league.board.standing_columns import chance, points, range_cells
from league.records.leaderboard import Standing

POINTS, RATING = "points of 100", "rating, 95%"


@dataclass(frozen=True)
class ReportColumn:
    """A column: its heading, and for each row the text and the value by which the page sorts."""

    head: str
    cells: tuple[str, ...]
    values: tuple[float | str | None, ...]
    left: bool = False

    @property
    def empty(self) -> bool:
        """Whether no row has a text."""
        return not any(self.cells)


@dataclass(frozen=True)
class StandingsTable:
    """The columns that everybody reads, and `more` of them."""

    first: tuple[ReportColumn, ...]
    more: tuple[ReportColumn, ...]
    rows: int


def standings_table(rows: Sequence[Standing], games: Mapping[str, Sequence[Standing]] | None = None) -> StandingsTable:
    """Returns the columns of `rows` that say something; with `games`, the points in each game too."""
    player = _text("player", [row.player for row in rows], left=True)
    strength = [
        _text(POINTS, [points(row) for row in rows], [row.points for row in rows]),
        _rating(rows),
    ]
    pointed = not strength[0].empty
    first = [
        _number("rank", rows, lambda row: row.rank),
        _text("range", range_cells(rows, rows)),
        player,
        strength[0] if pointed else strength[1],
        _text("P best", [chance(row.p_best) for row in rows], [row.p_best for row in rows]),
        _number("matches", rows, lambda row: row.games),
        *(_number(head, rows, count) for head, count in _COUNTS),
        _return(rows),
        *_of_games(rows, games or {}),
    ]
    more = [
        player,
        *([strength[1]] if pointed else []),
        _text("above next", [chance(row.above_next) for row in rows], [row.above_next for row in rows]),
        *(_number(head, rows, count) for head, count in _SPENT if any(map(count, rows))),
    ]
    return StandingsTable(tuple(c for c in first if not c.empty), tuple(c for c in more if not c.empty), len(rows))


_COUNTS: tuple[tuple[str, Callable[[Standing], int]], ...] = (
    ("won", lambda row: row.wins),
    ("drawn", lambda row: row.draws),
    ("lost", lambda row: row.losses),
    ("forfeits", lambda row: row.forfeits),
)
_SPENT: tuple[tuple[str, Callable[[Standing], int]], ...] = (
    ("voids", lambda row: row.voids),
    ("failed answers", lambda row: sum(row.faults.values())),
    ("timeouts", lambda row: row.timeouts),
    ("tokens read", lambda row: row.prompt_tokens),
    ("written", lambda row: row.tokens),
)


def _text(
    head: str, cells: Sequence[str], values: Sequence[float | None] | None = None, *, left: bool = False
) -> ReportColumn:
    return ReportColumn(head, tuple(cells), tuple(cells if values is None else values), left)


def _number(head: str, rows: Sequence[Standing], count: Callable[[Standing], int | None]) -> ReportColumn:
    values = [count(row) for row in rows]
    return _text(head, ["" if value is None else f"{value:,}" for value in values], values)


def _rating(rows: Sequence[Standing]) -> ReportColumn:
    cells = [f"{number(r.rating)} ({number(r.low)} to {number(r.high)})" if r.rated else "" for r in rows]
    return _text(RATING, cells, [row.rating if row.rated else None for row in rows])


def _return(rows: Sequence[Standing]) -> ReportColumn:
    cells = []
    for row in rows:
        bounds = "" if row.score_low is None else f" ({number(row.score_low, 2)} to {number(row.score_high or 0, 2)})"
        cells.append("" if row.score is None else number(row.score, 2) + bounds)
    return _text("mean return", cells, [row.score for row in rows])


def _of_games(rows: Sequence[Standing], games: Mapping[str, Sequence[Standing]]) -> list[ReportColumn]:
    """Returns the points in each game; none for a run of one game, which has them already."""
    labels = game_labels(list(games)) if len(games) > 1 else {}
    columns = []
    for game, label in labels.items():
        of = {row.player: row for row in games[game]}
        here = [of.get(row.player) for row in rows]
        cells = ["·" if row is None else points(row) for row in here]
        columns.append(_text(" ".join(label).strip(), cells, [row.points if row else None for row in here]))
    return [column for column in columns if set(column.cells) - {"", "·"}]
