"""refine-v1: a solver answers, a critic judges the answer without naming the right one, refiners answer again.

The critic is paid for its verdict and for what its critique improves (RefCritic, Tang et al. 2025, arXiv 2507.15024).
With `together` first and refined answers are of one role and group, as in Critique-GRPO (Zhang et al. 2025, arXiv
2506.03106). Without a critic refiners correct answers on their own: SCoRe (Kumar et al. 2024, arXiv 2409.12917), and
with several rounds RISE (Qu et al. 2024, arXiv 2407.18219). The sneaky player and the check of its answers by
completions are SPC's (Chen et al. 2025, arXiv 2504.19162). The verifier of the task says which answers are right.

In a closed game any answer of a list is as likely to be right as any other. The verdicts of a critic are weighed over
the batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from annotated_types import Interval

from games.dialogue.answers import CORRECTNESS
from games.dialogue.listed import Problems
from games.dialogue.messages import SHOWN, said
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common.rewards import drops
from games.native.common.sourced import SourcedGame
from games.native.common.stages import Share, game_id, joined, seats_of
from games.native.refine import rewards
from games.native.refine import rules as texts
from games.native.refine.handed import hands_over
from games.outcome import SeatOutcome
from games.quoting import quote
from games.randomness import RandomStream, derive
from games.shortcut_modules import suite_beside

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

NAME = "refine"
ID = f"{NAME}-v1"
SEED = "refine-v0"
"""part of every seed; the published figures were drawn with it"""
SOLVER, SNEAKY, CRITIC = "solver", "sneaky", "critic"
Weight = Annotated[float, Interval(ge=0, le=10)]


class RefineGame(SourcedGame):
    """A solver answers, a critic judges the answer, refiners answer again.

    After RefCritic (arXiv 2507.15024), Critique-GRPO (2506.03106), SCoRe (2409.12917), RISE (2407.18219) and SPC
    (2504.19162).

    refiners: how many.
    sneaky: half of the shown answers are right by construction, so that a constant verdict earns nothing more than a
    random one; without it the critic reads the solver's own answer, as published.
    critic: whether there is one.
    rollouts: completers that check a sneaky answer.
    drop: how far their success must drop from that answer, for it to count.
    weight: what the refined accuracy is worth to the critic.
    bonus: SCoRe's for refiners (the paper's is 10).
    together: refiners have the role of the solver.
    rounds: how often each refiner answers.
    tasks: the id of a task source.
    closed: answers are chosen from four, and the critique is the verdict alone.
    problems: above 0, matches are about this many tasks of the source, for tiny models.
    """

    def __init__(
        self,
        refiners: Annotated[int, Interval(ge=1, le=8)] = 2,
        sneaky: bool = True,
        critic: bool = True,
        rollouts: Annotated[int, Interval(ge=0, le=8)] = 0,
        drop: Share = 0.5,
        weight: Weight = 1.0,
        bonus: Weight = 0.0,
        together: bool = False,
        rounds: Annotated[int, Interval(ge=1, le=4)] = 1,
        tasks: str = "arithmetic",
        closed: bool = False,
        problems: Problems = 0,
    ) -> None:
        super().__init__(tasks, problems)
        if rollouts and not sneaky:
            raise InputError("refine: completions check the sneaky player's answers; leave out rollouts or sneaky")
        params: dict[str, Value] = {"refiners": refiners, "sneaky": sneaky, "critic": critic, "rollouts": rollouts}
        params |= {"drop": drop, "weight": weight, "bonus": bonus, "together": together, "rounds": rounds}
        params |= {"tasks": self._tasks.id, "closed": closed, "problems": problems}
        id = game_id(ID, RefineGame, params)
        self.refiners, self.completers = seats_of("refiner", refiners), seats_of("completer", rollouts)
        self.balance, self.drop, self.weight, self.bonus = sneaky, float(drop), float(weight), float(bonus)
        self.critic, self.rounds, self.closed = critic, rounds, closed
        seats = {SOLVER: "solver"} | ({SNEAKY: "refine-sneaky"} if sneaky else {})
        seats |= dict.fromkeys(self.completers, "completer") | ({CRITIC: "refine-critic"} if critic else {})
        self.spec = GameSpec(
            id=id,
            seats=seats | dict.fromkeys(self.refiners, "solver" if together else "refiner"),
            payoff="general_sum",
            rules=texts.rules(sneaky, critic, rollouts, rounds, closed),
            max_turns=3 + 2 * rollouts + refiners * rounds,
            returns_range=(-1.0, 1.0 + self.weight),
            rated=False,
            demonstrations={} if closed else texts.demonstrations(self._tasks),
        )
        self._forget()

    def _forget(self) -> None:
        self._wanted_right = False
        self._first: str | None = None
        self._first_right = False
        self._shown: str | None = None
        """the answer that critic and refiners read; None before there is one"""
        self._shown_right = False
        self._by = SOLVER
        """whose answer is shown: solver, sneaky or reference"""
        self._drafts: list[str] = []
        """what completers finish next"""
        self._completed: list[list[bool]] = []
        self._critique: str | None = None
        self._verdict: str | None = None
        self._handed = False
        self._refined: dict[Seat, list[str | None]] = {seat: [] for seat in self.refiners}
        self._right: dict[Seat, list[bool]] = {seat: [] for seat in self.refiners}
        self._acted: set[Seat] = set()

    def reset(self, seed: int) -> None:
        """Draw the task, and whether a right or a wrong answer is to be judged."""
        self._start()
        self._forget()
        self._posed(seed)
        self._list(seed)
        self._wanted_right = RandomStream(derive(seed, SEED)).below(2) == 0
        self._due = (SOLVER,)

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        self._acted |= said_by.keys()
        if SOLVER in said_by:
            self._hear_solver(said_by[SOLVER])
        elif SNEAKY in said_by:
            self._hear_sneaky(said_by[SNEAKY])
        elif CRITIC in said_by:
            self._hear_critic(said_by[CRITIC])
        elif self.refiners[0] in said_by:
            self._hear_refiners(said_by)
        else:
            self._hear_completers(said_by)

    def _graded(self, seat: Seat, text: str) -> tuple[str | None, bool]:
        """The answer in a message, as others read it, and whether it is right."""
        assert self._task is not None
        found, why = self._given_answer(text)
        self._miss(seat, why)
        if found.content is None:
            return None, False
        return quote(found.content)[1:-1], self._tasks.verdict(self._task, found.content).ok

    def _hear_solver(self, text: str) -> None:
        assert self._task is not None
        self._first, self._first_right = self._graded(SOLVER, text)
        kept = not self.balance or self._first_right == self._wanted_right
        if kept and (self._first is not None or not self.balance):
            self._show(self._first or "no answer", self._first_right, SOLVER)
        elif self._wanted_right:
            self._show(self._task.answer, True, "reference")
        else:
            self._due = (SNEAKY,)

    def _hear_sneaky(self, text: str) -> None:
        assert self._task is not None
        answer, right = self._graded(SNEAKY, text)
        self._by, self._due = SNEAKY, ()
        if answer is None or right:
            return
        self._shown = answer
        if self.completers:
            self._drafts, self._due = [self._task.answer, answer], self.completers
        else:
            self._show(answer, False, SNEAKY)

    def _hear_completers(self, said_by: Mapping[Seat, str]) -> None:
        """The wrong draft is finished first, then the right one."""
        self._drafts.pop()
        self._completed.append([self._graded(seat, text)[1] for seat, text in said_by.items()])
        if self._drafts:
            return
        wrong, right = self._completed
        if drops(wrong, right, self.drop):
            self._show(str(self._shown), False, SNEAKY)
        else:
            self._shown, self._due = None, ()

    def _show(self, answer: str, right: bool, by: str) -> None:
        self._shown, self._shown_right, self._by = answer, right, by
        self._due = (CRITIC,) if self.critic else self.refiners

    def _hear_critic(self, text: str) -> None:
        assert self._task is not None
        self._verdict = self._read(CRITIC, text, CORRECTNESS)
        known = f"{self._task.question}\n{self._shown}"
        self._handed = hands_over(text, self._task.answer, known)
        self._critique, self._due = text, self.refiners

    def _hear_refiners(self, said_by: Mapping[Seat, str]) -> None:
        for seat, text in said_by.items():
            answer, right = self._graded(seat, text)
            self._refined[seat].append(answer)
            self._right[seat].append(right)
        self._due = self.refiners if len(self._right[self.refiners[0]]) < self.rounds else ()

    @property
    def _judged(self) -> bool | None:
        """Whether the verdict is true; None without one."""
        return None if self._verdict is None else (self._verdict == "correct") == self._shown_right

    def returns(self) -> Mapping[Seat, float]:
        """1 for right answers; the sneaky player and the critic as in `games.native.refine.rewards`; 0 if not asked."""
        out = dict.fromkeys(self.spec.seats, 0.0)
        if not self._over:
            return out
        out[SOLVER] = float(self._first_right)
        last = {seat: right[-1] for seat, right in self._right.items() if right}
        out |= {seat: float(right) for seat, right in last.items()}
        if CRITIC in self._acted:
            out[CRITIC] = rewards.critic(self._judged, list(last.values()), self.weight, self._handed)
        if SNEAKY in self._acted and self._shown is None:
            out[SNEAKY] = rewards.sneaky(None)
        elif SNEAKY in self._acted and self.critic:
            out[SNEAKY] = rewards.sneaky(self._verdict == "correct")
        return out

    def facts(self) -> Mapping[str, Any]:
        """The task, the answers and whether they are right, the verdict, idle seats, and the credits of all seats."""
        if self._task is None:
            return {}
        last = {seat: right[-1] for seat, right in self._right.items() if right}
        credit = dict(self.returns())
        credit |= {seat: rewards.refiner(self._shown_right, right, self.bonus) for seat, right in last.items()}
        idle = [seat for seat in self.spec.seats if seat not in self._acted or seat in self.completers]
        return (
            self._task_facts()
            | {
                "outcomes": {
                    seat: asdict(outcome) | {"unread": list(outcome.unread)}
                    for seat, outcome in self.outcomes().items()
                },
                "answers": {SOLVER: self._first} | {seat: of[-1] for seat, of in self._refined.items() if of},
                "right": {SOLVER: self._first_right} | last,
                "rounds": {seat: [float(right) for right in of] for seat, of in self._right.items()},
                "shown": {"answer": self._shown, "right": self._shown_right, "by": self._by},
                "completed": self._completed,
                "verdict": self._verdict,
                "verdict_right": self._judged,
                "handed_over": self._handed,
                "idle": idle,
                "rewards": credit,
            }
            | self._heard()
        )

    def outcomes(self) -> Mapping[Seat, SeatOutcome]:
        """Returns whether answers and verdicts are right, and which seats broke a rule or were not asked."""
        right = {SOLVER: self._first_right} | {seat: answers[-1] for seat, answers in self._right.items() if answers}
        right |= {CRITIC: self._judged is True, SNEAKY: self._shown is not None}
        return {
            seat: SeatOutcome(
                reward,
                right=float(right[seat]) if seat in self._acted and seat in right else None,
                broke=seat == CRITIC and self._handed,
                asked=seat in self._acted,
                unread=tuple(self._unread.get(seat, ())),
            )
            for seat, reward in self.returns().items()
        }

    def phase(self, seat: Seat) -> str:
        """`solve` and the kind of the task, spoil, complete, critique or refine."""
        if seat == SOLVER:
            return "solve" if self._task is None else f"solve {self._task.kind}"
        if seat in self.refiners:
            return "refine"
        return {SNEAKY: "spoil", CRITIC: "critique"}.get(seat, "complete")

    def observe(self, seat: Seat) -> Observation:
        """The question, and what the seat's task is about."""
        lines = [texts.question(self._task)]
        if seat == SNEAKY and self._task is not None:
            lines += [f"The right answer: {self._task.answer}", self._duty(texts.SPOIL)]
        elif seat in self.refiners:
            lines += self._to_refine(seat)
        elif seat == CRITIC:
            lines += [f"The answer to judge: {self._public}", self._duty(texts.JUDGE)] if self._public else []
        elif seat in self.completers:
            lines += [f"A draft of the answer: {self._drafts[-1]}", self._duty(texts.FINISH)] if self._drafts else []
        else:
            lines.append(self._duty(texts.DUTY))
        if self._over:
            lines.append("The match is over.")
        return Observation(joined(lines), self.phase(seat))

    def _duty(self, text: str) -> str:
        """The instruction of a seat that writes; "" for one that chooses."""
        return "" if self.closed else text

    @property
    def _public(self) -> str | None:
        """The answer that critic and refiners may read."""
        return None if self._drafts else self._shown

    def _to_refine(self, seat: Seat) -> list[str]:
        """What a refiner reads after the question."""
        if self._public is None:
            return []
        lines = [f"The earlier answer: {self._public}"]
        if self._critique is not None:
            lines.append(texts.WITHHELD if self._handed else said("critique", self._critique))
        if self._refined[seat] and not self._over:
            lines.append(f"Your last answer: {self._refined[seat][-1] or 'none'}")
        return [*lines, self._duty(texts.REFINE)]

    def _limit(self, seat: Seat) -> int | None:
        return SHOWN if seat == CRITIC else None

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self.closed:
            return ("correct", "incorrect") if seat == CRITIC else self._listed
        if seat == CRITIC:
            return ("It is fine. correct", "It is too small. incorrect", "Hm.")
        return ("<answer>42</answer>", "<answer>Yes</answer>", "I do not know", "42 perhaps")

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of this game, if the scripts can solve its tasks."""
        solvable = self._tasks.solve(self._tasks.draw(0).question) is not None
        return suite_beside(self) if solvable and self.critic and self.balance and not self.completers else None

    def spectate(self) -> str:
        """The question, all answers and the critique."""
        lines = [texts.question(self._task), f"solver: {self._first}", f"shown, by {self._by}: {self._shown}"]
        lines += [] if self._critique is None else [said(CRITIC, self._critique)]
        lines += [f"{seat}: {' / '.join(map(str, of))}" for seat, of in self._refined.items() if of]
        return "\n".join([*lines, "over" if self._over else "not over"])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches in which all goes well, the critic hands the answer over, and the sneaky player fails."""
        from games.native.refine.known import outcomes

        return outcomes(self)
