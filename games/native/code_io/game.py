"""code-io-v1: a proposer writes a program and inputs, k solvers find the output, an input, or the program.

After Absolute Zero (Zhao et al. 2025, arXiv 2505.03335): deduction (program and input given), abduction (program and
output given), induction (a description and half of ten cases given, the other half hidden). Programs run several times
in the sandbox of `games.verifiers`, also while answers are judged; a task that turns out not to be deterministic is
invalid and costs its proposer 1. Answers are plain data, which is parsed and never evaluated. The rewards are those of
the published code: -0.5 for the proposer if all or none are right; for 0, as in the paper, train with the role
`proposer(difficulty=zero_at_zero)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from annotated_types import Interval

import games.tasks
from games.dialogue.messages import SHOWN, shown
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.code_io import lists, programs, tasks, views
from games.native.code_io import rules as texts
from games.native.code_io.examples import seed_programs
from games.native.code_io.guess import refuse_guessable
from games.native.code_io.tasks import BLOCK, KINDS, Kind, Task
from games.native.common import rewards
from games.native.common.stages import Share, StagedGame, game_id, joined, seats_of
from games.quoting import quote
from games.randomness import RandomStream, derive
from games.tasks.programs import ProgramSource, TaskProgram
from games.verifiers import Verdict, python

ID = "code-io"
PROPOSER = "proposer"
_ARGUMENTS = 11
"""arguments of an example: one that is shown and ten for the example messages of an induction"""


def _program_source(id: str) -> ProgramSource:
    source = games.tasks.make(id)
    if not isinstance(source, ProgramSource):
        raise InputError(f"{ID}: {source.id} has no programs; write tasks=programs, or programs(steps=2)")
    return source


class CodeIOGame(StagedGame):
    """A proposer writes a program; solvers find its output, an input, or the program from its cases (Absolute Zero).

    kind: deduction, abduction, induction, or mixed, which draws one. solvers: how many answer. cases: of an
    induction. references: the number of example programs shown to the proposer. threshold: above 0, the proposer
    plays against the solvers and wins if its task is valid and 0 < p <= threshold. tasks: the id of the task source
    `programs`, which generates the examples and the programs of inductions; without it they are ten fixed ones.
    guessable: a proposal is invalid if its modal answer has a larger share among the outputs of similar inputs
    (`games.native.code_io.guess`); 1, as in code-io-v0: none is. repeats: as in psj-v1. size: above 0, programs,
    inputs and outputs of deductions are chosen from lists, with numbers from 0 to `size`; a match offers eight
    programs. Raises InputError if no sandbox can run.
    """

    version = 1
    pools = True
    blocking = True

    def __init__(
        self,
        kind: Literal["mixed", "deduction", "abduction", "induction"] = "mixed",
        solvers: Annotated[int, Interval(ge=1, le=64)] = 8,
        cases: Annotated[int, Interval(ge=2, le=20)] = 10,
        references: Annotated[int, Interval(ge=0, le=6)] = 2,
        threshold: Share = 0.0,
        tasks: str = "",
        guessable: Share | None = None,
        repeats: Annotated[float, Interval(ge=0, le=10)] | None = None,
        size: Annotated[int, Interval(ge=0, le=9)] = 0,
    ) -> None:
        super().__init__()
        if size and (kind != "deduction" or tasks):
            raise InputError(f"{ID}: size={size} is for deductions from lists; write kind=deduction, leave out tasks")
        usual = {"guessable": 0.25, "repeats": 1.0} if self.version else {"guessable": 1.0, "repeats": 0.0}
        self.guessable = usual["guessable"] if guessable is None else float(guessable)
        self.repeats = usual["repeats"] if repeats is None else float(repeats)
        params: dict[str, Value] = {"kind": kind, "solvers": solvers, "cases": cases, "references": references}
        params |= {"threshold": threshold, "size": size}
        self._programs = _program_source(tasks) if tasks else None
        if self._programs is not None:
            self.task_source, params["tasks"] = self._programs, self._programs.id
        params |= {"guessable": self.guessable, "repeats": self.repeats}
        id = game_id(f"{ID}-v{self.version}", CodeIOGame, params, usual)
        if why := python.unavailable():
            raise InputError(f"{ID}: {why}")
        self.size, self.closed = size, size > 0
        self.kinds: tuple[Kind, ...] = KINDS if kind == "mixed" else (kind,)
        self.k, self.cases, self.references, self.threshold = solvers, cases, references, float(threshold)
        self.solvers = seats_of("solver", self.k)
        match = self.threshold > 0
        self.spec = GameSpec(
            id=id,
            seats={PROPOSER: PROPOSER} | dict.fromkeys(self.solvers, "solver"),
            payoff="zero_sum" if match else "general_sum",
            rules=texts.rules(self.kinds, self.k, self.threshold, self.guessable < 1),
            max_turns=1 + self.k,
            returns_range=(-1.0, 1.0),
            teams=((PROPOSER,), self.solvers),
            rated=match,
            demonstrations=texts.DEMONSTRATIONS,
        )
        self._given: Task | None = None
        self._earlier: tuple[Task, ...] = ()
        """tasks of a pool that the proposer is shown"""
        self._clear()

    def _clear(self) -> None:
        self._stage, self._due = "over", ()
        self._kind: Kind = self.kinds[0]
        self._shown: tuple[TaskProgram, ...] = ()
        """the examples that the proposer is shown, or the program that it describes"""
        self._parents: tuple[Task, ...] = ()
        """the tasks of a pool among them"""
        self._offered: tuple[str, ...] = ()
        """the proposals to choose from in a closed game"""
        self._task: Task | None = None
        self._verdict = Verdict("invalid", "nothing was proposed")
        self._verdicts: dict[Seat, Verdict] = {}

    def load_task(self, task: str) -> None:
        """Play on this task from a pool, in the form of `facts()["task"]`; "": the proposer sets one.

        With a text of `with_references` the proposer sets one after it has seen earlier ones.
        """
        try:
            self._earlier = tasks.references(task)
            self._given = tasks.load(task) if task and not self._earlier else None
        except programs.Unfit as error:
            raise InputError(f"{ID}: {error}") from None
        if self._given is not None and self.closed and lists.proposal_of(self._given) not in lists.proposals(self.size):
            raise InputError(f"{ID}: this task is not in the list of a closed game of size {self.size}")

    def with_references(self, tasks_of_pool: Sequence[str]) -> str:
        """The text of a match whose proposer is shown these tasks; an induction is about the program of the first."""
        return tasks.referring(tasks_of_pool) if tasks_of_pool else ""

    def reset(self, seed: int) -> None:
        """Draw the kind of task and the examples; run the task if one is given."""
        self._clear()
        self._start()
        stream = RandomStream(derive(seed, "code-io-v0"))
        self._kind = stream.choice(self.kinds)
        if self.closed:
            self._offered = tuple(stream.shuffled(lists.proposals(self.size))[: lists.OFFERED])
        n = 1 if self._kind == "induction" else self.references
        if self._programs is None:
            self._shown = tuple(stream.shuffled(seed_programs())[:n])
        else:
            self._shown = tuple(self._programs.program(derive(seed, "example", i), _ARGUMENTS) for i in range(n))
        self._parents = self._earlier[:n]
        earlier = tuple(TaskProgram(task.program, task.inputs, task.message) for task in self._parents)
        self._shown = (*earlier, *self._shown)[:n]
        if self._given is None:
            self._stage, self._due = "propose", (PROPOSER,)
        else:
            self._kind = self._given.kind
            self._put(self._given)

    def _put(self, task: Task) -> None:
        """Run a task and hand it to the solvers, or end the match if it is not valid."""
        try:
            made = tasks.made(task)
            if self._given is None:
                refuse_guessable(made, self.guessable)
                self._refuse_old(made)
        except programs.Unfit as error:
            self._verdict, self._stage, self._due = Verdict("invalid", str(error)), "over", ()
        else:
            self._task, self._verdict = made, Verdict("pass")
            self._stage, self._due = "solve", self.solvers

    def _refuse_old(self, task: Task) -> None:
        """Raise Unfit for an earlier program with an input that its task had."""
        for parent in self._parents:
            if parent.program == task.program and (repeated := set(parent.inputs).intersection(task.inputs)):
                raise programs.Unfit(f"the input {min(repeated)[:40]} of this program is one of the earlier task")

    def _take(self, said: Mapping[Seat, str]) -> None:
        if self._stage == "propose":
            self._propose(said[PROPOSER])
            return
        assert self._task is not None
        block = BLOCK[self._kind]
        found = {seat: programs.blocks(text, block)[-1:] for seat, text in said.items()}
        answers = {seat: blocks[0] if blocks else None for seat, blocks in found.items()}
        try:
            self._verdicts = tasks.verdicts(self._task, answers)
            for seat, answer in answers.items():
                self._miss(seat, "" if answer is not None else f"no {block} block")
        except programs.Unfit as error:  # judging showed that the task is invalid; it must not enter a pool
            self._task = None
            self._end(str(error))
        else:
            self._stage, self._due = "over", ()

    def _propose(self, text: str) -> None:
        inputs = tuple(programs.blocks(text, "input"))
        if self._kind == "induction":
            inputs = inputs[-self.cases :]
            message = programs.blocks(text, "message")
            if len(inputs) != self.cases or len(set(inputs)) < len(inputs) or not message or not message[-1]:
                self._end(f"an induction needs {self.cases} different input blocks and a message block")
                return
            self._count_cut(PROPOSER, message[-1], SHOWN)
            self._put(Task("induction", self._shown[0].code, inputs, shown(message[-1])[1:-1]))
            return
        written = programs.blocks(text, "python")
        if not written or not inputs:
            self._end("a python block and an input block are needed")
        else:
            self._put(Task(self._kind, written[-1], inputs[-1:]))

    def _end(self, why: str) -> None:
        self._verdict, self._stage, self._due = Verdict("invalid", why), "over", ()

    def _rate(self) -> float | None:
        """p: the share of the solvers that are right."""
        return sum(v.ok for v in self._verdicts.values()) / self.k if self._verdicts else None

    def _reward(self, seat: Seat) -> float:
        """The published reward of a seat; 0 for an idle one."""
        if seat == PROPOSER:
            return 0.0 if self._given or self._due else rewards.azr_proposer(self._rate())
        return rewards.azr_solver(self._verdicts[seat].kind) if seat in self._verdicts else 0.0

    def returns(self) -> Mapping[Seat, float]:
        """The published rewards; with a threshold 1 and -1 for the two sides, shared among the solvers."""
        if not self.threshold:
            return {seat: self._reward(seat) for seat in self.spec.seats}
        if self._due:
            return dict.fromkeys(self.spec.seats, 0.0)
        return rewards.sides(PROPOSER, self.solvers, self._rate(), self.threshold)

    def facts(self) -> Mapping[str, Any]:
        """The task and its verdict, the verdict of each solver, the solve rate and the rewards."""
        rate = self._rate()
        proposal = {"base": -1.0, "weight": 0.0, "rate": 0.0, "paid": 0.0}
        if rate is not None:
            proposal = {"base": 0.0, "weight": 1.0, "rate": rate, "paid": rewards.azr_proposer(rate)}
        return (
            {
                "task": "" if self._task is None else self._task.text(),
                "kind": self._kind,
                "pooled": self._given is not None,
                "verdict": self._verdict.kind,
                "reason": self._verdict.reason,
                "outputs": [] if self._task is None else list(self._task.shown),
                "solve_rate": rate,
                "verdicts": {seat: {"kind": v.kind, "reason": v.reason} for seat, v in self._verdicts.items()},
                "proposal": proposal,
                "rewards": {s: self._reward(s) for s in self.spec.seats},
                "idle": [PROPOSER] if self._given else [] if self._verdicts else list(self.solvers),
            }
            | ({"repeat_cost": self.repeats} if self.repeats else {})
            | ({"parents": [parent.text() for parent in self._parents]} if self._parents else {})
            | self._heard()
        )

    def phase(self, seat: Seat) -> str:
        """propose or solve, followed by the kind of the task; over."""
        return "over" if self._stage == "over" else f"{self._stage} {self._kind}"

    def observe(self, seat: Seat) -> Observation:
        """The part of the task that the seat may know, and its instruction."""
        if self._stage == "over":
            return Observation(joined([views.seen(self._task), self._outcome(seat)]), "over")
        if self._stage == "propose":
            if seat != PROPOSER:
                return Observation("Waiting for the proposer.", self.phase(seat))
            return Observation(views.duty(self._kind, self._shown, self.cases, bool(self._parents)), self.phase(seat))
        duty = texts.SOLVE[self._kind] if seat in self._due else "Waiting for the solvers."
        return Observation(joined([views.seen(self._task), duty]), self.phase(seat))

    def _outcome(self, seat: Seat) -> str:
        if not self._verdicts:
            why = f": {quote(self._verdict.reason)}" if seat == PROPOSER else ""
            return f"The match is over: the task is not valid{why}."
        return (
            f"The match is over: {self._rate():.0%} of the solvers are right. Your reward: {self.returns()[seat]:.2f}."
        )

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The proposer's input of an abduction, which the solvers must find.

        The hidden cases of an induction consist of the same small numbers as the shown ones, so no text proves a leak.
        """
        task = self._task
        hides = seat == PROPOSER and task is not None and task.kind == "abduction" and self._stage != "over"
        return (f"f({task.inputs[0]})",) if hides and task is not None else ()

    def disclosure(self, seat: Seat) -> str:
        """What the solvers read of an abduction: the result of the call that they must find."""
        task = self._task
        return task.shown[0] if seat == PROPOSER and task is not None and task.kind == "abduction" else ""

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self.closed:
            return self._offered if self._stage == "propose" else lists.outputs(self.size)
        if self._stage == "propose":
            return views.proposals(self._kind, self._shown, self.cases, bool(self._parents))
        return views.attempts(self._task)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches with some of the parameters."""
        return texts.KNOWN.get(self.spec.id, ())


class PublishedCodeIOGame(CodeIOGame):
    """code-io-v0: a task may be guessed."""

    version = 0
