"""The tables of the task pool: tasks with their origin, and every trial of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, delete, select

from league.store import journal, schema

T, R = schema.tasks.c, schema.task_trials.c


class StoredTask(msgspec.Struct, frozen=True, gc=False):
    """A task of a run's pool."""

    index: int
    """its index in the pool"""
    game: str
    key: str
    """tasks of a game with the same key are equal"""
    text: str
    """the argument of `TextGame.load_task`"""
    player: str
    """the player that set it"""
    version: int
    """version of the policy's weights that set it"""
    match: str
    """the match it was set in"""
    step: int
    kind: str = ""
    """family and difficulty, if it has them"""
    question: str = ""
    """what solvers read, if `text` is an id"""
    parents: tuple[int, ...] = ()
    """indices of the tasks of the pool that it was made from"""


class Trial(msgspec.Struct, frozen=True, gc=False):
    """How often a task was solved in one match."""

    index: int
    match: str
    step: int
    place: int
    """order of the trials of a step"""
    rate: float
    answers: int = 1
    """the number of answers that `rate` is of; 1 if a store is older than this column"""


def add(connection: Connection, run: int, tasks: Sequence[StoredTask], trials: Sequence[Trial]) -> None:
    """Append tasks, then trials."""
    if tasks:
        rows = [{"run": run, **msgspec.structs.asdict(t), "parents": " ".join(map(str, t.parents))} for t in tasks]
        connection.execute(schema.tasks.insert(), rows)
        journal.extend(connection, run, "tasks", min(task.index for task in tasks))
    if trials:
        rows = [{"run": run, **msgspec.structs.asdict(trial)} for trial in trials]
        last = connection.execute(
            select(R.step, R.place).where(R.run == run).order_by(R.step.desc(), R.place.desc()).limit(1)
        ).first()
        appended = last is None or min((trial.step, trial.place) for trial in trials) > tuple(last)
        first = journal.last_of(connection, run, "trials") + 1 if appended else 0
        connection.execute(schema.task_trials.insert(), rows)
        journal.extend(connection, run, "trials", first)


def read(connection: Connection, run: int) -> tuple[list[StoredTask], list[Trial]]:
    """Returns all tasks, in the order of the pool, and all trials, in the order they were made."""
    columns = (T.index, T.game, T.key, T.text, T.player, T.version, T.match, T.step, T.kind, T.question, T.parents)
    rows = connection.execute(select(*columns).where(T.run == run).order_by(T.index))
    tasks = [StoredTask(**(dict(row._mapping) | {"parents": tuple(map(int, row.parents.split()))})) for row in rows]
    query = select(R.index, R.match, R.step, R.place, R.rate, R.answers).where(R.run == run).order_by(R.step, R.place)
    return tasks, [Trial(*row) for row in connection.execute(query)]


def forget(connection: Connection, run: int, after: int) -> int:
    """Delete everything added after a step. Returns the number of tasks deleted."""
    connection.execute(delete(schema.task_trials).where(R.run == run, R.step > after))
    number = connection.execute(delete(schema.tasks).where(T.run == run, T.step > after)).rowcount
    for kind in ("tasks", "trials"):
        journal.extend(connection, run, kind, 0)
    return number
