"""critic-v1: a sneaky player writes a wrong step of a solution, a critic says whether the step it sees is correct.

The game of SPC (Chen et al. 2025, arXiv 2504.19162) on arithmetic, so that every step can be recomputed exactly; the
paper estimates whether a step is correct by completing the solution many times. In some matches the critic is shown the
correct step, so that always answering "incorrect" does not pay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Interval

from games.dialogue.answers import CORRECTNESS, equation
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common import tags
from games.native.common.rewards import drops
from games.native.common.sourced import SourcedGame
from games.native.common.stages import Share, game_id, seats_of
from games.native.critic.errors import ERROR_TEXT, STEP_ERRORS, StepError, error_of
from games.native.critic.rules import ANSWERS, COMPLETIONS, DEMONSTRATIONS, FINISH, answer_rules, rules
from games.quoting import quote
from games.randomness import RandomStream, derive
from games.tasks import TaskSource
from games.verifiers.arithmetic import number, value

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

SNEAKY, COMPLETER, CRITIC = "sneaky", "completer", "critic"
_STEP = re.compile(r"([-+*/×÷−()\d\s.]{1,80})=([-−\d\s./]{1,30})", re.ASCII)
StepVerdict = Literal["right", "wrong", "invalid"]


def recomputed(step: str, result: Fraction) -> StepVerdict:
    """`right` if both sides of the step are equal to `result`, `invalid` if the text is not a step, else `wrong`."""
    match = _STEP.fullmatch(" ".join(step.split()))
    left, right = (value(match[1]), number(match[2])) if match else (None, None)
    if left is None or right is None:
        return "invalid"
    return "right" if left == right == result else "wrong"


def step_of(text: str) -> str:
    """Returns the step of a message in plain signs; the whole message if it has none, which `recomputed` refuses."""
    return equation(text).value or text


class CriticGame(SourcedGame):
    """A sneaky player writes a wrong step of a solution of `steps` steps; a critic says whether a step is correct.

    `control`: the share of matches in which the critic is shown the correct step.
    `closed`: steps and verdicts are chosen from lists. `size`: above 0, for a closed game of one step, it is a sum
    a + b with a and b up to `size`, for tiny models. `tasks`: the id of a task source (`games.tasks`); the solution
    is then the answer to a task, graded by the verifier of the source. `errors`: the kind of error that the sneaky
    player has to make is drawn, as in SPC; another kind is not accepted (`games.native.critic.errors`). `rollouts`:
    completers who finish the solution from the correct step and from the wrong one, as in SPC. `drop`: how far their
    success must drop for the wrong step to count. `balanced`: the correct and the wrong steps of a batch weigh the same
    in the critic's credit, so that a constant verdict earns nothing where the sneaky player often fails.
    """

    version = 1

    def __init__(
        self,
        steps: Annotated[int, Interval(ge=1, le=12)] = 4,
        # int as well, so that ids in older stores (control=0) stay canonical
        control: Annotated[int | float, Interval(ge=0, le=1)] = 0.5,
        closed: bool = False,
        tasks: str = "",
        errors: bool = False,
        rollouts: Annotated[int, Interval(ge=0, le=8)] = 0,
        drop: Share = 0.5,
        size: Annotated[int, Interval(ge=0, le=9)] = 0,
        balanced: bool | None = None,
    ) -> None:
        super().__init__(tasks)
        usual = self.version > 0
        self.balanced = usual if balanced is None else balanced
        if size and (not closed or steps != 1 or tasks):
            raise InputError(
                f"critic: size={size} is for a closed game of one step; write closed=true, steps=1, no tasks"
            )
        if rollouts and (closed or tasks):
            raise InputError("critic: completers finish written steps; leave out rollouts, or closed and tasks")
        params: dict[str, Value] = {"steps": steps, "control": control, "closed": closed}
        if self._source is not None:
            if errors:
                raise InputError("critic: errors are kinds of wrong arithmetic steps; leave out tasks or errors")
            params["tasks"] = self._source.id
        params |= {"errors": errors, "rollouts": rollouts, "drop": drop, "size": size, "balanced": self.balanced}
        id = game_id(f"critic-v{self.version}", CriticGame, params, {"balanced": usual})
        self.completers, self.drop = seats_of(COMPLETER, rollouts), float(drop)
        self.steps, self.control, self.closed, self.size = steps, control, closed, size
        self.spec = GameSpec(
            id=id,
            seats={SNEAKY: SNEAKY} | dict.fromkeys(self.completers, COMPLETER) | {CRITIC: CRITIC},
            payoff="general_sum",
            rules=answer_rules(closed) if tasks else rules(closed, errors, rollouts > 0),
            max_turns=2 + 2 * rollouts,
            returns_range=(-1.0, 1.0),
            rated=not rollouts,
            demonstrations=ANSWERS if tasks else {**DEMONSTRATIONS, **COMPLETIONS} if rollouts else DEMONSTRATIONS,
        )
        self.errors = errors
        self._error: StepError | None = None
        """the kind of error to make"""
        self._made: StepError | None = None
        """the kind of the error that was made"""
        self._problem = ""
        self._before: list[str] = []
        self._true, self._shown = "", ""
        self._result = self._final = Fraction(0)
        self._drafts: list[str] = []
        """steps that completers go on from next: the correct one, then the wrong one"""
        self._completed: list[list[bool]] = []
        self._options: dict[Seat, tuple[str, ...]] = {}
        self._plain = False
        """the critic is shown the correct step"""
        self._verdict: StepVerdict = "right"
        self._called_correct: bool | None = None

    def reset(self, seed: int) -> None:
        """Draw a problem, the step in question, and whether the critic is shown the correct one."""
        self._start()
        stream = RandomStream(derive(seed, "critic-v0"))
        if self._source is None:
            self._draw_step(stream)
        else:
            self._draw_answer(self._source, stream, seed)
        self._plain = stream.random() < self.control
        self._verdict, self._called_correct, self._made = "right", None, None
        self._drafts, self._completed = [], []
        self._shown = self._true if self._plain else ""
        self._due = (CRITIC,) if self._plain else (SNEAKY,)
        self._error = stream.choice(STEP_ERRORS) if self.errors else None

    def _draw_answer(self, source: TaskSource, stream: RandomStream, seed: int) -> None:
        """A task, its reference answer, and wrong answers."""
        task = self._posed(seed)
        self._problem, self._before, self._true = task.question, [], task.answer
        wrong = source.wrong_answers(task, stream, 3)
        self._options = {
            SNEAKY: tuple(stream.shuffled([self._true, *wrong])),
            CRITIC: ("correct", "incorrect"),
        }

    def _draw_step(self, stream: RandomStream) -> None:
        """A problem and one step of its solution."""
        start = now = stream.below(self.size + 1) if self.size else 2 + stream.below(40)
        asked, lines, results, sides = [f"Start with {start}."], [], [], []
        for _ in range(self.steps):
            words, sign, by = ("Add", "+", 1 + stream.below(self.size)) if self.size else _operation(stream, now)
            asked.append(f"{words} {by}.")
            after = {"+": now + by, "-": now - by, "*": now * by}[sign]
            lines.append(f"{now} {sign} {by} = {after}")
            results.append(after)
            sides.append((now, sign, by))
            now = after
        at = stream.below(self.steps)
        self._problem = " ".join([*asked, "What is the result?"])
        self._before, self._true, self._result = lines[:at], lines[at], Fraction(results[at])
        self._final = Fraction(results[-1])
        self._options = {SNEAKY: _spoiled(*sides[at], results[at], stream), CRITIC: ("correct", "incorrect")}

    def phase(self, seat: Seat) -> str:
        """`spoil` for the sneaky player, `complete` for completers, `judge` for the critic."""
        return "spoil" if seat == SNEAKY else "judge" if seat == CRITIC else "complete"

    def observe(self, seat: Seat) -> Observation:
        """The problem, the solution so far, and the correct step (sneaky player) or the step to judge (critic)."""
        lines = [f"Problem: {self._problem}"]
        if self._task is None:
            lines += ["Solution so far:", *(self._before or ["(nothing yet)"])]
        if seat in self.completers and self._drafts:
            lines += [self._drafts[0], FINISH]
        if seat == SNEAKY:
            lines.append(f"The correct {'next step' if self._task is None else 'answer'}: {self._true}")
        if seat == SNEAKY and self._error is not None:
            lines.append(f"The error to make: {ERROR_TEXT[self._error]}")
        if self._shown and (seat == CRITIC or not self._plain):
            lines.append(f"The {'step' if self._task is None else 'answer'} to judge: {self._shown}")
        if self._over:
            lines.append("The match is over.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """1 or -1 by whether the critic is right; -1 for an unreadable verdict or step; 0 for an idle sneaky player."""
        out = dict.fromkeys(self.spec.seats, 0.0)
        if not self._over:
            return out
        if self._verdict != "wrong" and not self._plain:
            out[SNEAKY] = -1.0  # a correct step or no step at all: the critic is not asked
        elif self._called_correct is None:
            out[CRITIC] = -1.0
        else:
            out[CRITIC] = 1.0 if self._called_correct == self._plain else -1.0
            out[SNEAKY] = 0.0 if self._plain else -out[CRITIC]
        return out

    def facts(self) -> Mapping[str, Any]:
        """Both steps, the idle seat, the verdict of the recomputation and that of the critic."""
        return {
            "true": self._true,
            "shown": self._shown,
            "idle": [*([SNEAKY] if self._plain else []), *self.completers],
            "verdict": self._verdict,
            "found_correct": self._called_correct,
            **({"balanced": True} if self.balanced else {}),
            **({"error": self._error, "made": self._made} if self.errors else {}),
            **({"completed": self._completed} if self.completers else {}),
            **({} if self._task is None else {"task": self._task.id, "kind": str(self._task.kind)}),
            **({"pooled": bool(self._given)} if self._task is not None else {}),
        } | self._heard()

    def spectate(self) -> str:
        """The problem, both steps and the verdicts."""
        verdict = {None: "no verdict", True: "correct", False: "incorrect"}[self._called_correct]
        end = f"step {self._verdict}, critic: {verdict}" if self._over else "not over"
        kind = "shown as it is" if self._plain else f"shown: {self._shown}"
        return "\n".join([self._problem, *self._before, f"true: {self._true}", kind, end])

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of this game, whose scripts complete no solution."""
        return None if self.completers else super().shortcuts()

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Seven matches with the default parameters."""
        return _known() if self.spec.id == f"critic-v{self.version}" else ()

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if seat in self.completers:
            return (f"<answer>{self._final}</answer>", "<answer>0</answer>", "I do not know.")
        return self._options[seat]

    def _take(self, said: Mapping[Seat, str]) -> None:
        if self._drafts:
            self._hear_completers(said)
            return
        ((seat, text),) = said.items()
        if seat == CRITIC:
            verdict = self._read(seat, text, CORRECTNESS)
            self._called_correct, self._due = None if verdict is None else verdict == "correct", ()
            return
        step, self._verdict = self._judged_step(text)
        if self._verdict == "wrong":
            if self.completers:
                self._drafts, self._due = [self._true, step], self.completers
                return
            self._shown, self._due = step, (CRITIC,)
        else:
            self._due = ()

    def _hear_completers(self, said: Mapping[Seat, str]) -> None:
        """Grade the results that completers reached from a step; after the wrong one decide whether it counts."""
        found = [tags.answer(text)[0].content for text in said.values()]
        self._completed.append([answer is not None and number(answer) == self._final for answer in found])
        draft = self._drafts.pop(0)
        if self._drafts:
            return
        right, wrong = self._completed
        if drops(wrong, right, self.drop):
            self._shown, self._due = draft, (CRITIC,)
        else:
            self._verdict, self._due = "invalid", ()

    def _judged_step(self, text: str) -> tuple[str, StepVerdict]:
        """The step or answer in the sneaky player's message, as the critic reads it, and whether it is wrong."""
        if self._source is not None and self._task is not None:
            found = text if self.closed else tags.answer(text)[0].content
            if found is None:
                return "", "invalid"
            verdict = self._source.verdict(self._task, found)
            graded: StepVerdict = "right" if verdict.ok else "wrong" if verdict.kind == "fail" else "invalid"
            return quote(found)[1:-1], graded
        step = step_of(text)
        shown = " ".join(step.split())
        judged = recomputed(step, self._result)
        if judged == "wrong" and self._error is not None:
            self._made = error_of(self._true, shown)
            judged = "wrong" if self._made == self._error else "invalid"
        return shown, judged


