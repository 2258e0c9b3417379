"""solve-v1: solvers answer one task of a task source, each alone; a verifier grades every answer.

The plain form of reinforcement learning with verified rewards, without a proposer: the control of the games in which
players set tasks for each other. `arena eval --suite` plays solve-v0, which differs in the lists of closed games only:
neighbouring numbers, of which a frequent answer is the best guess. In solve-v1 any number of a list is as likely to be
right as any other, and sums that are answered by copying one of their numbers are not posed for free answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from annotated_types import Interval

from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common import tags
from games.native.common.examples import TaskExamples
from games.native.common.sourced import Problems, SourcedGame, neighbouring
from games.native.common.stages import Share, game_id, seats_of
from games.quoting import quote
from games.randomness import derive
from games.shortcut_modules import suite_beside
from games.tasks import SourceTask, TaskSource
from games.tasks.arithmetic import ArithmeticSource
from games.verifiers import Verdict

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

NAME = "solve"
DUTY = "Think briefly, then write <answer>your answer</answer>"
_TRIES = 40
_NUMBER = re.compile(r"-?\d+")
_WRITE = f"{DUTY}. The last answer is graded, and nothing before it."
_CHOOSE = "Choose from the list."


class SolveGame(SourcedGame):
    """Solvers answer one task, each alone. A right answer earns 1.

    tasks: the id of a task source.
    solvers: the number of solvers of the same task.
    form: the share of the reward that is for the format: (1 - form) * right + form * format.
    closed: answers are chosen from four, of which each is as likely to be right; in solve-v0 from neighbouring numbers.
    problems: above 0, matches are about this many tasks of the source, for tiny models.
    """

    version = 1

    def __init__(
        self,
        tasks: str = "arithmetic",
        solvers: Annotated[int, Interval(ge=1, le=64)] = 1,
        form: Share = 0.0,
        closed: bool = False,
        problems: Problems = 0,
    ) -> None:
        super().__init__(tasks, problems)
        params: dict[str, Value] = {"tasks": self._tasks.id, "solvers": solvers, "form": form}
        params |= {"closed": closed, "problems": problems}
        id = game_id(f"{NAME}-v{self.version}", SolveGame, params)
        self.solvers, self.form, self.closed = seats_of("solver", solvers), float(form), closed
        self.spec = GameSpec(
            id=id,
            seats=dict.fromkeys(self.solvers, "solver"),
            payoff="general_sum",
            rules=f"Each solver answers a question alone. {_CHOOSE if closed else _WRITE}",
            max_turns=solvers,
            returns_range=(0.0, 1.0),
            rated=False,
            demonstrations={} if closed else TaskExamples(self._tasks, "solve", shown),
        )
        self._answers: dict[Seat, tags.TaggedText] = {}
        self._verdicts: dict[Seat, Verdict] = {}

    def reset(self, seed: int) -> None:
        """Draw the task from the seed, or use the given one."""
        self._start()
        self._posed(seed)
        self._list(seed)
        self._answers, self._verdicts, self._due = {}, {}, self.solvers

    def _take(self, said: Mapping[Seat, str]) -> None:
        assert self._task is not None
        self._answers = {}
        for seat, text in said.items():
            self._answers[seat], why = self._given_answer(text)
            self._miss(seat, why)
        missing = Verdict("invalid", "no answer could be read")
        self._verdicts = {
            seat: missing if found.content is None else self._tasks.verdict(self._task, found.content)
            for seat, found in self._answers.items()
        }
        self._due = ()

    def _reward(self, seat: Seat) -> float:
        if seat not in self._verdicts:
            return 0.0
        return (1.0 - self.form) * self._verdicts[seat].ok + self.form * self._answers[seat].form

    def returns(self) -> Mapping[Seat, float]:
        """1 for a right answer, or the weighted mean with the format."""
        return {seat: self._reward(seat) for seat in self.solvers}

    def facts(self) -> Mapping[str, Any]:
        """The task's id and kind, a reference answer, the answers and their verdicts."""
        if self._task is None:
            return {}
        right = {seat: verdict.ok for seat, verdict in self._verdicts.items()}
        return (
            self._task_facts()
            | {
                "verdict": "pass",
                "solve_rate": sum(right.values()) / len(right) if right else None,
                "answers": {s: None if a.content is None else quote(a.content)[1:-1] for s, a in self._answers.items()},
                "verdicts": {seat: verdict.kind for seat, verdict in self._verdicts.items()},
                "right": right,
                "rewards": {seat: self._reward(seat) for seat in self.solvers},
            }
            | self._heard()
        )

    def phase(self, seat: Seat) -> str:
        """`solve` and the kind of the task; over."""
        return "over" if self._over or self._task is None else f"solve {self._task.kind}"

    def observe(self, seat: Seat) -> Observation:
        """The question and, at the end, whether the seat's own answer is right."""
        question = "" if self._task is None else self._task.question
        if seat in self._verdicts:
            verdict = self._verdicts[seat]
            said = "is right" if verdict.ok else f"is not right ({verdict.reason})"
            return Observation(f"{question}\nThe match is over: your answer {said}.", "over")
        return Observation(question if self.closed else f"{question}\n{DUTY}", self.phase(seat))

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self.closed:
            return self._listed
        # Without the right answer: a random player is measured on suites too.
        return ("<answer>42</answer>", "<answer>Yes</answer>", "<answer>I do not know</answer>", "42 perhaps")

    def drawn(self, seed: int) -> SourceTask:
        """A task that is not answered by copying a number of it, as 7 + 0 is, if the game writes answers to sums."""
        task = super().drawn(seed)
        if self.version == 0 or self.closed:
            return task
        for attempt in range(_TRIES):
            if not _is_copied(self._tasks, task):
                break
            task = super().drawn(derive(seed, "again", attempt))
        return task

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of this game, if the scripts can solve its tasks."""
        return suite_beside(self) if self._tasks.solve(self._tasks.draw(0).question) is not None else None

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """A right and a wrong answer to the task of seed 0, with the default parameters."""
        if self.spec.id != f"{NAME}-v{self.version}":
            return ()
        right = self._tasks.draw(0).answer
        return tuple(
            KnownOutcome(0, ({"solver_0": text},), {"solver_0": paid})
            for text, paid in (
                (f"It is <answer>{right}</answer>", 1.0),
                ("<answer>x</answer>", 0.0),
                (f"{right}, or {right}1?", 0.0),
            )
        )


def _is_copied(source: TaskSource, task: SourceTask) -> bool:
    return isinstance(source, ArithmeticSource) and task.answer in _NUMBER.findall(task.question)


class PublishedSolveGame(SolveGame):
    """solve-v0, whose closed games list neighbouring numbers."""

    version = 0
    _offered = neighbouring


def shown(question: str, answer: str) -> tuple[str, str]:
    """An example turn: what a solver reads, what it writes."""
    return f"{question}\n{DUTY}", f"<answer>{answer}</answer>"
