"""A question that one seat sets for others: written by it, or a task of a source."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from games.dialogue.messages import shown
from games.errors import InputError
from games.native.common.posing import TaskSetter, identity
from games.tasks import SourceTask
from games.tasks.canonical import canonical_question
from games.verifiers import arithmetic


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """A question as those who answer it read it, with its exact answer if that is known."""

    task: str
    """what a pool keeps of it"""
    text: str
    """quoted if a player wrote it"""
    canonical: str
    """the same for other wordings"""
    truth: str | None
    """the exact value, or the reference answer of the task source"""
    source: SourceTask | None = None

    @classmethod
    def written(cls, text: str) -> PosedQuestion:
        """Returns the question that a player wrote."""
        value = arithmetic.value(text)
        task = shown(text)[1:-1]
        return cls(task, shown(text), canonical_question(task), None if value is None else str(value))

    @classmethod
    def drawn(cls, task: SourceTask, setter: TaskSetter) -> PosedQuestion:
        """Returns the question of a task."""
        text = task.question if task.id else shown(task.question)
        return cls(identity(task), text, setter.source.canonical(task), task.answer, task)

    def right(self, answer: str | None, setter: TaskSetter | None) -> bool | None:
        """Returns whether an answer is the exact one; None if that is unknown."""
        if self.source and setter:
            return setter.right(self.source, answer)
        return None if self.truth is None else arithmetic.right(answer, Fraction(self.truth))


def check_pooled(game: str, text: str, size: int, setter: TaskSetter | None) -> None:
    """Raises InputError if a game cannot set the task of a pool: with a size a sum, with a source one of its tasks."""
    if size and text not in arithmetic.closed(size):
        raise InputError(f"{game}: {text!r} is not a question of size {size}; write a sum such as 0 + 1")
    if setter is not None:
        setter.load(text)
