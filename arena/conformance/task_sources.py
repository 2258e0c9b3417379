"""The conformance kit for task sources: tasks that are recreated exactly, verifiers that accept only right answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import games.tasks
from arena.conformance.generators import global_generators
from games.conformance.report import Check, Finding, Report
from games.conformance.run import Found, run_checks
from games.errors import InputError
from games.tasks import SPLITS, SourceTask, Split, TaskSource

SEEDS = range(3)
MOST_KINDS = 40
"""kinds that are checked; a source with more is checked on evenly chosen ones"""
HOSTILE = ("", " ", "xyzzy", "9**9**9**9", "__import__('os').getcwd()", "\x00", "1" * 5000, "<answer>", "[[[[[[[[")


@dataclass(frozen=True)
class SourceSubject:
    """The source under test and its tasks."""

    id: str

    @cached_property
    def source(self) -> TaskSource:
        """A source of training tasks."""
        return games.tasks.training(self.id)

    @cached_property
    def tasks(self) -> list[SourceTask]:
        """Tasks of every checked kind."""
        kinds = self.source.kinds[:: -(-len(self.source.kinds) // MOST_KINDS)]
        return [self.source.draw(seed, kind) for kind in kinds for seed in SEEDS]


def check_task_source(id: str) -> Report:
    """Check a task source by its id. Raises InputError if it cannot be made."""
    games.tasks.make(id)
    return run_checks(id, SourceSubject(id), CHECKS)


def _repeats(subject: SourceSubject) -> Found:
    """The same seed gives the same task in a new source, and no global random generator is used."""
    drew: set[str] = set()
    with global_generators(drew):
        again = SourceSubject(subject.id).tasks
    for task, other in zip(subject.tasks, again, strict=True):
        if task != other:
            yield Finding("repeats", f"{task.kind}: a seed gives {task.question[:60]!r}, then {other.question[:60]!r}")
            break
    yield from (Finding("repeats", f"uses the global generator {name}") for name in sorted(drew))
    yield Check("repeats", len(again), "tasks")


def _ids(subject: SourceSubject) -> Found:
    """The id of a task recreates it, and a changed id is refused."""
    for task in subject.tasks:
        if subject.source.load(task.id) != task:
            yield Finding("ids", f"{task.id} recreates another task")
        try:
            subject.source.load(task.id[:-1] + ("0" if task.id[-1] != "0" else "1"))
        except InputError:
            continue
        yield Finding("ids", f"{task.id}: an id with another digest is accepted")
    yield Check("ids", len(subject.tasks), "tasks")


def _references(subject: SourceSubject) -> Found:
    """The verifier passes the reference answer of every task."""
    for task in subject.tasks:
        verdict = subject.source.grade(task, task.answer)
        if not verdict.ok:
            yield Finding(
                "references", f"{task.id}: the reference answer {task.answer[:60]!r} does not pass: {verdict}"
            )
    yield Check("references", len(subject.tasks), "tasks")


def _hostile(subject: SourceSubject) -> Found:
    """No empty, meaningless or hostile text passes, and none raises an error."""
    for task in subject.tasks[:: len(SEEDS)]:
        for text in HOSTILE:
            if text.strip() != task.answer and subject.source.grade(task, text).ok:
                yield Finding(
                    "hostile", f"{task.id}: the answer {text[:40]!r} passes; the right one is {task.answer!r}"
                )
    yield Check("hostile", len(subject.tasks) // len(SEEDS) * len(HOSTILE), "answers")


def _splits(subject: SourceSubject) -> Found:
    """No question belongs to two splits."""
    found: dict[str, Split] = {}
    for split in SPLITS:
        source = games.tasks.with_split(subject.id, split)
        for task in (source.draw(seed) for seed in range(20)):
            if found.setdefault(task.question, split) != split:
                yield Finding("splits", f"{task.question[:80]!r} is in the splits {found[task.question]} and {split}")
    yield Check("splits", len(found), "questions")


CHECKS = {
    "repeats": _repeats,
    "ids": _ids,
    "references": _references,
    "hostile": _hostile,
    "splits": _splits,
}
"""name -> check, in the order of the report"""

__all__ = ["CHECKS", "check_task_source"]
