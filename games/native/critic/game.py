"""critic-v1: a sneaky player writes a wrong step of a solution, a critic says whether the step it sees is correct.

After SPC (Chen et al. 2025, arXiv 2504.19162). README.md says what differs.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Literal

from annotated_types import Interval

from games import KnownOutcome
from games.dialogue import RoleGame, Script, Table, final, read, role_game
from games.dialogue.answers import CORRECTNESS, equation
from games.native.critic.policies import SUITE
from games.native.critic.problems import StepQuestion, step_question
from games.native.critic.texts import ANSWERS, CRITIC, DEMONSTRATIONS, SNEAKY, answer_rules, rules
from games.quoting import quote
from games.verifiers.arithmetic import number, value

_STEP = re.compile(r"([-+*/×÷−()\d\s.]{1,80})=([-−\d\s./]{1,30})", re.ASCII)
StepVerdict = Literal["right", "wrong", "invalid"]


def recomputed(step: str, result: Fraction) -> StepVerdict:
    """Returns `right` if both sides of the step are `result`, `invalid` if the text is not a step, else `wrong`."""
    match = _STEP.fullmatch(" ".join(step.split()))
    left, right = (value(match[1]), number(match[2])) if match else (None, None)
    if left is None or right is None:
        return "invalid"
    return "right" if left == right == result else "wrong"


def step_of(text: str) -> str:
    """Returns the step of a message in plain signs; the whole message if it has none, which `recomputed` refuses."""
    return equation(text).value or text


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    controls: dict[bool, int] = {}
    for seed in range(99, -1, -1):
        game.reset(seed)
        controls[game.acting == (CRITIC,)] = seed
    game.reset(controls[False])
    left, _, result = game.facts()["true"].rpartition(" = ")
    wrong = {SNEAKY: f"{left} = {int(result) + 2}"}
    sneaky, plain = controls[False], controls[True]
    return (
        KnownOutcome(sneaky, (wrong, {CRITIC: "incorrect"}), {SNEAKY: -1.0, CRITIC: 1.0}),
        KnownOutcome(sneaky, (wrong, {CRITIC: "Correct."}), {SNEAKY: 1.0, CRITIC: -1.0}),
        KnownOutcome(sneaky, (wrong, {CRITIC: "Partly correct"}), {SNEAKY: 0.0, CRITIC: -1.0}),
        KnownOutcome(sneaky, ({SNEAKY: f"{left} = {result}"},), {SNEAKY: -1.0, CRITIC: 0.0}),
        KnownOutcome(sneaky, ({SNEAKY: "It is wrong."},), {SNEAKY: -1.0, CRITIC: 0.0}),
        KnownOutcome(plain, ({CRITIC: "correct"},), {SNEAKY: 0.0, CRITIC: 1.0}),
        KnownOutcome(plain, ({CRITIC: "<answer>Incorrect</answer>"},), {SNEAKY: 0.0, CRITIC: -1.0}),
    )


def _problem(size: int, steps: int, tasks: str, closed: bool) -> str:
    wrong = size and (not closed or steps != 1 or tasks)
    return f"size={size} is for a closed game of one step; write closed=true, steps=1, no tasks" if wrong else ""


@role_game(
    "critic-v1",
    seats={SNEAKY: SNEAKY, CRITIC: CRITIC},
    payoff="general_sum",
    rules=lambda tasks, closed: (answer_rules if tasks else rules)(closed),
    max_turns=2,
    demonstrations=lambda tasks: ANSWERS if tasks else DEMONSTRATIONS,
    source=lambda tasks: tasks,
    closed=True,
    problem=_problem,
    suite=lambda tasks, closed: None if tasks or closed else SUITE,
    known=_known_outcomes,
)
def critic(
    t: Table,
    steps: Annotated[int, Interval(ge=1, le=12)] = 4,
    tasks: str = "",
    size: Annotated[int, Interval(ge=0, le=9)] = 0,
) -> Script:
    """A sneaky player writes a wrong step of a solution of `steps` steps; a critic says whether a step is correct.

    `closed`: steps and verdicts are chosen from lists. `size`: above 0, for a closed game of one step, it is a sum
    a + b with a and b up to `size`, for tiny models. `tasks`: the id of a task source (`games.tasks`); the solution
    is then the answer to a task, graded by the verifier of the source.
    """
    problem = _task(t) if tasks else step_question(t.stream, steps, size)
    kind = "answer" if problem.task else "step"
    plain = t.stream.random() < 0.5
    text = f"Problem: {problem.text}"
    if not problem.task:
        text = "\n".join([text, "Solution so far:", *(problem.before or ["(nothing yet)"])])
    t.tell("all", text, problem=problem.text, before=problem.before)
    t.tell(SNEAKY, f"The correct {'answer' if tasks else 'next step'}: {problem.correct}", step=problem.correct)
    verdict, shown, correct = "right", problem.correct, None
    t.facts |= {"true": problem.correct, "idle": [SNEAKY] if plain else []}
    if not plain:
        text = yield t.ask(SNEAKY, phase="spoil", examples=problem.options)
        shown, verdict = _graded(t, problem, text)
        t.outcome(SNEAKY, right=float(verdict == "wrong"), broke=verdict != "wrong")
    if asked := plain or verdict == "wrong":
        t.tell(CRITIC if plain else "all", f"The {kind} to judge: {shown}", candidate=shown)
        text = yield t.ask(CRITIC, phase="judge", examples=("correct", "incorrect"))
        judged = t.read(CRITIC, text, lambda text: read(text, CORRECTNESS))
        correct = None if judged is None else judged == "correct"
        t.outcome(CRITIC, right=float(correct is plain), label=float(plain))
        t.pay(CRITIC, 1.0 if correct is plain else -1.0)
    caught = not asked or correct is False
    t.pay(SNEAKY, 0.0 if plain or (asked and correct is None) else -1.0 if caught else 1.0)
    t.facts |= {"shown": shown if asked else "", "verdict": verdict}


def _task(t: Table) -> StepQuestion:
    """Returns a task, its reference answer, and wrong answers."""
    assert t.source is not None
    task = t.task()
    wrong = t.source.wrong_answers(task, t.stream, 3)
    t.facts |= {"task": task.id, "kind": str(task.kind), "pooled": bool(t.pooled)}
    return StepQuestion(task.question, (), task.answer, tuple(t.stream.shuffled([task.answer, *wrong])), task=task)


def _graded(t: Table, problem: StepQuestion, text: str) -> tuple[str, StepVerdict]:
    """Returns the step or answer of the sneaky player, as the critic reads it, and whether it is wrong."""
    if problem.task is None or t.source is None:
        shown = " ".join(step_of(text).split())
        return shown, recomputed(shown, problem.result)
    answer = text if t.closed else final(text).value
    if answer is None:
        return "", "invalid"
    verdict = t.source.verdict(problem.task, answer)
    return quote(answer)[1:-1], "right" if verdict.ok else "wrong" if verdict.kind == "fail" else "invalid"
