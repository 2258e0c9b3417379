"""`arena board --paired A,B`: two players of a stored run on the same tasks."""

from __future__ import annotations

from collections.abc import Iterator

from games import InputError
from league.sprt.by_task import TaskDifference, by_task
from league.store import Run, Store


def by_task_of(store: Store, run: Run, game: str | None, names: str) -> TaskDifference:
    """Returns the difference of two players, given as `A,B`, in a game or over all tasks of all games."""
    two = two_players(names)
    run.spec.check_names(two, game)
    results = store.results(run)
    return by_task([one for one in results if game in (None, one.game)], run.spec.games, *two)


def two_players(names: str) -> tuple[str, str]:
    """Returns the players of `A,B`."""
    two = [name.strip() for name in names.split(",")]
    if len(two) != 2 or two[0] == two[1]:
        raise InputError(f"--paired takes two different players with a comma between them, such as A,B; got {names!r}")
    return two[0], two[1]


def by_task_lines(of: TaskDifference) -> Iterator[str]:
    """Yields the lines of a page."""
    both = f"on the {of.tasks:,} tasks or openings that both played"
    yield f"{of.player} over {of.other}: {of.difference:+.3f} a match {both}"
    yield f"  task by task:       95% {of.low:+.3f} to {of.high:+.3f}"
    yield f"  without the pairs:  95% {of.unpaired_low:+.3f} to {of.unpaired_high:+.3f}"
    if of.high > of.low:
        times = ((of.unpaired_high - of.unpaired_low) / (of.high - of.low)) ** 2
        yield f"  scores correlate by {of.correlation:.2f}: the pairs are worth {times:.1f} times as many tasks"
