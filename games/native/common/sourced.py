"""The base class of native games whose matches are about one task of a task source."""

from __future__ import annotations

from typing import Any

import games.tasks
from games.dialogue.listed import drawn, listed
from games.native.common import tags
from games.native.common.stages import StagedGame
from games.randomness import RandomStream, derive
from games.tasks import SourceTask, TaskSource


class SourcedGame(StagedGame):
    """A game of stages about one task. `tasks` is the id of a task source; without one the game makes its own.

    problems: above 0, matches are about this many tasks of the source.
    """

    def __init__(self, tasks: str, problems: int = 0) -> None:
        super().__init__()
        self._source: TaskSource | None = games.tasks.make(tasks) if tasks else None
        if self._source is not None:
            self.task_source, self.blocking, self.pools = self._source, self._source.blocking, True
        self._given = ""
        """the id of the task that a pool has chosen"""
        self._problems = problems
        self._listed: tuple[str, ...] = ()
        """the answers that a closed game offers"""
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
        self._task = self._tasks.load(self._given) if self._given else self.drawn(seed)
        return self._task

    def drawn(self, seed: int) -> SourceTask:
        """Returns the task of a match with this seed, for which no pool has chosen one."""
        return drawn(self._tasks, seed, self._problems)

    def _list(self, seed: int) -> None:
        """Offer answers to the task that is posed, in a closed game."""
        self._listed = self._offered(RandomStream(derive(seed, "choices"))) if self.closed else ()

    def _offered(self, stream: RandomStream) -> tuple[str, ...]:
        """Returns the list of a closed game."""
        assert self._task is not None
        return listed(self._tasks, self._task, stream, 0 if self._given else self._problems)

    def _task_facts(self) -> dict[str, Any]:
        """For the facts: the task, and whether a pool chose it."""
        assert self._task is not None
        return {
            "task": self._task.id,
            "kind": str(self._task.kind),
            "question": self._task.question,
            "truth": self._task.answer,
            "pooled": bool(self._given),
        }

    def _given_answer(self, text: str) -> tuple[tags.TaggedText, str]:
        """The answer in a message, and why there is none; in a closed game the message is the answer."""
        return (tags.TaggedText(text, 1.0), "") if self.closed else tags.answer(text)
