"""Small tables of text for pages, and lists of rows with a cursor."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from rich.cells import cell_len

from league.board.cells import fit, pad
from league.board.lines import Line, styled
from league.board.table import window
from league.board.view_state import Layout, Target

GAP = 2


class Grid(msgspec.Struct, frozen=True):
    """A header and rows of cells, already clean. Columns without room are omitted from the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    styles: tuple[tuple[str, ...], ...] = ()
    """a style for each cell; (): none"""
    left: tuple[int, ...] = (0,)
    """columns that are aligned to the left"""


def grid_lines(grid: Grid, width: int, widest: int = 40) -> tuple[list[Line], list[tuple[int, int]]]:
    """Returns header and rows as lines, and the first cell and the end of each visible column."""
    sizes = [min(widest, max(map(cell_len, column))) for column in zip(grid.head, *grid.rows, strict=True)]
    spans: list[tuple[int, int]] = []
    at = 0
    for size in sizes:
        if spans and at + size > width:
            break
        spans.append((at, min(width, at + size)))
        at += size + GAP
    lines = [styled(_row(grid.head, spans, grid.left), "dim")]
    for i, row in enumerate(grid.rows):
        text = _row(row, spans, grid.left)
        styles = _styles(row, spans, grid.styles[i]) if grid.styles else []
        lines.append((text, styles))
    return lines, spans


def _row(cells: Sequence[str], spans: Sequence[tuple[int, int]], left: Sequence[int]) -> str:
    parts = (pad(cells[i], end - start, right=i not in left) for i, (start, end) in enumerate(spans))
    return (" " * GAP).join(parts)


def _styles(
    cells: Sequence[str], spans: Sequence[tuple[int, int]], styles: Sequence[str]
) -> list[tuple[int, int, str]]:
    """Spans in characters: a cell with wide characters has fewer characters than cells."""
    out, at = [], 0
    for cell, (start, end), style in zip(cells, spans, styles, strict=False):
        size = len(pad(cell, end - start))
        if style:
            out.append((at, at + size, style))
        at += size + GAP
    return out


class ListPart(msgspec.Struct, frozen=True):
    """The visible part of a list."""

    lines: list[Line]
    top: int
    visible: int


def list_part(lines: Sequence[Line], keys: Sequence[str], width: int, height: int, top: int, cursor: str) -> ListPart:
    """`lines[0]`, the header, and as many rows as fit; the row whose key is `cursor` is reversed."""
    visible = max(1, height - 1)
    at = keys.index(cursor) if cursor in keys else None
    top = window(top, visible, len(keys), at)
    part = [lines[0], *lines[1 + top : 1 + top + visible]]
    if at is not None:
        text, styles = part[1 + at - top]
        text = fit(text, width)
        text += " " * (width - cell_len(text))
        part[1 + at - top] = text, [*styles, (0, len(text), "reverse")]
    return ListPart(part, top, visible)


def list_layout(part: ListPart, keys: list[str], width: int, targets: list[Target], columns: tuple[str, ...]) -> Layout:
    """Returns the layout of a list with a header, whose rows are selected by `keys`."""
    rows = [Target(1 + i, 0, width, "row", keys[part.top + i]) for i in range(min(part.visible, len(keys) - part.top))]
    return Layout(
        rows=tuple(keys),
        total=len(keys),
        visible=part.visible,
        top=part.top,
        columns=columns,
        targets=(*targets, *rows),
    )
