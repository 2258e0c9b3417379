"""Setting a task of a task source for others: what a seat may choose, and how answers are graded."""

from __future__ import annotations

from typing import Literal

from games.errors import IllegalAction, InputError
from games.game import Seat
from games.tasks import SourceTask, TaskSource

Setting = Literal["choose", "write"]
"""choose: the seat names a kind of task, and the match's seed draws one. write: it may also write a question of its own
that the source can answer, so that the truth is always known."""


class TaskSetter:
    """The tasks that a seat can set. Raises InputError if the source cannot answer questions of others (write)."""

    def __init__(self, source: TaskSource, setting: Setting) -> None:
        self.source = source
        self.writes = setting == "write"
        if self.writes and type(self.source).solve is TaskSource.solve:
            raise InputError(
                f"{self.source.id} cannot answer questions that others write; write proposes=choose, or name a source "
                "with `solve`, such as arithmetic"
            )
        self._kinds = {str(kind): kind for kind in self.source.kinds}
        self._right: dict[tuple[str, str], bool] = {}

    @property
    def kinds(self) -> tuple[str, ...]:
        """What the seat may choose."""
        return tuple(self._kinds)

    def set(self, text: str, seed: int) -> SourceTask | None:
        """The task that a choice or a written question sets; None if it sets none."""
        if text in self._kinds:
            return self.source.draw(seed, self._kinds[text])
        return self.source.solve(text) if self.writes else None

    def load(self, text: str) -> SourceTask:
        """The task of a pool: an id, or a question that was written. Raises InputError."""
        solved = self.source.solve(text) if self.writes and "#" not in text else None
        return solved or self.source.load(text)

    def refuse(self, text: str, seat: Seat) -> None:
        """Raise IllegalAction if the seat has to choose and this is not a choice."""
        if not self.writes and text not in self._kinds:
            raise IllegalAction(f"choose one of {', '.join(self.kinds[:8])}{', ...' * (len(self.kinds) > 8)}", seat)

    def right(self, task: SourceTask, answer: str | None) -> bool:
        """Whether the verifier of the source passes an answer."""
        if answer is None:
            return False
        key = task.id or task.question, answer
        if key not in self._right:
            if len(self._right) > 1000:
                self._right.clear()
            verdict = self.source.verdict(task, answer)
            if verdict.kind in ("timeout", "error"):
                return False  # the setter serves all matches of a game, and in a later one the verifier may succeed
            self._right[key] = verdict.ok
        return self._right[key]


def identity(task: SourceTask) -> str:
    """What a pool keeps of a task: its id, or the question that somebody wrote."""
    return task.id or task.question
