"""The contract of task sources: seeded tasks with known answers, and a verifier that grades an answer.

A source draws tasks of several kinds (a family and a difficulty). Every task has an id that recreates it exactly, such
as `arithmetic#add/1x1/5f2c9a01/8d1e77b2`: source, family, difficulty, number, and a digest of question and answer. The
digest makes a task of another version of a library an error instead of a silent change.

Tasks are divided by their canonical text, not by their seed: about 70% belong to the split `train`, 10% to `dev`,
20% to `test`. A question of one split never appears in another, however small the family is.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from games.errors import InputError, PluginError
from games.naming import parse_name
from games.plugins import defined_at
from games.randomness import RandomStream, derive
from games.tasks import choices
from games.tasks.canonical import canonical_text
from games.verifiers import Verdict

Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
_SHARES = 10
_DEV, _TEST = {0}, {1, 2}
"""the tenths of all questions that belong to dev and to test"""
_TRIES = 400
"""draws until a task belongs to the split; 400 draws miss a tenth of the questions once in 10^18"""


class TaskKind(NamedTuple):
    """The tasks of one family at one difficulty. `str()` writes it as `family/difficulty`."""

    family: str
    difficulty: str

    def __str__(self) -> str:
        return f"{self.family}/{self.difficulty}"


class SourceTask(NamedTuple):
    """One task. `answer` is a reference answer; the verifier may accept others."""

    id: str
    kind: TaskKind
    question: str
    answer: str


class TaskSource(ABC):
    """Seeded tasks with known answers. All randomness comes from seeds and is the same in every process.

    `id` is the canonical id with all parameters, `kinds` lists what the source draws, evenly.

    split: train for trainings, dev or test for measuring.
    """

    name: str
    """the id without parameters; part of every task id. Default: as in `id`"""
    blocking: bool = False
    """True if it waits for another process"""
    compared: int = 63
    """other tasks that are drawn for each list of `fair_choices`"""

    def __init__(self, id: str, kinds: Sequence[TaskKind], split: Split) -> None:
        self.id, self.kinds, self.split = id, tuple(kinds), split
        if not hasattr(self, "name"):
            self.name = parse_name(id).base
        if not self.kinds:
            raise InputError(f"{id} has no tasks; choose other families or another difficulty")

    @abstractmethod
    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the question and the reference answer with this number, from 0 to 2^31 - 1; a pure function."""

    def made(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns what `make` gives. Raises PluginError for anything else than two texts."""
        texts: object = self.make(kind, number)
        if isinstance(texts, tuple | list) and len(texts) == 2 and all(isinstance(text, str) for text in texts):
            return texts[0], texts[1]
        raise PluginError(
            f"task source {self.name!r}: make returned {texts!r:.60}; return two texts, the question and the reference "
            f"answer{defined_at(self.make)}"
        )

    def canonical(self, task: SourceTask) -> str:
        """Returns a text that two tasks share if they ask the same; override it if one task has several wordings.

        Its first line decides the split. Lines after it tell tasks apart that belong to one split together, such as
        the arguments of one program. The task may be one that `solve` made.
        """
        return canonical_text(task.question)

    def split_of(self, task: SourceTask) -> Split:
        """Returns the split that a task belongs to."""
        return split_of(self.canonical(task).partition("\n")[0])

    @abstractmethod
    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Returns the verdict on an answer: the answer alone, without tags or reasoning. Untrusted text."""

    def verdict(self, task: SourceTask, answer: str) -> Verdict:
        """Returns what `grade` says of an answer. Raises PluginError if it returns anything else than a Verdict."""
        verdict: object = self.grade(task, answer)
        if isinstance(verdict, Verdict):
            return verdict
        raise PluginError(
            f"task source {self.name!r}: grade returned {verdict!r:.60}; return a games.verifiers.Verdict, such as "
            f"PASS or Verdict('fail', reason){defined_at(self.grade)}"
        )

    def answers(self, kind: TaskKind) -> tuple[str, ...]:
        """Returns every answer that a task of this kind may have, if they are few; () otherwise."""
        return ()

    def draw(self, seed: int, kind: TaskKind | None = None) -> SourceTask:
        """Returns the task of a seed, of this kind or of one drawn evenly. Raises InputError if there is none."""
        kind = self.kind_of(seed) if kind is None else kind
        for attempt in range(_TRIES):
            number = derive(seed, self.name, str(kind), attempt) >> 32
            task = self.numbered(kind, number)
            if self.split_of(task) == self.split:
                return task
        raise InputError(f"{self.name}: {kind} has no tasks in the split {self.split}; choose another family")

    def numbered(self, kind: TaskKind, number: int) -> SourceTask:
        """Returns the task with this number, of any split."""
        question, answer = self.made(kind, number)
        both = f"{question}\x1f{answer}".encode("utf-8", "replace")
        digest = hashlib.blake2b(both, digest_size=4).hexdigest()
        return SourceTask(f"{self.name}#{kind}/{number:x}/{digest}", kind, question, answer)

    def kind_of(self, seed: int) -> TaskKind:
        """Returns the kind of the task of a seed, all kinds evenly."""
        return RandomStream(derive(seed, self.name, "kind")).choice(self.kinds)

    def load(self, id: str) -> SourceTask:
        """Returns the task with this id. Raises InputError for anything else than a task of this source and split."""
        name, _, rest = id.partition("#")
        parts = rest.split("/")
        if name != self.name or len(parts) != 4 or not _is_hex(parts[2]):
            raise InputError(f"{id[:80]!r} is not a task of {self.name}; a task id looks like {self.draw(0).id}")
        kind = TaskKind(parts[0], parts[1])
        if kind not in self.kinds:
            raise InputError(f"the task {id[:80]!r} is not of a kind that {self.id} draws")
        number = int(parts[2], 16)
        task = self.numbered(kind, number)
        if task.id != id:
            raise InputError(f"the task {id[:80]!r} cannot be recreated: the installed version makes another question")
        if (split := self.split_of(task)) != self.split:
            raise InputError(f"the task {id[:80]!r} belongs to the split {split}, not to {self.split}")
        return task

    def wrong(self, task: SourceTask, stream: RandomStream, n: int) -> tuple[str, ...]:
        """Returns up to `n` different wrong answers that look right: answers to other tasks of the same kind."""
        answers: list[str] = []
        for _ in range(40):
            _, answer = self.made(task.kind, stream.bits() >> 33)
            if answer not in (*answers, task.answer) and not self.verdict(task, answer).ok:
                answers.append(answer)
            if len(answers) == n:
                break
        return tuple(answers)

    def wrong_answers(self, task: SourceTask, stream: RandomStream, n: int) -> tuple[str, ...]:
        """Returns what `wrong` gives, without repetitions and answers that pass, for games. Raises PluginError."""
        answers = self.wrong_texts(task, stream, n)
        if type(self).wrong is TaskSource.wrong:  # it has asked the verifier
            return answers
        return tuple(text for text in dict.fromkeys(answers) if not self.verdict(task, text).ok)[:n]

    def wrong_texts(self, task: SourceTask, stream: RandomStream, n: int) -> tuple[str, ...]:
        """Returns all that `wrong` gives. Raises PluginError for anything else than texts."""
        result: object = self.wrong(task, stream, n)
        texts = tuple(result) if isinstance(result, Iterable) and not isinstance(result, str) else (None,)
        if not all(isinstance(text, str) for text in texts):
            problem = f"wrong returned {result!r:.60}; return a tuple of texts"
            raise PluginError(f"task source {self.name!r}: {problem}{defined_at(self.wrong)}")
        return texts

    def choices(self, task: SourceTask, stream: RandomStream, n: int) -> tuple[str, ...]:
        """Returns the right answer and up to `n` wrong ones to choose from; order and likeness tell nothing."""
        return tuple(stream.shuffled([task.answer, *self.wrong_answers(task, stream, n)]))

    def alike(self, task: SourceTask, stream: RandomStream, n: int) -> tuple[str, ...]:
        """Returns what `choices` returns, with right answers to other tasks as wrong ones where the source can."""
        return self.choices(task, stream, n)

    def fair_choices(
        self, task: SourceTask, stream: RandomStream, n: int, drawn: Callable[[int], SourceTask] | None = None
    ) -> tuple[str, ...]:
        """Returns the right answer and up to `n` others, each as likely right: answers to tasks drawn alike.

        `drawn` draws a task of the same kind from a seed in the way in which this one was drawn; by default `draw`
        does. A source that makes its own wrong answers or lists keeps them.
        """
        if not self._lists_answers_of_tasks():
            return self.alike(task, stream, n)
        drawn = drawn or (lambda seed: self.draw(seed, task.kind))
        others = [drawn(stream.bits() >> 1).answer for _ in range(self.compared)]
        while True:
            options = choices.exchangeable(task.answer, others, n, stream)
            passing = {text for text in options if text != task.answer and self.verdict(task, text).ok}
            if not passing:
                return options
            others = [text for text in others if text not in passing]

    def _lists_answers_of_tasks(self) -> bool:
        """Returns whether no subclass says what its wrong answers are."""
        return all(getattr(type(self), name) is getattr(TaskSource, name) for name in ("wrong", "choices", "alike"))

    def solve(self, question: str) -> SourceTask | None:
        """Returns somebody else's question as a task if this source can answer it, else None. Untrusted text."""
        return None


def split_of(key: str) -> Split:
    """Returns the split of a question, or of the part of it that decides: from the text without case and spaces."""
    text = " ".join(key.casefold().split())
    tenth = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8, person=b"arena split").digest()) % _SHARES
    return "dev" if tenth in _DEV else "test" if tenth in _TEST else "train"


def _is_hex(text: str) -> bool:
    return 0 < len(text) <= 8 and all(c in "0123456789abcdef" for c in text)
