"""evolve-v1: solvers answer a task, an evolver makes a variant of it, other solvers answer the variant.

After eva (Ye et al. 2024, arXiv 2411.00062), Socratic-Zero (Wang et al. 2025, arXiv 2509.24726), WebRL (Qi et al. 2024,
arXiv 2411.02337) and PromptCoT 2.0 (Zhao et al. 2025, arXiv 2509.19894). README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from annotated_types import Interval

import games.tasks
from games import InputError, KnownOutcome, difficulty
from games.dialogue import Reading, RoleGame, Script, Stage, Table, role_game
from games.dialogue.messages import SHOWN, shown
from games.game import Demonstrations, Seat
from games.native.common import tags
from games.native.common.controls import Controls, controlled
from games.native.common.examples import TaskExamples
from games.native.common.posing import Setting, TaskSetter, identity
from games.native.common.seats import seats_of
from games.native.evolve import texts
from games.native.evolve.policies import suite
from games.native.evolve.texts import EVOLVE, EVOLVER
from games.native.evolve.variants import PLANS, Variants, closed_task
from games.randomness import derive
from games.shortcuts import ShortcutSuite
from games.tasks import SourceTask
from games.verifiers import arithmetic

NAME = "evolve-v1"
TASKS = "arithmetic(longest=10)"
"""sums of two to ten numbers, mostly too easy or too hard, so that one addition does not suit all of them"""
PAYS = {"gaussian": difficulty.gaussian, "gap": difficulty.gap, "band": difficulty.band, "hard": difficulty.hard}
Pays = Literal["gaussian", "gap", "band", "hard"]
Start = Literal["task", "concepts"]


@dataclass(frozen=True, slots=True)
class AnsweredTask:
    """A task and the answers of its solvers: seat -> answer, None if unread, and whether it is right."""

    task: SourceTask | None = None
    canonical: str = ""
    answers: Mapping[Seat, str | None] | None = None
    right: Mapping[Seat, bool] | None = None
    controls: Controls = field(default_factory=Controls)
    """the easy question that other solvers answer"""

    @property
    def rate(self) -> float | None:
        """The share of right answers; None without solvers."""
        return sum(self.right.values()) / len(self.right) if self.right else None

    def facts(self) -> dict[str, Any]:
        """Returns what the facts say of it."""
        answers, task = self.answers or {}, self.task
        return {
            "task": "" if task is None else identity(task),
            "canonical": self.canonical,
            "kind": "" if task is None else str(task.kind),
            "question": "" if task is None else task.question,
            "truth": None if task is None else task.answer,
            "solve_rate": self.rate,
            "answers": {seat: None if a is None else shown(a)[1:-1] for seat, a in answers.items()},
            "right": dict(self.right or {}),
        }


def _problem(tasks: str, proposes: Setting, size: int) -> str:
    mixed = size and (tasks != TASKS or proposes != "write")
    return "with size, tasks are sums; leave out size, or tasks and proposes" if mixed else ""


def _load(task: str, size: int, tools: TaskSetter) -> SourceTask:
    """Returns a task of a pool. Raises InputError."""
    text = task.removeprefix(EVOLVE)
    if not size:
        return tools.load(text)
    if text not in arithmetic.closed(size):
        raise InputError(f"evolve: {text!r} is not a task of size {size}; write a sum such as 0 + 1")
    return closed_task(text)


def _demonstrations(tasks: str) -> Demonstrations:
    return TaskExamples(games.tasks.make(tasks), "solve", texts.solved)


def _suite(tasks: str, proposes: Setting, start: Start) -> ShortcutSuite | None:
    """Returns the scripted policies, if they can solve and write tasks of the source."""
    source = games.tasks.make(tasks)
    solvable = proposes == "write" and source.solve(source.draw(0).question) is not None
    return suite(composes=start == "concepts") if solvable else None


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """A variant that one of three solvers answers, beside a control, and a copy of the parent."""
    facts = game.facts()["tried"][0]
    right, wrong = f"<answer>{facts['truth']}</answer>", "<answer>x</answer>"
    more = f"<answer>{int(facts['truth']) + 3}</answer>"
    first = {f"solver_{i}": right if i == 0 else wrong for i in range(4)}
    paid = dict.fromkeys(game.spec.seats, 0.0) | {"solver_0": 1.0}
    varied = facts["question"].rstrip("?") + " + 3?"
    controls = Controls.drawn(varied, [f"solver_{i}" for i in range(4, 8)], seed=0)
    solved, *others = controls.others([f"solver_{i}" for i in range(4, 8)])
    second = {solved: more} | dict.fromkeys(others, right)
    second |= dict.fromkeys(controls.seats, f"<answer>{controls.question and controls.question.truth}</answer>")
    return (
        KnownOutcome(
            0,
            (first, {EVOLVER: f"<question>{varied}</question>"}, second),
            paid | dict.fromkeys((solved, *controls.seats), 1.0) | {EVOLVER: difficulty.gaussian(1 / 3)},
        ),
        KnownOutcome(0, (first, {EVOLVER: f"<question>{facts['question']}</question>"}), paid | {EVOLVER: -1.0}),
    )


@role_game(
    NAME,
    seats=lambda solvers, start: {
        **dict.fromkeys(seats_of("solver", solvers if start == "concepts" else 2 * solvers), "solver"),
        EVOLVER: EVOLVER,
    },
    payoff="general_sum",
    rules=texts.rules,
    max_turns=lambda solvers, start: solvers + 2 if start == "concepts" else 2 * solvers + 1,
    returns_range=(-1.0, 1.0),
    rated=False,
    demonstrations=_demonstrations,
    source=lambda tasks: tasks,
    tools=lambda source, proposes: TaskSetter(source, proposes),
    closed=lambda size: size > 0,
    pools=True,
    pool=_load,
    references=lambda tasks: EVOLVE + tasks[0],
    problem=_problem,
    suite=_suite,
    known=_known_outcomes,
)
def evolve(
    t: Table,
    solvers: Annotated[int, Interval(ge=2, le=64)] = 4,
    tasks: str = TASKS,
    proposes: Setting = "write",
    size: Annotated[int, Interval(ge=0, le=9)] = 0,
    pays: Pays = "gaussian",
    start: Start = "task",
) -> Script:
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
    """
    setter: TaskSetter = t.tools
    every = [seat for seat in t.seats if seat != EVOLVER]
    first, second = every[:-solvers], every[-solvers:]
    tried, reason = AnsweredTask(), ""
    if t.pooled and not t.pooled.startswith(EVOLVE):
        variant: SourceTask | None = _load(t.pooled, size, setter)
    else:
        tried = AnsweredTask(_parent(t, size, setter))
        t.facts |= {"tried": [tried.facts()] if first else []}
        if first:
            tried = yield from _solve(t, tried.task, first, setter, size, Controls())
        evolving = _Evolving(t, Variants(setter, size), tried, "closed" if size else proposes)
        variant, reason = yield from (evolving.compose() if start == "concepts" else evolving.vary())
    made = AnsweredTask(variant, setter.source.canonical(variant) if variant else "")
    t.facts |= made.facts()
    if variant is not None:
        drawn = controlled(solvers, size, proposes == "choose", tried.task is None)
        controls = Controls.drawn(variant.question, second, t.seed) if drawn else Controls()
        made = yield from _solve(t, variant, second, setter, size, controls)
    _finish(t, tried, made, reason, PAYS[pays], first, second, writes=proposes == "write" and not size)


