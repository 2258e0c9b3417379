"""Demonstrations for games that pose the tasks of a source, made when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import games.tasks
from games.tasks import TaskKind, TaskSource

Shown = Callable[[str, str], tuple[str, str]]
"""from a question and its answer to what a seat reads and what it writes"""
_COUNT = 2


class TaskExamples(Mapping[str, Sequence[tuple[str, str]]]):
    """Phase -> example turns: for each kind of task two solved tasks of the split `train`.

    A phase is `WORD FAMILY/DIFFICULTY`. Making the examples of all kinds of a large source takes seconds, so only those
    that a role asks for are made. `others` are the examples of phases that depend on no kind.
    """

    def __init__(
        self,
        source: TaskSource,
        word: str,
        shown: Shown,
        others: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType({}),
    ) -> None:
        self._source, self._shown, self._others = source.id, shown, others
        self._kinds = {f"{word} {kind}": kind for kind in source.kinds}

    def __getitem__(self, phase: str) -> Sequence[tuple[str, str]]:
        """The example turns of a phase."""
        if phase in self._others:
            return self._others[phase]
        return tuple(self._shown(*pair) for pair in _solved(self._source, self._kinds[phase]))

    def __iter__(self) -> Iterator[str]:
        """The phases."""
        return iter((*self._others, *self._kinds))

    def __len__(self) -> int:
        """The number of phases."""
        return len(self._others) + len(self._kinds)


@lru_cache(1024)
def _solved(source: str, kind: TaskKind) -> tuple[tuple[str, str], ...]:
    """Questions and answers of two different training tasks."""
    made = games.tasks.training(source)
    tasks = {task.question: task for task in (made.draw(seed, kind) for seed in range(4 * _COUNT))}
    return tuple((task.question, task.answer) for task in list(tasks.values())[:_COUNT])
