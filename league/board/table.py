"""The table of standings, as styled lines."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import msgspec
from rich.cells import cell_len
from rich.text import Text

from league.board.cells import clean, fit
from league.board.columns import choose, natural_width
from league.board.lines import Line, crop, styled, to_text
from league.board.short_names import shortened
from league.board.standing_columns import Column, Games, all_columns
from league.board.state import BoardState
from league.board.view_state import ViewState
from league.records.leaderboard import Leaderboard, MatchCounts, Standing


def table_text(standings: Sequence[Standing], width: int) -> Text:
    """Returns a table of all rows, without header and log."""
    return to_text([crop(line, width) for line in table(state_of(standings), width, None)])


def state_of(standings: Sequence[Standing]) -> BoardState:
    """Returns a state that has only these standings."""
    return BoardState(Leaderboard("", tuple(standings), {}, {}, MatchCounts()))


def table(state: BoardState, width: int, height: int | None) -> list[Line]:
    """At most two header lines, a line for each player, and a line that counts what is omitted, in `height` lines.

    Without a `height`, `games_below` shows the columns of games that are not in `width`.
    """
    everyone = state.snapshot.standings
    if not everyone:
        return [styled(fit("no standings yet: waiting for the first result", width), "dim")]
    rows = everyone if height is None else everyone[: max(0, height - 1)]
    columns, missed = choose(rows or everyone[:1], everyone, by_game(state), width)
    heads = _heads(columns)
    if height is not None and height < 6:
        heads = heads[-1:] if height > 2 else []
    if height is not None and len(everyone) + len(heads) + bool(missed) > height:
        rows = everyone[: max(0, height - len(heads) - 1)]
    lines = heads + _rows(columns, rows)
    if omitted := _omitted(len(everyone) - len(rows), 0 if height is None else missed):
        lines.append(styled(fit(omitted, width), "dim"))
    return lines


def games_below(state: BoardState, width: int) -> list[Line]:
    """Returns tables of the columns of games, if not all of them are in `table`."""
    everyone, games = state.snapshot.standings, by_game(state)
    if not everyone or not choose(everyone, everyone, games, width)[1]:
        return []
    _, name, *others = all_columns(everyone, everyone, games)
    name.gap, name.width = 0, min(name.width, max(4, width // 3))
    name.cells = shortened(name.cells, name.width)
    lines: list[Line] = []
    group: list[Column] = [name]
    for column in (*(c for c in others if c.key.startswith("game:")), None):
        if column is None or (sum(c.gap + c.width for c in (*group, column)) > width and len(group) > 1):
            lines += [*([("", [])] if lines else []), *_heads(group), *_rows(group, everyone)]
            group = [name]
        group += [column] if column is not None else []
    return lines


class TableRows(msgspec.Struct, frozen=True):
    """A table in which any rows may be visible and one may be selected."""

    order: tuple[Standing, ...]
    heads: list[Line]
    lines: list[Line]
    """of all rows; of a table of more than ALL_ROWS, none"""
    columns: tuple[tuple[str, int, int], ...]
    """key, first cell and cell after the last one of each column"""
    missed: int
    """number of games without a column"""


class TablePart(msgspec.Struct, frozen=True):
    """The visible part of a table."""

    lines: list[Line]
    heads: int
    """number of header lines"""
    top: int
    """index of the first visible row"""
    visible: int
    """number of visible rows"""
    columns: tuple[tuple[str, int, int], ...]
    """as in `TableRows`"""


ALL_ROWS = 200
"""up to this number of rows, all are laid out at once: columns then keep their places when the table scrolls"""


def table_rows(state: BoardState, width: int, order: Sequence[Standing], sort: str) -> TableRows:
    """Returns the rows of `order`. `sort` is the key of the column that orders them, whose header is marked."""
    few = len(order) <= ALL_ROWS
    columns, missed = choose(order, state.snapshot.standings, by_game(state), width) if order and few else ([], 0)
    ends = list(itertools.accumulate(c.gap + c.width for c in columns))
    spans = tuple((c.key, end - c.width - c.gap, end) for c, end in zip(columns, ends, strict=True))
    heads = _marked(_heads(columns), columns, sort)
    return TableRows(tuple(order), heads, _rows(columns, order) if columns else [], spans, missed)


def table_part(state: BoardState, rows: TableRows, width: int, height: int, view: ViewState) -> TablePart:
    """Returns the rows from about `view.top` on, so that the selected one is visible, in `height` lines.

    The last line says which rows are visible, unless all are.
    """
    total = len(rows.order)
    if not total and view.filter:
        line = fit(f"no player matches the filter {clean(view.filter)!r}; Esc removes it", width)
        return TablePart([styled(line, "yellow")], 0, 0, 0, ())
    if not total:
        return TablePart(table(state, width, height)[:height], 0, 0, 0, ())
    at = next((i for i, row in enumerate(rows.order) if row.player == view.cursor), None)
    heads = 2 if height >= 6 else 1 if height > 2 else 0
    note = total + heads > height or rows.missed > 0
    visible = max(1, height - heads - note)
    top = window(view.top, visible, total, at)
    if total > ALL_ROWS:
        rows = table_rows(state, width, rows.order[top : top + visible], view.sort)
        lines = rows.lines
    else:
        lines = rows.lines[top : top + visible]
    heading = rows.heads[len(rows.heads) - heads :] if heads < len(rows.heads) else rows.heads
    lines = [*heading, *lines]
    if at is not None and top <= at < top + visible:
        text, styles = lines[len(heading) + at - top]
        text += " " * (width - cell_len(text))
        lines[len(heading) + at - top] = text, [*styles, (0, len(text), "reverse")]
    if note:
        parts = [f"rows {top + 1}–{top + visible} of {total}"] if visible < total else []
        parts += [f"{rows.missed} more games in a wider window"] if rows.missed else []
        lines.append(styled(fit(" · ".join(parts), width), "dim"))
    return TablePart(lines, len(heading), top, min(visible, total), rows.columns)


def window(top: int, visible: int, total: int, at: int | None = None) -> int:
    """Returns the index of the first visible row: near `top`, so that the rows fill the window and row `at` is in it.

    A negative `top` is the end.
    """
    if top < 0:
        return max(0, total - visible)
    if at is not None:
        top = min(at, max(top, at - visible + 1))
    return max(0, min(top, total - visible))


def _marked(heads: list[Line], columns: Sequence[Column], sort: str) -> list[Line]:
    """Returns the header with the word above the sorted column underlined."""
    start = 0
    for column in columns:
        end = start + column.gap + column.width
        if column.key == sort and heads:
            text, styles = heads[-1]
            marked = [(a, b, "bold underline" if start <= a < end else style) for a, b, style in styles]
            return [*heads[:-1], (text, marked)]
        start = end
    return heads


def table_width(state: BoardState) -> int:
    """Returns the width in cells that shows every column and every name."""
    return natural_width(state.snapshot.standings, by_game(state)) if state.snapshot.standings else 0


def by_game(state: BoardState) -> Games:
    """Returns the standings of each rated game by player; empty if there is only one game.

    Unrated games have a panel instead of a column.
    """
    games = state.games or tuple(state.snapshot.games)
    tables = {g: {s.player: s for s in state.snapshot.games.get(g, ())} for g in games}
    rated = {g: rows for g, rows in tables.items() if not rows or any(s.rated for s in rows.values())}
    return rated if len(games) > 1 else {}


def _omitted(players: int, games: int) -> str:
    """Returns a note about players and games without room; empty if the table shows all."""
    parts = [f"{n} more {word}{'s' if n > 1 else ''}" for n, word in ((players, "player"), (games, "game")) if n]
    return f"… {' and '.join(parts)}; `arena board` shows all" if parts else ""


def _heads(columns: Sequence[Column]) -> list[Line]:
    """Returns the header lines, without the upper one if it is empty."""
    texts = ["".join(c.padded([c.head[i]])[0] for c in columns).rstrip() for i in range(2)]
    # Each word has its own style: some viewers of exported pictures drop styled leading spaces.
    return [(text, [(*m.span(), "dim") for m in re.finditer(r"\S+", text)]) for text in texts if text]


def _rows(columns: Sequence[Column], rows: Sequence[Standing]) -> list[Line]:
    """Returns a line for each row: the top rank is bold, failures are coloured, zeros are dim."""
    nominal = sum(c.gap + c.width for c in columns)
    coloured, at = [], 0
    for column in columns:
        if column.styles is not None:
            coloured.append((at + column.gap + column.width, column.cells, column.styles))
        at += column.gap + column.width
    lines: list[Line] = []
    for i, parts in enumerate(zip(*(c.padded(c.cells[: len(rows)]) for c in columns), strict=True)):
        text = "".join(parts)
        # A name with wide characters has fewer characters than cells; all coloured columns are to the right of names.
        shift = len(text) - nominal
        styles = [(end + shift - len(cells[i]), end + shift, marks[i]) for end, cells, marks in coloured]
        lines.append((text, [(0, len(text), "bold"), *styles] if rows[i].rank == 1 else styles))
    return lines
