"""The curricula `uniform` and `newest`: evenly from all tasks, or from the newest ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from annotated_types import Interval

from games.randomness import RandomStream
from league.tasks.curricula.base import Curriculum, Pick, PooledTask, StepBudget


class Uniform(Curriculum):
    """Every task of the pool is equally probable: the control of the other curricula."""

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Yields tasks drawn evenly, with repetition."""
        while True:
            yield Pick(stream.choice(tasks))


class Newest(Uniform):
    """The newest tasks are equally probable, older ones are not played (Absolute Zero's max_new).

    tasks: how many.
    """

    def __init__(self, tasks: Annotated[int, Interval(ge=1, le=1_000_000)] = 128) -> None:
        self._tasks = tasks

    def order(self, game: str, tasks: Sequence[PooledTask], budget: StepBudget, stream: RandomStream) -> Iterator[Pick]:
        """Returns tasks drawn evenly from the newest ones, with repetition."""
        return super().order(game, tasks[-self._tasks :], budget, stream)
