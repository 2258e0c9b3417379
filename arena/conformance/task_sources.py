"""The conformance kit for task sources: tasks that are recreated exactly, verifiers that accept only right answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import games.tasks
from arena.conformance.generators import global_generators
from arena.conformance.source_contents import ids_without_parameters, kinds_with_few_questions, wrong_answers_that_pass
from arena.conformance.split_problems import problems_in_two_splits
from games.conformance.report import Check, Finding, Report, excerpt
from games.conformance.run import Findings, run_checks
from games.errors import InputError
from games.tasks import SPLITS, SourceTask, Split, TaskKind, TaskSource

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

    @property
    def kinds(self) -> tuple[TaskKind, ...]:
        """The kinds that are checked."""
        return self.source.kinds[:: -(-len(self.source.kinds) // MOST_KINDS)]

    @cached_property
    def tasks(self) -> list[SourceTask]:
        """Tasks of every checked kind."""
        return [self.source.draw(seed, kind) for kind in self.kinds for seed in SEEDS]


def check_task_source(id: str) -> Report:
    """Check a task source by its id. Raises InputError if it cannot be made."""
    games.tasks.make(id)
    try:
        games.tasks.training(id)
    except InputError as error:
        if "'split'" not in str(error):
            raise
        raise InputError(
            f'task source {id!r} takes no parameter split; write `def __init__(self, ..., split="train")` and pass '
            "split to super().__init__"
        ) from None
    return run_checks(id, SourceSubject(id), CHECKS)


def _repeats(subject: SourceSubject) -> Findings:
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


def _ids(subject: SourceSubject) -> Findings:
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


def _references(subject: SourceSubject) -> Findings:
    """The verifier passes the reference answer of every task."""
    for task in subject.tasks:
        verdict = subject.source.verdict(task, task.answer)
        if not verdict.ok:
            yield Finding(
                "references", f"{task.id}: the reference answer {task.answer[:60]!r} does not pass: {verdict}"
            )
    yield Check("references", len(subject.tasks), "tasks")


def _hostile(subject: SourceSubject) -> Findings:
    """No empty, meaningless or hostile text passes, and none raises an error."""
    tried = 0
    for task in subject.tasks[:: len(SEEDS)]:
        for text in HOSTILE:
            tried += text.strip() != task.answer
            if text.strip() != task.answer and subject.source.verdict(task, text).ok:
                yield Finding(
                    "hostile", f"{task.id}: the answer {text[:40]!r} passes; the right one is {task.answer!r}"
                )
    yield Check("hostile", tried, "answers")


def _splits(subject: SourceSubject) -> Findings:
    """No question belongs to two splits."""
    splits: dict[str, Split] = {}
    for split in SPLITS:
        source = games.tasks.with_split(subject.id, split)
        for task in (source.draw(seed) for seed in range(20)):
            if splits.setdefault(task.question, split) != split:
                yield Finding("splits", f"{task.question[:80]!r} is in the splits {splits[task.question]} and {split}")
    yield Check("splits", len(splits), "questions")


def _problems(subject: SourceSubject) -> Findings:
    yield from problems_in_two_splits(subject.id, subject.kinds)


def _solves(subject: SourceSubject) -> Findings:
    """`solve` agrees with the reference answers to the source's own questions, and reads any text."""
    source = subject.source
    if type(source).solve is TaskSource.solve:
        yield Check("solves", skipped="it offers no solve")
        return
    solved = 0
    for task in subject.tasks:
        solution: object = source.solve(task.question)
        if solution is not None and not isinstance(solution, SourceTask):
            yield Finding("solves", f"solve returned {solution!r:.60}; return a games.tasks.SourceTask or None")
            return
        if solution is not None:
            solved += 1
            if not subject.source.verdict(task, solution.answer).ok:
                problem = f"solve answers {excerpt(task.question)} with {solution.answer[:60]!r}"
                yield Finding("solves", f"{problem}; the reference answer is {task.answer[:60]!r}")
    for text in HOSTILE:
        source.solve(text)
    yield Check("solves", solved, "questions", lacks=f"solve returned None for all {len(subject.tasks)} questions")


def _parameters(subject: SourceSubject) -> Findings:
    yield from ids_without_parameters(subject.id)


def _wrong(subject: SourceSubject) -> Findings:
    yield from wrong_answers_that_pass(subject.source, subject.tasks)


def _enough(subject: SourceSubject) -> Findings:
    yield from kinds_with_few_questions(subject.source, subject.kinds)


CHECKS = {
    "repeats": _repeats,
    "ids": _ids,
    "parameters": _parameters,
    "references": _references,
    "wrong": _wrong,
    "solves": _solves,
    "hostile": _hostile,
    "splits": _splits,
    "problems": _problems,
    "enough": _enough,
}
"""name -> check, in the order of the report"""

__all__ = ["CHECKS", "check_task_source"]
