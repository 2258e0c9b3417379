"""Environments of `verifiers` as a task source: their prompts are questions, their rewards grade the answers."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from annotated_types import Interval

from games.errors import IllegalAction, InputError
from games.naming import Name, Value, parse_name
from games.parameters import canonical
from games.prime import lookup
from games.prime.adapter import VerifiersGame
from games.sanitize import clean
from games.tasks.source import SourceTask, Split, TaskKind, TaskSource
from games.verifiers.verdict import PASS, Verdict

_GAP = "{}"
_PROBED = 3
"""tasks whose own answers are graded when the source is first made"""
_proven: set[str] = set()
"""sources of this process that accept their own answers; each match makes its source again"""


class VerifiersTasks(TaskSource):
    """The tasks of an installed environment package. Raises InputError or MissingPackage.

    environment: its name, with fields of its configuration in brackets, such as gsm8k-v1 or letter-order(letters=8).
    field: the field of a task that holds the right answer.
    form: what the environment reads, with {} where the answer stands, such as '<answer>{}</answer>'; by default {}.
    reward: an answer is right if it earns at least this.
    split: see `games.tasks.source`.
    """

    name = "verifiers"
    blocking = True
    compared = 15  # an environment may take long to pose a task

    def __init__(
        self,
        environment: str,
        field: str = "answer",
        form: str = _GAP,
        reward: Annotated[float, Interval(gt=0)] = 1.0,
        split: Split = "train",
    ) -> None:
        if form.count(_GAP) != 1:
            raise InputError(f"form is {form!r:.80}; write {_GAP} once, where the answer stands")
        self._environment, self._field, self._form, self._reward = environment, field, form, reward
        self._game = _game(environment)
        params: dict[str, Value] = {
            "environment": self._called(),
            "field": field,
            "form": form,
            "reward": reward,
            "split": split,
        }
        kind = TaskKind(parse_name(self._called()).base, "all")
        super().__init__(str(Name(self.name, canonical(VerifiersTasks, params))), [kind], split)
        if self.id not in _proven:
            for number in range(min(_PROBED, self._game.tasks)):
                self._probe(kind, number)
            _proven.add(self.id)

    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the prompt and the answer of a task; numbers beyond the last task begin again with the first."""
        return _posed(self._environment, self._field, number % self._game.tasks)

    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Pass if the environment pays enough. Raises InfrastructureError if it, or a judge that it asks, fails."""
        try:
            earned = self._earned(int(task.id.split("/")[-2], 16), answer)
        except IllegalAction as refusal:
            return Verdict("invalid", str(refusal))
        return PASS if earned >= self._reward - 1e-9 else Verdict("fail", f"the environment pays {earned:g}")

    def _called(self) -> str:
        """Returns the environment with the fields that differ from its defaults."""
        return self._game.spec.id.partition("/")[2]

    def _earned(self, number: int, answer: str) -> float:
        game = _game(self._environment)
        game.pose(number % game.tasks, seed=0)
        (seat,) = game.acting
        game.apply({seat: self._form.replace(_GAP, answer)})
        return game.returns()[seat]

    def _probe(self, kind: TaskKind, number: int) -> None:
        """Raises InputError if the environment does not accept its own answer to a task."""
        _, answer = self.make(kind, number)
        try:
            earned = self._earned(number, answer)
        except IllegalAction as refusal:
            raise InputError(f"{self.id}: its own answer {answer!r:.40} is refused: {refusal}; set form=") from None
        if earned < self._reward - 1e-9:
            raise InputError(
                f"{self.id}: its own answer {answer!r:.40} earns {earned:g}, not {self._reward:g}; set form= to "
                f"what the environment reads, such as form='<answer>{_GAP}</answer>', or a smaller reward="
            )


def _game(environment: str) -> VerifiersGame:
    """Returns the environment as a game with one agent and one reply. Raises InputError for another one."""
    name = parse_name(environment)
    game = lookup.make(name.base, name.params)
    if not game.one_reply:
        raise InputError(
            f"verifiers/{environment} cannot be a task source, which needs one agent and one reply; play it as a game"
        )
    return game


@lru_cache(4096)
def _posed(environment: str, field: str, number: int) -> tuple[str, str]:
    """Returns the question and the answer of a task. Raises InputError if it has no such field."""
    game = _game(environment)
    game.pose(number, seed=0)
    answer = getattr(game.task_data, field, None)
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        fields = ", ".join(_own_fields(game))
        raise InputError(f"verifiers/{environment}: a task has no answer in {field!r}; set field= to one of {fields}")
    return clean(game.observe(game.acting[0]).text).strip(), clean(str(answer)).strip()


def _own_fields(game: VerifiersGame) -> list[str]:
    """Returns the fields of the environment's tasks, without those that all tasks of the library have."""
    from verifiers.v1 import TaskData

    return [name for name in type(game.task_data).model_fields if name not in TaskData.model_fields] or ["name"]
