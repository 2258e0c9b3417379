"""Shows the progress of a long command: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from arena.cli.out import note
from arena.terminal import escaped, past_gate

EVERY = 30.0
"""seconds between two lines"""


class Done(Protocol):
    """Called with how much is done, and of how much if that was not known before."""

    def __call__(self, n: int, of: int | None = None, /) -> None:
        """`n` of `of` are done. Without `of`, the total of the call before counts."""


@contextmanager
def progress_bar(name: str, total: int | None = None) -> Iterator[Done]:
    """A bar on standard error that disappears at the end; until a total is known it shows no share.

    If standard error is no terminal, a line every 30 seconds.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from league.board.cells import clean

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(file=past_gate(sys.stderr))
    last, whole = time.monotonic(), total
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(escape(escaped(clean(name))), total=total)

        def done(n: int, of: int | None = None) -> None:
            nonlocal last, whole
            whole = of or whole
            bar.update(task, completed=n, total=whole)
            if not console.is_terminal and time.monotonic() - last >= EVERY:
                last = time.monotonic()
                note(f"{name}: {n:,} of {whole:,}" if whole else f"{name}: {n:,}")

        yield done