def _operation(stream: RandomStream, now: int) -> tuple[str, str, int]:
    """The words, sign and number of a step. It multiplies only numbers below 100, so results stay small."""
    kinds = [("Add", "+"), ("Subtract", "-")] + ([("Multiply by", "*")] if 0 < now < 100 else [])
    words, sign = stream.choice(kinds)
    return words, sign, 2 + stream.below(8 if sign == "*" else 40)


def _spoiled(now: int, sign: str, by: int, result: int, stream: RandomStream) -> tuple[str, ...]:
    """Steps with a wrong result, operand or operation, and the correct step, shuffled."""
    other = "-" if sign == "+" else "+"
    moved = {"+": now + by, "-": now - by}[other]
    shifted = {"+": now + 1 + by, "-": now + 1 - by, "*": (now + 1) * by}[sign]
    steps = [
        f"{now} {sign} {by} = {result}",
        f"{now} {sign} {by} = {result + 1}",
        f"{now} {sign} {by} = {result + 10}",
        f"{now} {other} {by} = {moved}",
        f"{now + 1} {sign} {by} = {shifted}",
    ]
    return tuple(stream.shuffled(list(dict.fromkeys(steps))))


class PublishedCriticGame(CriticGame):
    """critic-v0, in which every verdict weighs the same."""

    version = 0


