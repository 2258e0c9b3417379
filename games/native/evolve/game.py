"""evolve-v0: solvers answer a task, an evolver makes a variant of it, other solvers answer the variant.

The creator of eva (Ye et al. 2024, arXiv 2411.00062), the teacher of Socratic-Zero (Wang et al. 2025, arXiv 2509.24726)
and tasks from failures as in WebRL (Qi et al. 2024, arXiv 2411.02337), in one game: they differ in what the evolver is
paid (`pays`) and in the tasks that it gets, which the league chooses from its pool (`[tasks] parents`). The pool keeps
the parent of each task. With `start=concepts` the evolver composes a task from concepts, by way of a rationale, as the
prompt generation model of PromptCoT 2.0 (Zhao et al. 2025, arXiv 2509.19894).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Interval

from games.dialogue.messages import SHOWN, shown
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common import rewards, tags
from games.native.common.examples import TaskExamples
from games.native.common.posing import PosingGame, Setting, TaskSetter, identity
from games.native.common.stages import game_id, joined, seats_of
from games.native.evolve import rules as texts
from games.native.evolve.variants import PLANS, Variants, closed_task
from games.randomness import RandomStream, derive
from games.shortcut_modules import suite_beside
from games.tasks import SourceTask
from games.verifiers import arithmetic

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

ID = "evolve-v0"
EVOLVER, EVOLVE = texts.EVOLVER, texts.EVOLVE
PAYS = {"gaussian": rewards.gaussian, "gap": rewards.gap, "band": rewards.band, "hard": rewards.hard}


class EvolveGame(PosingGame):
    """An evolver changes a task into one that about half of the solvers answer right.

    After eva (arXiv 2411.00062), Socratic-Zero (2509.24726), WebRL (2411.02337) and PromptCoT 2.0 (2509.19894).

    solvers: how many answer the task, and as many others the variant.
    start: task: the evolver reads the task and how solvers did; concepts: it reads only the numbers and signs of the
    task, writes a rationale that nobody else sees, and then a question that uses all of them. Nobody answers the task.
    tasks: the id of a task source.
    proposes: write: the evolver writes a question, which the source must be able to answer: of the built-in sources
    arithmetic can; choose: it chooses a kind of the same family, and the seed draws the question.
    size: above 0, tasks are sums a + b with a and b up to `size`, the evolver chooses among those with one other
    number, and answers are chosen from a list.
    pays: what the solve rate p of the variant pays the evolver: gaussian, exp(-(p - 1/2)^2 / (2 * 0.2^2)) as in
    Socratic-Zero; gap, 1 if some are right and some wrong, eva's largest reward minus the smallest; band, 1 if
    0.05 <= p <= 0.75, WebRL's filter; hard, 1 if 0 < p < 1/2, PromptCoT 2.0's filter.
    repeats: the credit of an evolver loses this times the share of the batch that makes the same variant.
    """

    pools = True
    poser = EVOLVER
    _setter: TaskSetter

    def __init__(
        self,
        solvers: Annotated[int, Interval(ge=2, le=64)] = 4,
        tasks: str = "arithmetic",
        proposes: Setting = "write",
        size: Annotated[int, Interval(ge=0, le=9)] = 0,
        pays: Literal["gaussian", "gap", "band", "hard"] = "gaussian",
        repeats: Annotated[float, Interval(ge=0, le=10)] = 1.0,
        start: Literal["task", "concepts"] = "task",
    ) -> None:
        super().__init__()
        if size and (tasks != "arithmetic" or proposes != "write"):
            raise InputError(f"{ID}: with size, tasks are sums; leave out size, or tasks and proposes")
        self._setter = TaskSetter(tasks, proposes)
        self._source = self._setter.source
        self.task_source, self.blocking = self._source, self._source.blocking
        params: dict[str, Value] = {"solvers": solvers, "tasks": self._source.id, "proposes": proposes}
        params |= {"size": size, "pays": pays, "repeats": repeats, "start": start}
        if self._source.id == "arithmetic":
            params["tasks"] = "arithmetic"
        id = game_id(ID, EvolveGame, params)
        self._size, self._pays, self._repeats, self.closed = size, PAYS[pays], float(repeats), size > 0
        self._form, self.composes = "closed" if size else proposes, start == "concepts"
        self._variants = Variants(self._setter, size)
        every = seats_of("solver", solvers if self.composes else 2 * solvers)
        self._first, self._second = every[:-solvers], every[-solvers:]
        self.spec = GameSpec(
            id=id,
            seats=dict.fromkeys(every, "solver") | {EVOLVER: EVOLVER},
            payoff="general_sum",
            rules=texts.rules(solvers, self._form, pays, composes=self.composes),
            max_turns=len(every) + 1 + self.composes,
            returns_range=(-1.0, 1.0),
            rated=False,
            demonstrations=TaskExamples(self._source, "solve", _example),
        )
        self._given = ""
        self._clear()

    def _clear(self) -> None:
        self._stage, self._due = "over", ()
        self._parent: SourceTask | None = None
        self._variant: SourceTask | None = None
        self._reason, self._verdict, self._rationale = "", "", ""
        self._seed = 0
        self._answers: dict[Seat, str | None] = {}
        self._right: dict[Seat, bool] = {}

    def load_task(self, task: str) -> None:
        """Pose this task of a pool, or, after `EVOLVE`, have a variant of it made; "": draw one and vary it."""
        if task:
            self._loaded(task.removeprefix(EVOLVE))
        self._given = task

    def with_references(self, tasks: Sequence[str]) -> str:
        """Have a variant of the first task made."""
        return EVOLVE + tasks[0] if tasks else ""

    def _loaded(self, task: str) -> SourceTask:
        if not self._size:
            return self._setter.load(task)
        if task not in arithmetic.closed(self._size):
            raise InputError(f"{ID}: {task!r} is not a task of size {self._size}; write a sum such as 0 + 1")
        return closed_task(task)

    def reset(self, seed: int) -> None:
        """Start with the solvers of the task; a pooled task that is not to be varied has no other solvers."""
        self._clear()
        self._start()
        self._seed = derive(seed, ID, "variant")
        if self._given and not self._given.startswith(EVOLVE):
            self._variant = self._loaded(self._given)
            self._verdict, self._stage, self._due = "pass", "second", self._second
            return
        if self._given:
            self._parent = self._loaded(self._given.removeprefix(EVOLVE))
        elif self._size:
            self._parent = closed_task(RandomStream(derive(seed, ID)).choice(arithmetic.closed(self._size)))
        else:
            self._parent = self._source.draw(seed)
        self._stage, self._due = ("think", (EVOLVER,)) if self.composes else ("first", self._first)

    def _chooses(self) -> bool:
        return self._stage == "evolve" and self._form != "write"

    def _take(self, said: Mapping[Seat, str]) -> None:
        if self._stage == "think":
            self._rationale, self._stage = tags.read(said[EVOLVER], "rationale").content or "", "evolve"
            self._miss(EVOLVER, "" if self._rationale else "no <rationale>...</rationale>")
            self._count_cut(EVOLVER, self._rationale, SHOWN)
            return
        if self._stage == "evolve":
            self._evolve(said[EVOLVER])
            return
        task = self._parent if self._stage == "first" else self._variant
        assert task is not None
        for seat, text in said.items():
            found, why = (tags.TaggedText(text, 1.0), "") if self._size else tags.answer(text)
            self._miss(seat, why)
            self._answers[seat] = found.content
            self._right[seat] = self._setter.right(task, found.content)
        self._stage, self._due = ("evolve", (EVOLVER,)) if self._stage == "first" else ("over", ())

    def _evolve(self, text: str) -> None:
        assert self._parent is not None
        if self._form != "write":
            self._variant = self._variants.drawn(self._parent, text, self._seed)
        elif (found := tags.read(text, "question").content) is None:
            self._reason = "no <question>...</question>"
            self._miss(EVOLVER, self._reason)
        else:
            self._count_cut(EVOLVER, found, SHOWN)
            self._variant, self._reason = (
                self._variants.composed(self._variants.concepts(self._parent), found)
                if self.composes
                else self._variants.written(self._parent, found)
            )
        if self._variant is None:
            self._verdict, self._stage, self._due = "invalid", "over", ()
        else:
            self._verdict, self._stage, self._due = "pass", "second", self._second

    def _rate(self, seats: tuple[Seat, ...]) -> float | None:
        """The share of right answers of these seats; None before they answered."""
        answered = bool(seats) and seats[0] in self._right
        return sum(self._right[seat] for seat in seats) / len(seats) if answered else None

    def _reward(self, seat: Seat) -> float:
        if seat != EVOLVER:
            return float(self._right.get(seat, False))
        if self._verdict == "invalid":
            return -1.0
        rate = self._rate(self._second)
        return 0.0 if self._parent is None or rate is None else self._pays(rate)

    def returns(self) -> Mapping[Seat, float]:
        """1 for a right answer; what the solve rate of the variant pays its evolver."""
        return {seat: self._reward(seat) for seat in self.spec.seats}

    def facts(self) -> Mapping[str, Any]:
        """The variant, its verdict and its solve rate; the task it was made from, as `tried`; answers and rewards."""
        rate, parent, variant = self._rate(self._second), self._parent, self._variant
        valid = self._verdict == "pass"
        proposal = {"base": 0.0, "weight": 1.0, "rate": rate or 0.0, "paid": self._pays(rate or 0.0)}
        if not valid or rate is None:
            proposal = {"base": self._reward(EVOLVER), "weight": 0.0, "rate": 0.0, "paid": 0.0}
        asked = {
            seat: task for seats, task in ((self._first, parent), (self._second, variant)) for seat in seats if task
        }
        idle = [s for s in self.spec.seats if s not in asked] if parent else [*self._first]
        return (
            self._posed(variant, self._second)
            | self._heard()
            | {
                "pooled": parent is None,
                "verdict": self._verdict,
                "reason": self._reason,
                "parents": [] if parent is None else [identity(parent)],
                "tried": [self._posed(parent, self._first)] if parent and self._first else [],
                "asked": {seat: identity(task) for seat, task in asked.items()},
                "proposal": proposal,
                "rewards": dict(self.returns()),
                "idle": [s for s in idle if s != EVOLVER] + ([EVOLVER] if parent is None else []),
            }
            | ({"repeat_cost": self._repeats} if self._repeats else {})
            | ({"rationale": shown(self._rationale)} if self.composes else {})
        )

    def _posed(self, task: SourceTask | None, seats: tuple[Seat, ...]) -> dict[str, Any]:
        """A task and the answers to it."""
        said = [seat for seat in seats if seat in self._answers]
        return {
            "task": "" if task is None else identity(task),
            "kind": "" if task is None else str(task.kind),
            "question": "" if task is None else task.question,
            "truth": None if task is None else task.answer,
            "solve_rate": self._rate(seats),
            "answers": {seat: None if (a := self._answers[seat]) is None else shown(a)[1:-1] for seat in said},
            "right": {seat: self._right[seat] for seat in said},
        }

    def phase(self, seat: Seat) -> str:
        """`solve` and the kind of the task for solvers, evolve, or over."""
        task = self._parent if self._stage == "first" else self._variant
        return f"solve {task.kind}" if self._stage in ("first", "second") and task is not None else self._stage

    def observe(self, seat: Seat) -> Observation:
        """The question of the solver; for the evolver the task, its answer, and how the solvers did."""
        task = self._variant if seat in self._second else self._parent
        asked = "" if task is None else f"The question: {shown(task.question)}"
        if seat == EVOLVER:
            asked = self._report()
        elif self._stage != "over" and seat not in self._due and seat in self._second:
            asked = ""
        if self._stage == "over":
            return Observation(joined([asked, f"The match is over. Your reward is {self._reward(seat):.2f}."]), "over")
        if seat not in self._due:
            return Observation(joined([asked, "Waiting for others."]), self.phase(seat))
        duty = texts.duty(self._form, self._stage, composes=self.composes) if seat == EVOLVER else texts.DUTY["solve"]
        return Observation(
            joined([asked, "Choose the answer." if self._size and seat != EVOLVER else duty]), self.phase(seat)
        )

    def _report(self) -> str:
        """What the evolver reads: concepts and its rationale, or, once the solvers have answered, the task."""
        rate = self._rate(self._first)
        if self._parent is not None and self.composes:
            concepts = ", ".join(self._variants.concepts(self._parent))
            own = f"Your rationale: {shown(self._rationale, SHOWN)}" if self._rationale else ""
            asked = self._variant.question if self._variant is not None and self._stage == "over" else ""
            outcome = f"Not a task: {self._reason}." if self._reason else f"The task: {shown(asked)}" if asked else ""
            return joined([f"The concepts: {concepts}", own, outcome])
        if self._parent is None or rate is None:
            return ""
        wrong = next((a for s in self._first if not self._right[s] and (a := self._answers[s])), "")
        lines = [
            f"The task: {shown(self._parent.question)}",
            f"Its answer: {self._parent.answer}",
            f"{rate:.0%} of the solvers are right.{f' A wrong answer: {shown(wrong, 200)}' if wrong else ''}",
        ]
        if self._variant is not None and self._stage == "over":
            lines.append(f"The variant: {shown(self._variant.question)}")
        return joined([*lines, f"Not a variant: {self._reason}." if self._reason else ""])

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self._stage == "think":
            return (*PLANS, "") if self._size == 0 else PLANS
        if self._stage == "evolve" and self._parent is not None:
            if self._size and self.composes:
                return self._variants.using(self._variants.concepts(self._parent))
            if self._form != "write":
                return self._variants.choices(self._parent)
            end = self._parent.question.rstrip("?. ")
            return (
                f"<question>{end} + 3?</question>",
                f"<question>{end}?</question>",
                "<question>Why?</question>",
                "?",
            )
        if self._size:
            return arithmetic.closed_answers(self._size)
        return ("<answer>42</answer>", "<answer>I do not know</answer>", "42 perhaps")

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of this game, if the scripts can solve and write its tasks."""
        solvable = self._source.solve(self._source.draw(0).question) is not None
        return suite_beside(self) if solvable and self._form == "write" else None

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches of seed 0 with two solvers."""
        from games.native.evolve.known import outcomes

        return outcomes(self, self._source.draw(0))


def _example(question: str, answer: str) -> tuple[str, str]:
    """An example turn of a solver: what it reads, what it writes."""
    return f"The question: {shown(question)}\n{texts.DUTY['solve']}", f"<answer>{answer}</answer>"
