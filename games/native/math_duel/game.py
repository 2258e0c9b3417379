"""math-duel-v1: a challenger asks and k solvers answer at once.

After R-Zero (Huang et al. 2025, arXiv 2508.05004). README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from annotated_types import Interval

import games.tasks
from games import KnownOutcome
from games.dialogue import Reading, RoleGame, Script, Stage, Table, role_game
from games.game import Demonstrations, Seat
from games.native.common import rewards, tags
from games.native.common.controls import Controls, controlled
from games.native.common.examples import TaskExamples
from games.native.common.posed_question import PosedQuestion, check_pooled
from games.native.common.posing import TaskSetter
from games.native.common.repetition import repeats
from games.native.common.seats import Share, seats_of
from games.native.math_duel import texts, votes
from games.native.math_duel.policies import SUITE
from games.native.math_duel.texts import CHALLENGER, Rules
from games.quoting import quote
from games.randomness import derive
from games.verifiers import arithmetic

KEPT = (0.3, 0.8)
"""R-Zero's script keeps a question for training if the majority's share is in this range"""


@dataclass(slots=True)
class Vote:
    """The answers of the solvers, and which of them are equal."""

    answers: Mapping[Seat, tags.TaggedText | None]
    clusters: Mapping[Seat, int | None]
    right: Mapping[Seat, bool]
    """solver -> whether its answer is the exact one; empty if that is unknown"""
    controls: Controls = field(default_factory=Controls)
    """the easy question of other solvers"""

    @property
    def every(self) -> dict[Seat, tags.TaggedText | None]:
        """Returns the answers of all solvers."""
        return {**self.answers, **self.controls.answers}

    @property
    def majority(self) -> tuple[int | None, float]:
        """Returns the cluster of the most frequent answer and its share."""
        return votes.majority(list(self.clusters.values()))

    @property
    def right_share(self) -> float | None:
        """Returns the share of right answers; None if that is unknown."""
        return sum(self.right.values()) / len(self.right) if self.right else None

    @property
    def repeats(self) -> bool:
        """Returns whether right answers agree more than wrong ones do."""
        wrong = [self.clusters[seat] for seat, right in self.right.items() if not right]
        return repeats(sum(self.right.values()), [label for label in wrong if label is not None], len(self.right))


def _problem(size: int, tasks: str, rules: Rules) -> str:
    if size and tasks:
        return "tasks have questions of their own; leave out size"
    return "rules=published counts votes; leave out tasks" if tasks and rules == "published" else ""


def _demonstrations(tasks: str) -> Demonstrations:
    others = texts.DEMONSTRATIONS
    return TaskExamples(games.tasks.make(tasks), "vote", texts.solved, others) if tasks else others


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """Six of eight answers are right, and those of two controls; a question that is no arithmetic."""
    solvers = game.spec.teams[1]
    controls = Controls.drawn("What is 17 + 25?", solvers, seed=0)
    others = controls.others(solvers)
    answers = {seat: rf"\boxed{{{42 if i < 6 else 'no'}}}" for i, seat in enumerate(others)}
    answers |= dict.fromkeys(controls.seats, rf"\boxed{{{controls.question and controls.question.truth}}}")
    paid = dict.fromkeys(solvers, 1.0) | dict.fromkeys(others[6:], 0.1)
    asked = {CHALLENGER: texts.QUESTIONS[0]}, {CHALLENGER: r"<question>1 or 2?</question> \boxed{1}"}
    return (
        KnownOutcome(0, (asked[0], answers), {CHALLENGER: 0.5} | paid),
        KnownOutcome(0, asked[1:], {CHALLENGER: -1.0} | dict.fromkeys(solvers, 0.0)),
    )


@role_game(
    "math-duel-v1",
    seats=lambda solvers: {CHALLENGER: CHALLENGER} | dict.fromkeys(seats_of("solver", solvers), "solver"),
    payoff=lambda threshold: "zero_sum" if threshold else "general_sum",
    rules=texts.rules,
    max_turns=lambda solvers: 1 + solvers,
    teams=lambda solvers: ((CHALLENGER,), seats_of("solver", solvers)),
    rated=lambda threshold: threshold > 0,
    demonstrations=_demonstrations,
    source=lambda tasks: tasks,
    tools=lambda source: TaskSetter(source, "choose") if source else None,
    closed=lambda size: size > 0,
    pool=lambda task, size, tools: check_pooled("math-duel", task, size, tools),
    blocking=lambda size: not size,
    problem=_problem,
    suite=lambda tasks: None if tasks else SUITE,
    known=_known_outcomes,
)
def math_duel(
    t: Table,
    solvers: Annotated[int, Interval(ge=2, le=64)] = 10,
    size: Annotated[int, Interval(ge=0, le=9)] = 0,
    threshold: Share = 0.0,
    tasks: str = "",
    rules: Rules = "truth",
) -> Script:
    """A challenger asks a question that about half of the solvers answer right (R-Zero).

    `solvers`: how many answer. `size`: above 0, questions are chosen among a + b with a and b up to `size`, answers
    among numbers. `threshold`: above 0, the challenger plays against the solvers and wins if the exact answer is
    known and is given by 0 < p <= threshold of them. `tasks`: the id of a task source (`games.tasks`), of which the
    challenger chooses a kind of task, and whose verifier decides what is exact. `rules`: `published` counts the most
    frequent answer as correct, and allows any question.
    """
    setter: TaskSetter | None = t.tools
    t.facts |= {"task": "", "truth": None, "verdict": "", "own_answer": None}
    question = yield from _question(t, setter, size, rules)
    vote, seats = Vote({}, {}, {}), seats_of("solver", solvers)
    if question is not None:
        drawn = controlled(solvers, size, threshold, tasks, rules == "published", t.pooled)
        controls = Controls.drawn(question.task, seats, t.seed) if drawn else Controls()
        controls.tell(t, t.seats, question.text)
        t.facts |= {"task": question.task, "canonical": question.canonical, "truth": question.truth}
        if question.source:
            t.facts |= {"kind": str(question.source.kind), "question": question.source.question}
        answers = yield t.ask(
            seats,
            texts.CHOICE["vote"] if size else texts.DUTY["vote"],
            phase=f"vote {question.source.kind}" if question.source else "vote",
            options=arithmetic.closed_answers(size) if size else None,
            reads=tags.chosen if size else tags.reader(tags.solution),
            examples=texts.ANSWERS,
            waiting="Waiting for the solvers.",
        )
        answers = controls.take(answers)
        right = {seat: question.right(answer and answer.content, setter) for seat, answer in answers.items()}
        known = {seat: value for seat, value in right.items() if value is not None}
        vote = Vote(answers, votes.clusters({seat: a and a.content for seat, a in answers.items()}), known, controls)
    _finish(t, question, vote, threshold, rules)


def _question(t: Table, setter: TaskSetter | None, size: int, rules: Rules) -> Stage[PosedQuestion | None]:
    """Returns the question of the pool or of the challenger; None if it sets none that counts."""
    if t.pooled:
        return PosedQuestion.drawn(setter.load(t.pooled), setter) if setter else PosedQuestion.written(t.pooled)
    options = setter.kinds if setter else arithmetic.closed(size) if size else None
    prompt = texts.CHOOSE if setter else (texts.CHOICE if size else texts.DUTY)["ask"]
    text = yield t.ask(CHALLENGER, prompt, phase="ask", options=options, examples=texts.QUESTIONS,
                       waiting="Waiting for the challenger.")  # fmt: skip
    form, question = 1.0, None
    if setter:
        task = setter.set(text, derive(t.seed, "math-duel", "task"))
        question = None if task is None else PosedQuestion.drawn(task, setter)
    elif size:
        question = PosedQuestion.written(text)
    else:
        asked, box = tags.read(text, "question"), tags.boxed(text)
        form = min(asked.form, box.form)
        if asked.content is not None and box.content is not None:
            t.quote(CHALLENGER, asked.content)
            question = PosedQuestion.written(asked.content)
            t.facts["own_answer"] = quote(box.content)[1:-1]
            t.tell(CHALLENGER, "", secret=box.content)
        if question is None or not question.task or (question.truth is None and rules == "truth"):
            t.read(CHALLENGER, text, lambda text: Reading(None, "no <question>...</question> with a boxed answer"))
            if question and question.task:
                t.tell("all", f"The question: {question.text}")
                t.facts["task"] = question.task
            question = None
    t.facts["form"] = {CHALLENGER: form}
    return question


def _rewards(vote: Vote, rules: Rules) -> dict[Seat, float]:
    """Returns the published rewards of the solvers."""
    label = vote.majority[0]
    agrees = {seat: label is not None and cluster == label for seat, cluster in vote.clusters.items()}
    right = {**(agrees if rules == "published" else vote.right), **vote.controls.right}
    return {seat: rewards.r_zero_solver(right.get(seat, False), a.form if a else 0.0) for seat, a in vote.every.items()}


def _finish(t: Table, question: PosedQuestion | None, vote: Vote, threshold: float, rules: Rules) -> None:
    """Pays the seats, ends the match, and writes what the rules know."""
    solvers = [seat for seat in t.seats if seat != CHALLENGER]
    label, agreed = vote.majority
    rate = agreed if rules == "published" else vote.right_share or 0.0
    repeated = rules == "published" or vote.repeats
    counted = rate if repeated else 0.0
    paid = rewards.r_zero_challenger(counted if question else None)
    earned = paid * vote.controls.factor if paid > 0 else paid
    rewards_ = {CHALLENGER: 0.0 if t.pooled else earned} | dict.fromkeys(solvers, 0.0) | _rewards(vote, rules)
    won = vote.right_share if repeated else 0.0
    sides = rewards.sides(CHALLENGER, solvers, won, threshold) if threshold else rewards_
    for seat, value in sides.items():
        t.pay(seat, value)
    _end(t, question, label, agreed, rate, rules)
    proposal = {"base": 0.0, "weight": 1.0, "rate": counted, "paid": paid}
    t.facts |= {
        "pooled": bool(t.pooled), "verdict": "pass" if question else "invalid",
        "solve_rate": rate if question else None, "kept": question is not None and KEPT[0] <= rate <= KEPT[1],
        "right_share": vote.right_share, "repeats": repeated,
        "repeat_once": rules == "truth" and not t.closed and not t.tools,
        "form": t.facts.get("form", {}) | {seat: a.form if a else 0.0 for seat, a in vote.every.items()},
        "answers": {seat: a and quote(a.text)[1:-1] for seat, a in vote.answers.items()},
        "clusters": vote.clusters, "rewards": rewards_, **vote.controls.facts(),
        "proposal": proposal if question else {"base": -1.0, "weight": 0.0, "rate": 0.0, "paid": 0.0},
        "idle": [CHALLENGER] if t.pooled else [] if question else solvers,
    } | _label(vote, label)  # fmt: skip
    if not t.pooled:
        known = question is not None and question.truth is not None
        t.outcome(CHALLENGER, right=float(known), broke=not t.facts["form"][CHALLENGER], solved=vote.right_share)
    right = {**vote.right, **vote.controls.right}
    for seat, answer in vote.every.items():
        t.outcome(seat, right=float(right[seat]) if seat in right else None, broke=not (answer and answer.form))


def _label(vote: Vote, label: int | None) -> dict[str, Any]:
    """Returns the most frequent answer, and whether it is right."""
    voters: Sequence[Seat] = [seat for seat, cluster in vote.clusters.items() if cluster == label is not None]
    answer = vote.answers[voters[0]] if voters else None
    return {
        "label": answer and quote(answer.text)[1:-1],
        "label_right": vote.right.get(voters[0]) if voters else None,
    }


def _end(t: Table, question: PosedQuestion | None, label: int | None, agreed: float, rate: float, rules: Rules) -> None:
    if question is None:
        return t.end("no question with an answer could be read")
    text = "nobody gave a readable answer" if label is None else f"{agreed:.0%} of the solvers agree"
    text = text if rules == "published" else f"{rate:.0%} of the solvers are right"
    return t.end(text, {seat: f"{text}. Your reward is {paid:.2f}" for seat, paid in t.record.returns.items()})
