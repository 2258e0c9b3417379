"""The base class of native games whose matches are about one task of a task source."""

from __future__ import annotations

import games.tasks
from games.native.common.stages import StagedGame
from games.tasks import SourceTask, TaskSource


class SourcedGame(StagedGame):
    """A game of stages about one task. `tasks` is the id of a task source; without one the game makes its own."""

    def __init__(self, tasks: str) -> None:
        super().__init__()
        self._source: TaskSource | None = games.tasks.make(tasks) if tasks else None
        if self._source is not None:
            self.task_source, self.blocking, self.pools = self._source, self._source.blocking, True
        self._given = ""
        """the id of the task that a pool has chosen"""
        self._task: SourceTask | None = None

    @property
    def _tasks(self) -> TaskSource:
        """The source of a game that always has one."""
        assert self._source is not None
        return self._source

    def load_task(self, task: str) -> None:
        """Pose this task of the source, given by its id; "": draw one."""
        if self._source is None:
            super().load_task(task)
        elif task:
            self._source.load(task)
        self._given = task

    def _posed(self, seed: int) -> SourceTask:
        """The chosen task, or the one that the source draws from the seed."""
        self._task = self._tasks.load(self._given) if self._given else self._tasks.draw(seed)
        return self._task
