"""Which questions count as variants of a task."""

from __future__ import annotations

import re
from functools import lru_cache

from games.native.common.posing import TaskSetter
from games.tasks import SourceTask, TaskKind
from games.verifiers import arithmetic

KEPT = 0.5
"""the share of the parent's numbers and signs that a written variant must have"""
PLANS = (
    "<rationale>a larger sum</rationale>",
    "<rationale>a smaller sum</rationale>",
    "<rationale>an equal sum</rationale>",
)
"""the rationales of a closed game"""
_TRIES, _CONCEPTS = 20, 4
_PARTS = re.compile(r"\d+|[^\w\s?.,!\"']")
_WORDS = re.compile(r"\w+")


class Variants:
    """Makes variants of tasks: chosen kinds, written questions, or sums up to `size`."""

    def __init__(self, setter: TaskSetter, size: int) -> None:
        self._setter, self._size = setter, size

    def choices(self, parent: SourceTask) -> tuple[str, ...]:
        """What the evolver may choose: sums with one other number, or the kinds of the parent's family."""
        if self._size:
            return tuple(other for other in arithmetic.closed(self._size) if _changed(parent.question, other) == 1)
        family = parent.kind.family
        found = tuple(str(kind) for kind in self._setter.source.kinds if kind.family == family)
        return found or self._setter.kinds

    def drawn(self, parent: SourceTask, choice: str, seed: int) -> SourceTask:
        """The task of a choice; that of a kind is another question than the parent's, if the kind has one."""
        if self._size:
            return closed_task(choice)
        task = parent
        for attempt in range(_TRIES):
            if (made := self._setter.set(choice, seed + attempt)) is not None and made.question != parent.question:
                return made
            task = made or task
        return task

    def concepts(self, parent: SourceTask) -> tuple[str, ...]:
        """What the question must use of the parent: its first numbers and signs, or words if it has no numbers.

        In a closed game it is the first number; if kinds are chosen, the family of the task.
        """
        if self._size:
            return (parent.question.split(" + ")[0],)
        return _parts(parent.question)[:_CONCEPTS] if self._setter.writes else (parent.kind.family,)

    def using(self, concepts: tuple[str, ...]) -> tuple[str, ...]:
        """The sums up to `size` that use the concept of a closed game."""
        return tuple(sum for sum in arithmetic.closed(self._size) if concepts[0] in sum.split(" + "))

    def composed(self, concepts: tuple[str, ...], text: str) -> tuple[SourceTask | None, str]:
        """The task of a question that combines concepts; or None, and the reason why the question is not accepted."""
        if (task := self._setter.source.solve(text)) is None:
            return None, "no program can answer it"
        missing = [concept for concept in concepts if concept not in _found(text)]
        return (None, f"it does not use {', '.join(missing)}") if missing else (task, "")

    def written(self, parent: SourceTask, text: str) -> tuple[SourceTask | None, str]:
        """A written question as a task; or None, and the reason why it is not accepted.

        The source must know its answer, so that it can be solved. The answer must differ from the parent's, which
        excludes copies, paraphrases and "+ 0". The question must keep enough of the parent to be a variant of it.
        """
        task = self._setter.source.solve(text)
        if task is None:
            return None, "no program can answer it"
        if self._setter.source.verdict(task, parent.answer).ok:
            return None, "it has the same answer as the task"
        if kept(parent.question, text) < KEPT:
            return None, "it keeps less than half of the numbers and signs of the task"
        return task, ""


def closed_task(question: str) -> SourceTask:
    """A sum of a closed game as a task."""
    return SourceTask("", TaskKind("add", "closed"), question, str(arithmetic.value(question)))


def kept(parent: str, text: str) -> float:
    """The share of the parent's different numbers and signs, or words if it has none, that a text has too."""
    parts = _parts(parent)
    return len(set(parts) & _found(text)) / max(1, len(parts))


def _parts(text: str) -> tuple[str, ...]:
    """The different numbers and signs of a text, or its words if it has none, in order; no number without effect."""
    parts = dict.fromkeys(_PARTS.findall(text) or _WORDS.findall(text.casefold()))
    idle = _idle(text)
    return tuple(part for part in parts if part not in idle)


def _found(text: str) -> set[str]:
    """All numbers, signs and words of a text but numbers without effect."""
    return {*_PARTS.findall(text), *_WORDS.findall(text.casefold())} - _idle(text)


@lru_cache(1024)
def _idle(question: str) -> frozenset[str]:
    """The numbers that a question's value does not depend on, such as those of a part that is multiplied by 0."""
    value = arithmetic.value(question)
    numbers = {number for number in re.findall(r"\d+", question) if value is not None}
    return frozenset(
        n for n in numbers if value == arithmetic.value(re.sub(rf"(?<!\d){n}(?!\d)", str(int(n) + 1), question))
    )


def _changed(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one.split(" + "), other.split(" + "), strict=True))
