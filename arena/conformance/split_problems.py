"""The check that no problem of test stands in train in other words, in any pair of families of a source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.conformance.report import Check, Finding
from games.errors import InputError
from games.tasks import SourceTask, Split, TaskKind, TaskSource, with_split
from games.tasks.problems import problem_form

_DRAWS, _MOST = 2400, 80
"""draws of each split, and of each kind at most"""
_FINDINGS = 5


def problems_in_two_splits(id: str, kinds: Sequence[TaskKind]) -> Iterator[Finding | Check]:
    """No question of test equals one of train when operand order, white space and names are ignored."""
    train, test = (_drawn(with_split(id, split), kinds) for split in _COMPARED)
    both = [form for form in test if form in train]
    for form in both[:_FINDINGS]:
        problem = f"{test[form].id} of test is {train[form].id} of train: {test[form].question[:60]!r}"
        hint = "return the same text from `canonical` for all wordings and orders of a problem"
        yield Finding("problems", f"{problem}, {train[form].question[:60]!r}; {hint} ({len(both)} of {len(test)})")
    lacks = "questions in train and in test"
    yield Check("problems", len(test) if train else 0, "questions", lacks=lacks)


_COMPARED: tuple[Split, Split] = ("train", "test")


def _drawn(source: TaskSource, kinds: Sequence[TaskKind]) -> dict[str, SourceTask]:
    """Returns tasks of all kinds, one for each problem form."""
    tasks: dict[str, SourceTask] = {}
    for kind in kinds:
        for seed in range(min(_MOST, _DRAWS // len(kinds))):
            try:
                task = source.draw(seed, kind)
            except InputError:  # the split has no task of this kind
                break
            tasks.setdefault(problem_form(task.question, task.answer), task)
    return tasks