def _parent(t: Table, size: int, setter: TaskSetter) -> SourceTask:
    """Returns the task to be varied: of a pool, a sum of a closed game, or one that the source draws."""
    if t.pooled:
        return _load(t.pooled, size, setter)
    return closed_task(t.stream.choice(arithmetic.closed(size))) if size else setter.source.draw(t.seed)


def _solve(
    t: Table, task: SourceTask | None, seats: list[Seat], setter: TaskSetter, size: int, controls: Controls
) -> Stage[AnsweredTask]:
    """Asks seats for their answers to a task, and some of them to its control."""
    assert task is not None
    controls.tell(t, seats, shown(task.question))
    answers = yield t.ask(
        seats,
        "Choose the answer." if size else texts.DUTY["solve"],
        phase=f"solve {task.kind}",
        reads=tags.chosen if size else tags.reader(tags.answer),
        examples=arithmetic.closed_answers(size) if size else texts.ANSWERS,
        waiting="Waiting for others.",
    )
    contents = {seat: answer and answer.content for seat, answer in controls.take(answers).items()}
    right = {seat: setter.right(task, content) for seat, content in contents.items()}
    return AnsweredTask(task, setter.source.canonical(task), contents, right, controls)


@dataclass(frozen=True, slots=True)
class _Evolving:
    """The evolver's part of a match. Its stages return the variant and, without one, the reason."""

    t: Table
    variants: Variants
    tried: AnsweredTask
    form: str

    @property
    def parent(self) -> SourceTask:
        """The task that is varied."""
        assert self.tried.task is not None
        return self.tried.task

    def vary(self) -> Stage[tuple[SourceTask | None, str]]:
        """Shows the task and how solvers did, and asks for a variant."""
        t, parent, answers = self.t, self.parent, self.tried.answers or {}
        right = self.tried.right or {}
        wrong = next((a for seat, a in answers.items() if not right[seat] and a), "")
        t.tell(EVOLVER, f"The task: {shown(parent.question)}", question=parent.question, truth=parent.answer)
        t.tell(EVOLVER, f"Its answer: {parent.answer}")
        told = f" A wrong answer: {shown(wrong, 200)}" if wrong else ""
        t.tell(EVOLVER, f"{self.tried.rate:.0%} of the solvers are right.{told}")
        return (yield from self._asked(texts.DUTY[self.form], self.variants.choices(parent), "variant"))

    def compose(self) -> Stage[tuple[SourceTask | None, str]]:
        """Shows the concepts of the task, and asks for a rationale and a task."""
        t, concepts = self.t, self.variants.concepts(self.parent)
        t.tell(EVOLVER, f"The concepts: {', '.join(concepts)}", concepts=concepts)
        rationale = yield t.ask(
            EVOLVER,
            texts.DUTY["think"] if self.form != "closed" else "Choose your rationale.",
            phase="think",
            reads=_rationale,
            examples=PLANS if t.closed else (*PLANS, ""),
            waiting="Waiting for others.",
        )
        t.facts["rationale"] = shown(rationale or "")
        if rationale:
            t.tell(EVOLVER, f"Your rationale: {t.quote(EVOLVER, rationale, SHOWN)}")
        listed = self.variants.using(concepts) if t.closed else self.variants.choices(self.parent)
        duty = texts.DUTY["compose"] if self.form == "write" else "Choose the task."
        return (yield from self._asked(duty, listed, "task"))

    def _asked(self, duty: str, listed: tuple[str, ...], what: str) -> Stage[tuple[SourceTask | None, str]]:
        """Asks for the variant; tells the evolver what came of it."""
        t, writes = self.t, self.form == "write"
        text = yield t.ask(
            EVOLVER,
            duty,
            phase="evolve",
            options=None if writes else listed,
            examples=texts.questions(self.parent.question) if writes else listed,
            waiting="Waiting for others.",
        )
        variant, reason = self._made(text)
        t.tell(EVOLVER, f"The {what}: {shown(variant.question)}" if variant else f"Not a {what}: {reason}.")
        return variant, reason

    def _made(self, text: str) -> tuple[SourceTask | None, str]:
        """Returns the task that a message makes, or why it makes none."""
        t, parent = self.t, self.parent
        if self.form != "write":
            return self.variants.drawn(parent, text, derive(t.seed, NAME, "variant")), ""
        question = t.read(EVOLVER, text, tags.reader(tags.question))
        if question is None:
            return None, tags.question(text)[1]
        t.quote(EVOLVER, question.text)
        if concepts := t.record.data[EVOLVER].get("concepts"):
            return self.variants.composed(concepts, question.text)
        return self.variants.written(parent, question.text)


