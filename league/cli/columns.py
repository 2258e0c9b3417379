"""Prints rows as aligned columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

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