def _known() -> tuple[KnownOutcome, ...]:
    game = CriticGame()
    sneaky = next(seed for seed in range(100) if not _plain(game, seed))
    plain = next(seed for seed in range(100) if _plain(game, seed))
    game.reset(sneaky)
    left, _, result = game._true.rpartition(" = ")
    wrong = {SNEAKY: f"{left} = {int(result) + 2}"}
    return (
        KnownOutcome(sneaky, (wrong, {CRITIC: "incorrect"}), {SNEAKY: -1.0, CRITIC: 1.0}),
        KnownOutcome(sneaky, (wrong, {CRITIC: "Correct."}), {SNEAKY: 1.0, CRITIC: -1.0}),
        KnownOutcome(sneaky, (wrong, {CRITIC: "Partly correct"}), {SNEAKY: 0.0, CRITIC: -1.0}),
        KnownOutcome(sneaky, ({SNEAKY: game._true},), {SNEAKY: -1.0, CRITIC: 0.0}),
        KnownOutcome(sneaky, ({SNEAKY: "It is wrong."},), {SNEAKY: -1.0, CRITIC: 0.0}),
        KnownOutcome(plain, ({CRITIC: "correct"},), {SNEAKY: 0.0, CRITIC: 1.0}),
        KnownOutcome(plain, ({CRITIC: "<answer>Incorrect</answer>"},), {SNEAKY: 0.0, CRITIC: -1.0}),
    )


def _plain(game: CriticGame, seed: int) -> bool:
    game.reset(seed)
    return game._plain
