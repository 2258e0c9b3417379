"""solve-v1: solvers answer one task of a task source, each alone; a verifier grades every answer.

The plain form of reinforcement learning with verified rewards, without a proposer: the control of the games in which
players set tasks for each other, and the game that `arena eval --suite` plays. Sums that are answered by copying one of
their numbers are not posed for free answers.
"""

from __future__ import annotations

import re
from statistics import fmean
from typing import Annotated

from annotated_types import Interval

import games.tasks
from games import KnownOutcome
from games.dialogue import RoleGame, Script, Table, final, role_game
from games.dialogue.listed import Problems, drawn, listed
from games.native.common.examples import TaskExamples
from games.native.common.seats import seats_of
from games.native.solve.policies import suite
from games.quoting import quote
from games.randomness import derive
from games.tasks import SourceTask, TaskSource
from games.tasks.arithmetic import ArithmeticSource
from games.verifiers import Verdict

DUTY = "Think briefly, then write <answer>your answer</answer>"
_RULES = "Each solver answers a question alone."
_TRIES = 40
_NUMBER = re.compile(r"-?\d+")
_EXAMPLES = ("<answer>42</answer>", "<answer>Yes</answer>", "<answer>I do not know</answer>", "42 perhaps")
"""without the right answer: a random player is measured on suites too"""


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    right = game.facts()["truth"]
    texts = ((f"It is <answer>{right}</answer>", 1.0), ("<answer>x</answer>", 0.0), (f"{right}, or {right}1?", 0.0))
    return tuple(KnownOutcome(0, ({"solver_0": text},), {"solver_0": paid}) for text, paid in texts)


@role_game(
    "solve-v1",
    seats=lambda solvers: dict.fromkeys(seats_of("solver", solvers), "solver"),
    payoff="general_sum",
    rules=lambda closed: (
        f"{_RULES} Choose from the list."
        if closed
        else f"{_RULES} {DUTY}. The last answer is graded, and nothing before it."
    ),
    max_turns=lambda solvers: solvers,
    returns_range=(0.0, 1.0),
    rated=False,
    demonstrations=lambda tasks, closed: {} if closed else TaskExamples(games.tasks.make(tasks), "solve", _example),
    source=lambda tasks: tasks,
    closed=True,
    suite=suite,
    known=_known_outcomes,
)
def solve(
    t: Table,
    tasks: str = "arithmetic",
    solvers: Annotated[int, Interval(ge=1, le=64)] = 1,
    problems: Problems = 0,
) -> Script:
    """Solvers answer one task, each alone. A right answer earns 1.

    tasks: the id of a task source.
    solvers: the number of solvers of the same task.
    closed: answers are chosen from four, of which each is as likely to be right.
    problems: above 0, matches are about this many tasks of the source, for tiny models.
    """
    assert t.source is not None
    task = _pose(t, t.source, problems)
    t.tell("all", task.question, question=task.question)
    t.facts |= t.task_facts(task)
    options = listed(t.source, task, t.stream, 0 if t.pooled else problems) if t.closed else _EXAMPLES
    messages = yield t.ask("all", "" if t.closed else DUTY, phase=f"solve {task.kind}", examples=options)
    answers = messages if t.closed else {seat: t.read(seat, text, final) for seat, text in messages.items()}
    verdicts: dict[str, Verdict] = {}
    for seat, answer in answers.items():
        missing = Verdict("invalid", "no answer could be read")
        verdict = verdicts[seat] = missing if answer is None else t.source.verdict(task, answer)
        t.pay(seat, float(verdict.ok))
        t.outcome(seat, right=float(verdict.ok))
        t.tell(seat, "Your answer is right." if verdict.ok else f"Your answer is not right ({verdict.reason}).")
    right = {seat: verdict.ok for seat, verdict in verdicts.items()}
    t.facts |= {
        "verdict": "pass",
        "solve_rate": fmean(right.values()),
        "answers": {seat: None if text is None else quote(text)[1:-1] for seat, text in answers.items()},
        "verdicts": {seat: verdict.kind for seat, verdict in verdicts.items()},
        "right": right,
        "rewards": dict(t.record.returns),
    }


def _pose(t: Table, source: TaskSource, problems: int) -> SourceTask:
    """Returns the task; a free answer must not be a number of its question, as in 7 + 0."""
    task = t.task(problems=problems)
    for attempt in range(0 if t.pooled or t.closed else _TRIES):
        if not isinstance(source, ArithmeticSource) or task.answer not in _NUMBER.findall(task.question):
            break
        task = drawn(source, derive(t.seed, "again", attempt), problems)
    return task


def _example(question: str, answer: str) -> tuple[str, str]:
    """Returns an example turn: what a solver reads, what it writes."""
    return f"{question}\n{DUTY}", f"<answer>{answer}</answer>"
