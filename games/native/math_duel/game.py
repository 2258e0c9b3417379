r"""math-duel-v1: a challenger asks and k solvers answer at once.

After R-Zero (Huang et al. 2025, arXiv 2508.05004). The challenger is paid for a split vote; the role
`roles.native.proposer_solver.Challenger`, which sees the batch, subtracts a penalty for duplicate questions. Private
reasoning never reaches a game, so the format reward is for the box alone. The exact answer of an arithmetic question
is known, and the facts say whether the vote was correct.

In math-duel-v0, as published, the most frequent answer counts as correct: solvers that all say 0 are all paid, and so
is a challenger whose question has no answer and splits the vote. math-duel-v1 grades by the exact answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from annotated_types import Interval

from games.dialogue.messages import SHOWN, shown
from games.errors import InputError
from games.game import Demonstrations, GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common import rewards, tags, votes
from games.native.common.examples import TaskExamples
from games.native.common.posing import PosingGame, Setting, TaskSetter, identity
from games.native.common.stages import Share, game_id, joined, seats_of
from games.native.math_duel import rules as texts
from games.quoting import quote
from games.randomness import derive
from games.tasks import SourceTask
from games.verifiers import arithmetic

ID = "math-duel"
CHALLENGER = texts.CHALLENGER
KEPT = (0.3, 0.8)
"""R-Zero's script keeps a question for training if the majority's share is in this range"""


class MathDuelGame(PosingGame):
    """A challenger asks a question that about half of the solvers answer right (R-Zero).

    `solvers`: how many answer. `size`: above 0, questions are chosen among a + b with a and b up to `size`, answers
    among numbers. `threshold`: above 0, the challenger plays against the solvers and wins if the exact answer is
    known and is given by 0 < p <= threshold of them. `grade`: by the exact answer (truth; only a question with one
    is valid) or by the most frequent answer (vote). `tasks`: the id of a task source (`games.tasks`), whose
    verifier decides what is exact. `proposes`: with tasks, `choose` lets the challenger choose a kind of task; with
    `write` it names one or writes a question that the source can answer.
    """

    version = 1
    pools = True
    poser = CHALLENGER

    def __init__(
        self,
        solvers: Annotated[int, Interval(ge=2, le=64)] = 10,
        size: Annotated[int, Interval(ge=0, le=9)] = 0,
        threshold: Share = 0.0,
        grade: Literal["truth", "vote"] | None = None,
        tasks: str = "",
        proposes: Setting = "choose",
    ) -> None:
        super().__init__()
        usual: Literal["truth", "vote"] = "truth" if self.version else "vote"
        self.grade = grade or usual
        params: dict[str, Value] = {"solvers": solvers, "size": size, "threshold": threshold, "grade": self.grade}
        self._setter = TaskSetter(tasks, proposes) if tasks else None
        if self._setter is not None:
            if size:
                raise InputError(f"{ID}: tasks have questions of their own; leave out size")
            params |= {"tasks": self._setter.source.id, "proposes": proposes}
            self.task_source = self._setter.source
        id = game_id(f"{ID}-v{self.version}", MathDuelGame, params, {"grade": usual})
        self.k, self.size, self.threshold = solvers, size, float(threshold)
        self.closed = size > 0
        self.blocking = not self.closed
        self.solvers = seats_of("solver", self.k)
        match = self.threshold > 0
        self.spec = GameSpec(
            id=id,
            seats={CHALLENGER: CHALLENGER} | dict.fromkeys(self.solvers, "solver"),
            payoff="zero_sum" if match else "general_sum",
            rules=texts.rules(self.k, self.size, self.threshold, self.grade, self._setter is not None),
            max_turns=1 + self.k,
            returns_range=(-1.0, 1.0),
            teams=((CHALLENGER,), self.solvers),
            rated=match,
            demonstrations=self._demonstrations(),
        )
        self._given = ""
        self._task_seed = 0
        self._clear()

    def _demonstrations(self) -> Demonstrations:
        if self._setter is None:
            return texts.DEMONSTRATIONS
        return TaskExamples(self._setter.source, "vote", texts.solved, texts.DEMONSTRATIONS)

    _truth: Fraction | None

    def _clear(self) -> None:
        self._posed: SourceTask | None = None
        self._stage, self._due = "over", ()
        self._task, self._shown, self._verdict, self._truth = "", "", "", None
        self._own: str | None = None
        self._answers: dict[Seat, str | None] = {}
        self._forms: dict[Seat, float] = {}
        self._clusters: dict[Seat, int | None] = {}
        self._right: dict[Seat, bool] = {}
        """solver -> whether its answer is the exact one; empty if that is unknown"""

    def load_task(self, task: str) -> None:
        """Play on this question from a pool; "": the challenger asks."""
        if task and self.size and task not in arithmetic.closed(self.size):
            raise InputError(f"{ID}: {task!r} is not a question of size {self.size}; write a sum such as 0 + 1")
        if task and self._setter is not None:
            self._setter.load(task)
        self._given = task

    def reset(self, seed: int) -> None:
        """Draws nothing but the seed of a task: without tasks the game has no chance."""
        self._clear()
        self._task_seed = derive(seed, ID, "task")
        self._start()
        if self._given:
            self._put(self._given)
            self._stage, self._due = "vote", self.solvers
        else:
            self._stage, self._due = "ask", (CHALLENGER,)

    def _put(self, question: str) -> None:
        if self._setter is not None:
            self._pose(self._setter.load(question))
            return
        self._shown = shown(question)
        self._task = self._shown[1:-1]
        self._truth = arithmetic.value(question)

    def _pose(self, task: SourceTask) -> None:
        """Set a task of the source. Only a question that a player wrote is quoted."""
        self._posed, self._task = task, identity(task)
        self._shown = task.question if task.id else shown(task.question)

    def _take(self, said: Mapping[Seat, str]) -> None:
        if self._stage == "ask":
            self._ask(said[CHALLENGER])
        else:
            self._solve(said)

    def _set(self, text: str, setter: TaskSetter) -> None:
        """Pose the task that the challenger chooses or writes; the source knows its answer, so no box is needed."""
        found = tags.TaggedText(text, 1.0) if self._chooses() else tags.read(text, "question")
        self._forms[CHALLENGER] = found.form
        task = None if found.content is None else setter.set(found.content, self._task_seed)
        if task is None:
            self._verdict, self._stage, self._due = "invalid", "over", ()
        else:
            self._pose(task)
            self._stage, self._due = "vote", self.solvers

    def _ask(self, text: str) -> None:
        if self._setter is not None:
            self._set(text, self._setter)
            return
        question = tags.TaggedText(text, 1.0) if self.size else tags.read(text, "question")
        box = tags.TaggedText("", 1.0) if self.size else tags.boxed(text)
        self._forms[CHALLENGER] = min(question.form, box.form)
        if question.content is not None and box.content is not None:
            self._count_cut(CHALLENGER, question.content, SHOWN)
            self._put(question.content)
            self._own = box.content or None
        if self._task and (self._truth is not None or self.grade == "vote"):
            self._stage, self._due = "vote", self.solvers
        else:
            self._miss(CHALLENGER, "no <question>...</question> with a boxed answer")
            self._verdict, self._stage, self._due = "invalid", "over", ()

    def _solve(self, said: Mapping[Seat, str]) -> None:
        answers: dict[Seat, str | None] = {}
        forms = {}
        for seat, text in said.items():
            found, why = (tags.TaggedText(text, 1.0), "") if self.size else tags.solution(text)
            self._miss(seat, why)
            answers[seat], forms[seat] = found.content, found.form
        self._clusters = votes.clusters(answers)
        if self._posed is not None and self._setter is not None:
            self._right = {seat: self._setter.right(self._posed, answer) for seat, answer in answers.items()}
        elif self._truth is not None:
            self._right = {seat: arithmetic.right(answer, self._truth) for seat, answer in answers.items()}
        self._answers, self._forms = answers, self._forms | forms
        self._verdict, self._stage, self._due = "pass", "over", ()

    def _vote(self) -> tuple[int | None, float]:
        return votes.majority(list(self._clusters.values()))

    def _paid_share(self) -> float:
        """p: the share of the right answers, or of the most frequent one."""
        return self._vote()[1] if self.grade == "vote" else self._right_share() or 0.0

    def _right_share(self) -> float | None:
        return sum(self._right.values()) / self.k if self._right else None

    def _reward(self, seat: Seat) -> float:
        """The published reward of a seat; 0 for an idle one."""
        if seat == CHALLENGER:
            if self._given or self._due:
                return 0.0
            return rewards.r_zero_challenger(self._paid_share() if self._verdict == "pass" else None)
        if seat not in self._clusters:
            return 0.0
        label = self._vote()[0]
        agrees = label is not None and self._clusters[seat] == label
        return rewards.r_zero_solver(
            agrees if self.grade == "vote" else self._right.get(seat, False), self._forms[seat]
        )

    def returns(self) -> Mapping[Seat, float]:
        """The published rewards; with a threshold 1 and -1 for the two sides, shared among the solvers."""
        if not self.threshold:
            return {seat: self._reward(seat) for seat in self.spec.seats}
        if self._due:
            return dict.fromkeys(self.spec.seats, 0.0)
        return rewards.sides(CHALLENGER, self.solvers, self._right_share(), self.threshold)

    def facts(self) -> Mapping[str, Any]:
        """The question, the vote, whether it was correct if that is known, and the rewards."""
        label, rate = self._vote()[0], self._paid_share()
        asked = bool(self._clusters)
        voter = next((s for s, c in self._clusters.items() if c == label and label is not None), None)
        proposal = {"base": 0.0, "weight": 1.0, "rate": rate, "paid": rewards.r_zero_challenger(rate)}
        if self._verdict != "pass":
            proposal = {"base": -1.0, "weight": 0.0, "rate": 0.0, "paid": 0.0}
        return {
            "task": self._task,
            "pooled": bool(self._given),
            "verdict": self._verdict,
            "solve_rate": rate if asked else None,
            "kept": asked and KEPT[0] <= rate <= KEPT[1],
            "label": None if voter is None else quote(self._answers[voter] or "")[1:-1],
            "label_right": None if voter is None else self._right.get(voter),
            "own_answer": None if self._own is None else quote(self._own)[1:-1],
            **({} if self._posed is None else {"kind": str(self._posed.kind), "question": self._posed.question}),
            "truth": self._posed.answer if self._posed else None if self._truth is None else str(self._truth),
            "right_share": self._right_share(),
            "form": dict(self._forms),
            "answers": {s: None if a is None else quote(a)[1:-1] for s, a in self._answers.items()},
            "clusters": dict(self._clusters),
            "proposal": proposal,
            "rewards": {s: self._reward(s) for s in self.spec.seats},
            "idle": [CHALLENGER] if self._given else [] if asked else list(self.solvers),
        } | self._heard()

    def phase(self, seat: Seat) -> str:
        """ask, vote or over. With tasks `vote` is followed by the kind of the task."""
        return f"vote {self._posed.kind}" if self._stage == "vote" and self._posed else self._stage

    def observe(self, seat: Seat) -> Observation:
        """The question and the instruction of the seat; at the end the vote."""
        asked = f"The question: {self._shown}" if self._task else ""
        if self._stage == "over":
            return Observation(joined([asked, self._outcome(seat)]), "over")
        if seat not in self._due:
            who = "challenger" if self._stage == "ask" else "solvers"
            return Observation(joined([asked, f"Waiting for the {who}."]), self.phase(seat))
        duty = (texts.CHOICE if self.size else texts.DUTY)[self._stage]
        if self._stage == "ask" and self._setter is not None:
            duty = texts.CHOOSE if self._chooses() else f"{texts.WRITE}\nKinds: {', '.join(self._setter.kinds)}"
        return Observation(joined([asked, duty]), self.phase(seat))

    def _outcome(self, seat: Seat) -> str:
        if self._verdict != "pass":
            return "The match is over: no question with an answer could be read."
        label, agreed = self._vote()
        said = "nobody gave a readable answer" if label is None else f"{agreed:.0%} of the solvers agree"
        if self.grade == "truth":
            said = f"{self._paid_share():.0%} of the solvers are right"
        return f"The match is over: {said}. Your reward is {self.returns()[seat]:.2f}."

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self._stage == "ask" and self._setter is not None:
            written = (f"<question>{kind}</question>" for kind in self._setter.kinds)
            return (*written, *texts.QUESTIONS) if self._setter.writes else self._setter.kinds
        if self.closed:
            return arithmetic.closed(self.size) if self._stage == "ask" else arithmetic.closed_answers(self.size)
        return texts.QUESTIONS if self._stage == "ask" else texts.ANSWERS

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The seat's own answer."""
        own = self._own if seat == CHALLENGER else self._answers.get(seat)
        return (own,) if own else ()

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches with some of the parameters."""
        return texts.KNOWN.get(self.spec.id, ())


class PublishedMathDuelGame(MathDuelGame):
    """math-duel-v0: the most frequent answer counts as correct."""

    version = 0
