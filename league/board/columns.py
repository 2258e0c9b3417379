"""Chooses the columns of the leaderboard that fit into a width.

Names of players come first: they are shortened only as far as all rows stay different, and take at most two fifths of
a narrow board. The other columns are added in the order of `standing_columns.all_columns` until the width is full. If
all fit and there is room left, a drawing of the intervals comes last.
"""

from __future__ import annotations

from collections.abc import Sequence

from league.board.cells import number
from league.board.short_names import needed, shortened
from league.board.standing_columns import GAP, Column, Games, all_columns
from league.records.leaderboard import Standing

NAME_MAX = 40
DRAWN_MAX, DRAWN_MIN = 32, 14


def choose(
    rows: Sequence[Standing], everyone: Sequence[Standing], games: Games, width: int
) -> tuple[list[Column], int]:
    """Returns the columns that fit into `width` cells, from left to right, and how many game columns do not fit.

    `rows` is the top of the whole table `everyone`, from which rank ranges are computed.
    """
    rank, name, *others = all_columns(rows, everyone, games)
    taken = [rank, name]
    names, natural = name.cells, name.width
    room = max(4, width - rank.width - name.gap)
    name.width = min(natural, room, max(needed(names, min(NAME_MAX, room)), width * 2 // 5))
    used = rank.width + name.gap + name.width
    for column in others:
        if used + column.gap + column.width > width:
            break
        used += column.gap + column.width
        taken.append(column)
    missed = len(games) - sum(c.key.startswith("game:") for c in taken)
    spare = max(0, width - used)
    more = min(spare, natural - name.width)
    name.width += more
    name.cells = shortened(names, name.width)
    drawn = min(DRAWN_MAX, spare - more - GAP)
    if drawn >= DRAWN_MIN and sum(r.rated for r in rows) > 1 and len(taken) == 2 + len(others):
        taken.append(_drawn(rows, drawn))
    taken.sort(key=lambda c: c.place)
    taken[0].gap = 0
    return taken, missed


def natural_width(everyone: Sequence[Standing], games: Games) -> int:
    """Returns the width in cells that shows every column and every name, without the drawing of the intervals."""
    columns = all_columns(everyone, everyone, games)
    return sum(c.gap + min(c.width, NAME_MAX) for c in columns) - columns[0].gap


def _drawn(rows: Sequence[Standing], width: int) -> Column:
    """Returns each interval on a common axis, `├──●──┤`."""
    low, high = min(r.low for r in rows if r.rated), max(r.high for r in rows if r.rated)
    scale = (width - 1) / (high - low) if 0 < high - low < float("inf") else 0.0
    cells = []
    for r in rows:
        line = [" "] * width
        if scale and r.rated:
            a, m, b = (min(width - 1, max(0, round((x - low) * scale))) for x in (r.low, r.rating, r.high))
            line[a : b + 1] = "─" * (b - a + 1)
            line[a], line[b], line[m] = "├", "┤", "●"
        cells.append("".join(line))
    ends = number(low), number(high)
    axis = ends[0] + ends[1].rjust(width - len(ends[0]))
    return Column("drawn", ("", axis), cells, 5, right=False, styles=["cyan"] * len(rows))
