"""Shows the progress of `arena verify` on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(run: str, matches: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error while a run is verified; nothing if that is not a terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from league.board.cells import clean

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(escape(clean(run)), total=matches)

        def done(n: int) -> None:
            bar.update(task, completed=n)

        yield done