def _rationale(text: str) -> str | Reading:
    return tags.read(text, "rationale").content or Reading(None, "no <rationale>...</rationale>")


def _finish(
    t: Table,
    tried: AnsweredTask,
    made: AnsweredTask,
    reason: str,
    pay: Callable[[float], float],
    first: list[Seat],
    second: list[Seat],
    *,
    writes: bool,
) -> None:
    """Pays the seats and writes the facts: the variant, and as `tried` the task it was made from.

    `writes`: whether any variant may be written, so that none has to repeat.
    """
    parent, rate = tried.task, made.rate
    valid = made.task is not None
    right = {**(tried.right or {}), **(made.right or {}), **made.controls.right}
    paid = -1.0 if not valid else 0.0 if parent is None or rate is None else pay(rate) * made.controls.factor
    rewarded = {seat: float(right.get(seat, False)) for seat in (*first, *second)} | {EVOLVER: paid}
    proposal = {"base": 0.0, "weight": 1.0, "rate": rate or 0.0, "paid": pay(rate or 0.0)}
    for seat, value in rewarded.items():
        t.pay(seat, value)
        if seat != EVOLVER:
            t.outcome(seat, right=float(right[seat]) if seat in right else None)
    if parent is not None:
        t.outcome(EVOLVER, right=float(valid), broke=not valid, solved=rate)
    t.end("the answers are graded", {seat: f"your reward is {value:.2f}" for seat, value in rewarded.items()})
    asked = dict.fromkeys(tried.right or (), parent) | dict.fromkeys(made.right or (), made.task)
    control = made.controls.facts()
    t.facts |= (
        made.facts()
        | control
        | {
            "pooled": parent is None,
            "verdict": "pass" if valid else "invalid",
            "reason": reason,
            "parents": [] if parent is None else [identity(parent)],
            "tried": [tried.facts()] if tried.right else [],
            "asked": {seat: identity(task) for seat, task in asked.items() if task} | control.get("asked", {}),
            "proposal": proposal if valid else {"base": -1.0, "weight": 0.0, "rate": 0.0, "paid": 0.0},
            "rewards": rewarded,
            "idle": [s for s in (*first, *second) if s not in right] + ([EVOLVER] if parent is None else []),
            "repeat_cost": 1.0,
            "repeat_once": writes,
        }
    )
