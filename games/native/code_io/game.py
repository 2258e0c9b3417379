"""code-io-v1: a proposer writes a program and inputs, solvers find the output, an input, or the program.

After Absolute Zero (Zhao et al. 2025, arXiv 2505.03335). README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from annotated_types import Interval

import games.tasks
from games import InputError, KnownOutcome, quote
from games.dialogue import Reading, Script, Stage, Table, role_game
from games.dialogue.messages import tokens
from games.game import Seat
from games.native.code_io import lists, programs, texts
from games.native.code_io import tasks as code_tasks
from games.native.code_io.examples import seed_programs
from games.native.code_io.guess import refuse_guessable
from games.native.code_io.policies import SUITE
from games.native.code_io.reduced import reduced
from games.native.code_io.tasks import BLOCK, KINDS, Kind, Task
from games.native.common import rewards
from games.native.common.repetition import repeats
from games.native.common.seats import Share, seats_of
from games.randomness import derive
from games.tasks import TaskSource
from games.tasks.programs import ProgramSource, TaskProgram
from games.tasks.programs.canonical import canonical_program
from games.verifiers import Verdict, python

PROPOSER = "proposer"
EXAMPLES = 2
"""programs that the proposer of a deduction or abduction is shown"""
_ARGUMENTS = 11
"""arguments of an example: one that is shown and ten for the example messages of an induction"""
_BLOCK = "```python\ndef f(x):\n    return {}\n```\n```input\n21\n```"


def _problem(kind: str, tasks: str, size: int) -> str:
    if tasks and not isinstance(source := games.tasks.make(tasks), ProgramSource):
        return f"{source.id} has no programs; write tasks=programs, or programs(steps=2)"
    if size and (kind != "deduction" or tasks):
        return f"size={size} is for deductions from lists; write kind=deduction, leave out tasks"
    return python.unavailable() or ""


def _load(task: str, size: int, source: TaskSource | None) -> tuple[Task | None, tuple[Task, ...]]:
    """Returns the task of a pool or the source, or the earlier tasks that the proposer is shown. Raises InputError."""
    if isinstance(source, ProgramSource) and task.startswith(f"{source.name}#"):
        code, argument = source.posed(source.load(task))
        return Task("deduction", code, (argument,)), ()
    try:
        earlier = code_tasks.references(task)
        chosen = code_tasks.load(task) if task and not earlier else None
    except programs.Unfit as error:
        raise InputError(f"code-io: {error}") from None
    if chosen and size and lists.proposal_of(chosen) not in lists.proposals(size):
        raise InputError(f"code-io: this task is not in the list of a closed game of size {size}")
    return chosen, earlier


def _known_outcomes(_: object) -> tuple[KnownOutcome, ...]:
    """Matches of seed 5, which draws a deduction: two of eight are right; a program that cannot be predicted."""
    answers = {f"solver_{i}": f"```output\n{42 if i < 2 else 39 - i}\n```" for i in range(6)}
    answers |= {"solver_6": "\\boxed{42}", "solver_7": "```output\n21 * 2\n```"}
    paid = {seat: 1.0 if int(seat[-1]) < 2 else -0.5 if int(seat[-1]) < 6 else -1.0 for seat in answers}
    unread = {PROPOSER: -1.0} | dict.fromkeys(answers, 0.0)
    return (
        KnownOutcome(5, ({PROPOSER: _BLOCK.format("x * 2")}, answers), {PROPOSER: 0.75} | paid),
        KnownOutcome(5, ({PROPOSER: _BLOCK.format("hash(str(x))")},), unread),  # `id` is fixed in some builds
    )


@role_game(
    "code-io-v1",
    seats=lambda solvers: {PROPOSER: PROPOSER} | dict.fromkeys(seats_of("solver", solvers), "solver"),
    payoff=lambda threshold: "zero_sum" if threshold else "general_sum",
    rules=lambda kind, solvers, threshold: texts.rules(KINDS if kind == "mixed" else (kind,), solvers, threshold),
    max_turns=lambda solvers: 1 + solvers,
    teams=lambda solvers: ((PROPOSER,), seats_of("solver", solvers)),
    rated=lambda threshold: threshold > 0,
    demonstrations=texts.DEMONSTRATIONS,
    source=lambda tasks: tasks,
    pool=_load,
    references=code_tasks.referring,
    blocking=True,
    closed=lambda size: size > 0,
    problem=_problem,
    suite=lambda tasks: None if tasks else SUITE,
    known=_known_outcomes,
)
def code_io(
    t: Table,
    kind: Literal["mixed", "deduction", "abduction", "induction"] = "mixed",
    solvers: Annotated[int, Interval(ge=1, le=64)] = 8,
    threshold: Share = 0.0,
    tasks: str = "",
    size: Annotated[int, Interval(ge=0, le=9)] = 0,
) -> Script:
    """A proposer writes a program; solvers find its output, an input, or the program from its cases (Absolute Zero).

    `kind`: deduction, abduction, induction, or mixed, which draws one. `solvers`: how many answer. `threshold`: above
    0, the proposer plays against the solvers and wins if its task is valid and 0 < p <= threshold. `tasks`: the id of
    the task source `programs`, which generates the examples and the programs of inductions; without it the examples are
    among ten fixed ones. `size`: above 0, programs, inputs and outputs of deductions are chosen from lists, with
    numbers from 0 to `size`; a match offers eight programs. Needs a sandbox.
    """
    chosen, earlier = _load(t.pooled, size, t.source)
    what: Kind = t.stream.choice(KINDS if kind == "mixed" else (kind,))
    offered = tuple(t.stream.shuffled(lists.proposals(size))[: lists.OFFERED]) if size else ()
    parents = earlier[: 1 if what == "induction" else EXAMPLES]
    examples = _examples(t, what, parents)
    what = chosen.kind if chosen else what
    t.facts |= {
        "task": "",
        "kind": what,
        "pooled": chosen is not None,
        "verdict": "invalid",
        "reason": "",
        "outputs": [],
    }
    if parents:
        t.facts["parents"] = [parent.text() for parent in parents]
    try:
        if chosen is None:
            t.tell(PROPOSER, "", program=examples[0].code if what == "induction" else "")
            text = yield t.ask(
                PROPOSER,
                texts.duty(what, examples, bool(parents)),
                phase=f"propose {what}",
                examples=offered or texts.proposals(what, examples, bool(parents)),
                waiting="Waiting for the proposer.",
            )
            task = code_tasks.made(_proposal(t, what, text, examples[0]))
            refuse_guessable(task)
            _refuse_repetition(task, parents)
        else:
            task = code_tasks.made(chosen)
        answers = yield from _answers(t, task, size)
        verdicts = code_tasks.verdicts(task, answers)
    except programs.Unfit as error:  # also while answers are judged: an invalid task must not enter a pool
        _finish(t, threshold, {}, str(error))
    else:
        _finish(t, threshold, verdicts)


def _examples(t: Table, kind: Kind, parents: tuple[Task, ...]) -> tuple[TaskProgram, ...]:
    """Returns the programs that the proposer is shown, or the one that it describes: first those of a pool."""
    n = 1 if kind == "induction" else EXAMPLES
    source = t.source or (_described_programs() if kind == "induction" else None)
    if isinstance(source, ProgramSource):
        own = tuple(source.program(derive(t.seed, "example", i), _ARGUMENTS) for i in range(n))
    else:
        own = tuple(t.stream.shuffled(seed_programs())[:n])
    return (*(TaskProgram(task.program, task.inputs, task.message) for task in parents), *own)[:n]


@lru_cache(1)
def _described_programs() -> TaskSource:
    """Returns the source of the programs of inductions: those of a list are soon known by heart."""
    return games.tasks.make("programs")


def _proposal(t: Table, kind: Kind, text: str, example: TaskProgram) -> Task:
    """Returns the task that a message proposes. Raises Unfit."""
    inputs = tuple(programs.blocks(text, "input"))
    if kind != "induction":
        written = programs.blocks(text, "python")
        if not written or not inputs:
            raise programs.Unfit("a python block and an input block are needed")
        return Task(kind, written[-1], inputs[-1:])
    inputs, message = inputs[-texts.CASES :], programs.blocks(text, "message")
    if len(inputs) != texts.CASES or len(set(inputs)) < len(inputs) or not message or not message[-1]:
        raise programs.Unfit(f"an induction needs {texts.CASES} different input blocks and a message block")
    return Task(kind, example.code, inputs, t.quote(PROPOSER, message[-1])[1:-1])


def _refuse_repetition(task: Task, parents: tuple[Task, ...]) -> None:
    """Raises Unfit for an earlier program with an input that its task had."""
    for parent in parents:
        same = canonical_program(parent.program) == canonical_program(task.program)
        if same and (repeated := set(parent.inputs).intersection(task.inputs)):
            raise programs.Unfit(f"the input {min(repeated)[:40]} of this program is one of the earlier task")


def _answers(t: Table, task: Task, size: int) -> Stage[dict[Seat, str | None]]:
    """Shows a task to the solvers and returns the last block of each.

    The input of an abduction is secret unless what the solvers read holds words of it anyhow, as a result may. The
    hidden cases of an induction are the same small numbers as the shown ones, so no text proves a leak.
    """
    if task.kind == "abduction":
        public = set(tokens(texts.seen(task))) & set(tokens(task.inputs[0]))
        t.tell(PROPOSER, "", secret="" if public else f"f({task.inputs[0]})")
        t.disclose(PROPOSER, task.shown[0])
    t.tell("all", texts.seen(task), **texts.data(task))
    t.facts |= {"task": task.text(), "canonical": _canonical(task), "outputs": list(task.shown), "verdict": "pass"}
    block = BLOCK[task.kind]

    def last_block(text: str) -> str | Reading:
        found = programs.blocks(text, block)
        return found[-1] if found else Reading(None, f"no {block} block")

    answers: dict[Seat, str | None] = yield t.ask(
        [seat for seat in t.seats if seat != PROPOSER],
        texts.SOLVE[task.kind],
        phase=f"solve {task.kind}",
        reads=last_block,
        examples=lists.outputs(size) if size else texts.attempts(task),
        waiting="Waiting for the solvers.",
    )
    return answers


def _canonical(task: Task) -> str:
    """Returns the text of a task that repetition compares: without dead code. An induction gets its program."""
    if task.kind == "induction":
        return task.canonical()
    return msgspec.structs.replace(task, program=reduced(task.program, task.inputs[0])).canonical()


def _repeats(verdicts: Mapping[Seat, Verdict]) -> bool:
    """Returns whether success repeats. The reason of a wrong answer names its result."""
    wrong = [v.reason for v in verdicts.values() if v.kind not in ("pass", "invalid")]
    return repeats(sum(v.ok for v in verdicts.values()), wrong, len(verdicts))


def _finish(t: Table, threshold: float, verdicts: Mapping[Seat, Verdict], problem: str = "") -> None:
    """Pays the seats, ends the match, and writes what the rules know. `problem`: why the task is not valid."""
    solvers, pooled = [seat for seat in t.seats if seat != PROPOSER], t.facts["pooled"]
    rate = sum(v.ok for v in verdicts.values()) / len(verdicts) if verdicts else None
    repeated = t.facts["kind"] == "induction" or _repeats(verdicts)  # an induction has hidden inputs
    paid = rewards.azr_proposer(rate if repeated or rate is None else 0.0)
    earned = {PROPOSER: 0.0 if pooled else paid} | dict.fromkeys(solvers, 0.0)
    earned |= {seat: rewards.azr_solver(verdict.kind) for seat, verdict in verdicts.items()}
    won = rate if repeated else 0.0
    for seat, value in (rewards.sides(PROPOSER, solvers, won, threshold) if threshold else earned).items():
        t.pay(seat, value)
    if problem:
        t.facts |= {"task": "", "canonical": "", "outputs": [], "verdict": "invalid", "reason": problem}
        t.end("the task is not valid", {PROPOSER: f"the task is not valid: {quote(problem)}"})
    else:
        right = f"{rate:.0%} of the solvers are right"
        t.end(right, {seat: f"{right}. Your reward: {paid:.2f}" for seat, paid in t.record.returns.items()})
    known = {} if rate is None else {"base": 0.0, "weight": 1.0, "rate": rate if repeated else 0.0, "paid": paid}
    t.facts |= {
        "solve_rate": rate,
        "repeats": repeated,
        "verdicts": {seat: {"kind": v.kind, "reason": v.reason} for seat, v in verdicts.items()},
        "proposal": known or {"base": -1.0, "weight": 0.0, "rate": 0.0, "paid": 0.0},
        "rewards": earned,
        "idle": [PROPOSER] if pooled else [] if verdicts else solvers,
        "repeat_cost": 1.0,
        "repeat_once": "" if t.closed else "equal",
    }
    if not pooled:
        t.outcome(PROPOSER, right=float(not problem), solved=rate)
    for seat, verdict in verdicts.items():
        t.outcome(seat, right=float(verdict.ok), broke=verdict.kind == "invalid")
