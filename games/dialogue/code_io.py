"""code-io-v0: a proposer writes a program and inputs, k solvers find the output, an input, or the program.

After Absolute Zero (Zhao et al. 2025, arXiv 2505.03335): deduction (program and input given), abduction (program and
output given), induction (half of ten cases and a description given, the other half hidden). Programs run in the
sandbox of `games.verifiers`, several times to see that they are deterministic, also while answers are judged (a task
found out then is invalid and costs its proposer 1); answers are plain data that is read, never evaluated. Its rewards
are those of the code: -0.5 for the proposer where nobody or everybody is right; for the paper's 0 train with the role
`proposer(difficulty=zero_at_zero)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from games.dialogue import code_io_texts as texts
from games.dialogue import code_shown, code_tasks, code_text, rewards
from games.dialogue.code_seeds import SEEDS
from games.dialogue.code_tasks import BLOCK, KINDS, Kind, Task
from games.dialogue.staged import Staged, listed, named, seats_of, share, whole
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.randomness import Stream, derive
from games.speech import quote
from games.verifiers import Verdict, sandbox

ID = "code-io-v0"
PROPOSER = "proposer"
Choice = Literal["mixed", "deduction", "abduction", "induction"]


class CodeIO(Staged):
    """`kind`: deduction, abduction, induction, or mixed: drawn from the seed. `solvers`: k. `cases`: of an induction.

    references: programs shown to the proposer as examples. threshold: above 0, the match is the proposer against the
    solvers, won by it where its task is valid and 0 < p <= threshold. Raises InputError where no sandbox can run.
    """

    pools = True
    blocking = True

    def __init__(
        self, kind: Choice = "mixed", solvers: int = 8, cases: int = 10, references: int = 2, threshold: float = 0.0
    ) -> None:
        super().__init__()
        if kind not in get_args(Choice):
            raise InputError(f"{ID}: kind is {', '.join(get_args(Choice))}, not {kind!r}")
        self.kinds: tuple[Kind, ...] = KINDS if kind == "mixed" else (kind,)
        self.k = whole(ID, "solvers", solvers, 1, 64)
        self.cases = whole(ID, "cases", cases, 2, 20)
        self.references = whole(ID, "references", references, 0, 6)
        self.threshold = share(ID, "threshold", threshold)
        if why := sandbox.unavailable():
            raise InputError(f"{ID}: {why}")
        self.solvers = seats_of("solver", self.k)
        match = self.threshold > 0
        shown = {
            "kind": (kind, "mixed"),
            "solvers": (self.k, 8),
            "cases": (self.cases, 10),
            "references": (self.references, 2),
            "threshold": (self.threshold, 0.0),
        }
        self.spec = GameSpec(
            id=named(ID, shown),
            seats={PROPOSER: PROPOSER} | dict.fromkeys(self.solvers, "solver"),
            payoff="zero_sum" if match else "general_sum",
            rules=texts.rules(self),
            max_turns=1 + self.k,
            returns_range=(-1.0, 1.0),
            teams=((PROPOSER,), self.solvers),
            rated=match,
        )
        self._given: Task | None = None
        self._clear()

    def _clear(self) -> None:
        self._stage, self._due = "over", ()
        self._kind: Kind = self.kinds[0]
        self._shown: tuple[int, ...] = ()
        """which of the seeds the proposer is shown"""
        self._task: Task | None = None
        self._verdict = Verdict("invalid", "nothing was proposed")
        self._verdicts: dict[Seat, Verdict] = {}

    def given(self, task: str) -> None:
        """Play on this task of a pool, as `facts` named it; "": the proposer sets one."""
        try:
            self._given = code_tasks.load(task) if task else None
        except code_text.Unfit as error:
            raise InputError(f"{ID}: {error}") from None

    def reset(self, seed: int) -> None:
        """Draw the kind of task and the examples; run the task where one is given."""
        self._clear()
        stream = Stream(derive(seed, ID))
        self._kind = stream.choice(self.kinds)
        n = 1 if self._kind == "induction" else self.references
        self._shown = tuple(stream.shuffled(range(len(SEEDS)))[:n])
        if self._given is None:
            self._stage, self._due = "propose", (PROPOSER,)
        else:
            self._kind = self._given.kind
            self._put(self._given)

    def _put(self, task: Task) -> None:
        """Run a task and hand it to the solvers, or end the match where it is not valid."""
        try:
            made = code_tasks.made(task)
        except code_text.Unfit as error:
            self._verdict, self._stage, self._due = Verdict("invalid", str(error)), "over", ()
        else:
            self._task, self._verdict = made, Verdict("pass")
            self._stage, self._due = "solve", self.solvers

    def _take(self, said: Mapping[Seat, str]) -> None:
        if self._stage == "propose":
            self._propose(said[PROPOSER])
            return
        assert self._task is not None
        block = BLOCK[self._kind]
        found = {seat: code_text.blocks(text, block)[-1:] for seat, text in said.items()}
        answers = {seat: blocks[0] if blocks else None for seat, blocks in found.items()}
        try:
            self._verdicts = code_tasks.verdicts(self._task, answers)
        except code_text.Unfit as error:  # what is known only now; such a task enters no pool
            self._task = None
            self._end(str(error))
        else:
            self._stage, self._due = "over", ()

    def _propose(self, text: str) -> None:
        inputs = tuple(code_text.blocks(text, "input"))
        if self._kind == "induction":
            message = code_text.blocks(text, "message")
            if len(inputs) != self.cases or len(set(inputs)) < len(inputs) or not message or not message[-1]:
                self._end(f"an induction needs {self.cases} different input blocks and a message block")
                return
            self._put(Task("induction", SEEDS[self._shown[0]][0], inputs, quote(message[-1])[1:-1]))
            return
        programs = code_text.blocks(text, "python")
        if not programs or not inputs:
            self._end("a python block and an input block are needed")
        else:
            self._put(Task(self._kind, programs[-1], inputs[-1:]))

    def _end(self, why: str) -> None:
        self._verdict, self._stage, self._due = Verdict("invalid", why), "over", ()

    def _rate(self) -> float | None:
        """p: the share of the solvers that pass."""
        return sum(v.ok for v in self._verdicts.values()) / self.k if self._verdicts else None

    def _reward(self, seat: Seat) -> float:
        """The published reward of a seat; 0 for one that had nothing to do."""
        if seat == PROPOSER:
            return 0.0 if self._given or self._due else rewards.azr_proposer(self._rate())
        return rewards.azr_solver(self._verdicts[seat].kind) if seat in self._verdicts else 0.0

    def returns(self) -> Mapping[Seat, float]:
        """The published rewards; with a threshold +1 and -1 for the sides, shared by the solvers."""
        if not self.threshold:
            return {seat: self._reward(seat) for seat in self.spec.seats}
        if self._due:
            return dict.fromkeys(self.spec.seats, 0.0)
        rate = self._rate()
        sign = 1.0 if rate is not None and 0.0 < rate <= self.threshold else -1.0
        return {PROPOSER: sign} | dict.fromkeys(self.solvers, -sign / self.k)

    def facts(self) -> Mapping[str, Any]:
        """The task, its verdict, each solver's, how often it was solved, and the rewards."""
        rate = self._rate()
        proposal = {"base": -1.0, "weight": 0.0, "rate": 0.0, "paid": 0.0}
        if rate is not None:
            proposal = {"base": 0.0, "weight": 1.0, "rate": rate, "paid": rewards.azr_proposer(rate)}
        return {
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

    def phase(self, seat: Seat) -> str:
        """propose and solve with the kind of the task, or over."""
        return "over" if self._stage == "over" else f"{self._stage} {self._kind}"

    def observe(self, seat: Seat) -> Observation:
        """What this seat may know of the task, and what it has to do."""
        if self._stage == "over":
            return Observation(listed([code_shown.seen(self._task), self._outcome(seat)]), "over")
        if self._stage == "propose":
            if seat != PROPOSER:
                return Observation("It is the turn of the proposer.", self.phase(seat))
            return Observation(code_shown.duty(self._kind, self._shown, self.cases), self.phase(seat))
        duty = texts.SOLVE[self._kind] if seat in self._due else "It is the turn of the solvers."
        return Observation(listed([code_shown.seen(self._task), duty]), self.phase(seat))

    def _outcome(self, seat: Seat) -> str:
        if not self._verdicts:
            why = f": {quote(self._verdict.reason)}" if seat == PROPOSER else ""
            return f"The match is over: the task is not valid{why}."
        return (
            f"The match is over: {self._rate():.0%} of the solvers are right. Your reward: {self.returns()[seat]:.2f}."
        )

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The proposer's input of an abduction, which the solvers must find.

        What an induction hides is made of the same small numbers as what it shows: no text of it stands for a leak.
        """
        task = self._task
        hides = seat == PROPOSER and task is not None and task.kind == "abduction" and self._stage != "over"
        return (f"f({task.inputs[0]})",) if hides and task is not None else ()

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Valid tasks and an invalid one; right answers, wrong ones and one that cannot be read."""
        if seat not in self._due:
            return ()
        if self._stage == "propose":
            return code_shown.proposals(self._kind, self._shown, self.cases)
        return code_shown.attempts(self._task)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand."""
        return texts.KNOWN.get(self.spec.id, ())
