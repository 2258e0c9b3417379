"""critic-v0: a sneaky generator spoils one step of a solution, a critic says whether the step it is shown is right.

The game of SPC (Chen et al. 2025, arXiv 2504.19162) about arithmetic, where steps are recomputed exactly: what the
paper tests by solving on from both steps many times is known here. In a share of the matches the critic is shown the
right step instead, so that always crying wolf does not pay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from games.dialogue.staged import Staged, named, share, whole
from games.dialogue.sums import number, value
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.randomness import Stream, derive

SNEAKY, CRITIC = "sneaky", "critic"
_STEP = re.compile(r"([-+*/×÷−()\d\s.]{1,80})=([-−\d\s./]{1,30})", re.ASCII)
_VERDICT = re.compile(r"(?:<answer>)?\s*(correct|incorrect)\s*(?:\.\s*)?(?:</answer>)?", re.IGNORECASE)
Verdict = Literal["right", "wrong", "invalid"]


def recomputed(step: str, result: Fraction) -> Verdict:
    """`right` where both sides of a step are equal and the result is the true one, `invalid` where it is no step."""
    match = _STEP.fullmatch(" ".join(step.split()))
    left, right = (value(match[1]), number(match[2])) if match else (None, None)
    if left is None or right is None:
        return "invalid"
    return "right" if left == right == result else "wrong"


def judged(text: str) -> bool | None:
    """Whether a critic finds the step correct. "Incorrect" is not "correct", and a sentence is no verdict."""
    match = _VERDICT.fullmatch(text.strip())
    return None if match is None else match[1].lower() == "correct"


class Critic(Staged):
    """`steps`: of the solution. `control`: the share of matches in which the right step is shown and nobody is sneaky.

    `closed`: steps and verdicts are chosen from lists.
    """

    def __init__(self, steps: int = 4, control: float = 0.5, closed: bool = False) -> None:
        super().__init__()
        self.steps = whole("critic-v0", "steps", steps, 1, 12)
        self.control = share("critic-v0", "control", control)
        if not isinstance(closed, bool):
            raise InputError(f"critic-v0: closed is true or false, not {closed!r}")
        self.closed = closed
        self.spec = GameSpec(
            id=named("critic-v0", {"steps": (steps, 4), "control": (control, 0.5), "closed": (closed, False)}),
            seats={SNEAKY: SNEAKY, CRITIC: CRITIC},
            payoff="general_sum",
            rules=_rules(closed),
            max_turns=2,
            returns_range=(-1.0, 1.0),
        )
        self._problem = ""
        self._before: list[str] = []
        self._true, self._shown = "", ""
        self._result = Fraction(0)
        self._options_of: dict[Seat, tuple[str, ...]] = {}
        self._plain = False
        self._verdict: Verdict = "right"
        self._found: bool | None = None
        self._over = True

    def reset(self, seed: int) -> None:
        """Draw a problem, the step that is looked at, and whether it is left as it is."""
        stream = Stream(derive(seed, "critic-v0"))
        start = now = 2 + stream.below(40)
        asked, lines, results, sides = [f"Start with {start}."], [], [], []
        for _ in range(self.steps):
            words, sign, by = _operation(stream, now)
            asked.append(f"{words} {by}.")
            after = {"+": now + by, "-": now - by, "*": now * by}[sign]
            lines.append(f"{now} {sign} {by} = {after}")
            results.append(after)
            sides.append((now, sign, by))
            now = after
        at = stream.below(self.steps)
        self._problem = " ".join([*asked, "What is the result?"])
        self._before, self._true, self._result = lines[:at], lines[at], Fraction(results[at])
        self._options_of = {SNEAKY: _spoiled(*sides[at], results[at], stream), CRITIC: ("correct", "incorrect")}
        self._plain = stream.random() < self.control
        self._verdict, self._found, self._over = "right", None, False
        self._shown = self._true if self._plain else ""
        self._due = (CRITIC,) if self._plain else (SNEAKY,)

    def phase(self, seat: Seat) -> str:
        """`spoil` for the sneaky side, `judge` for the critic."""
        return "spoil" if seat == SNEAKY else "judge"

    def observe(self, seat: Seat) -> Observation:
        """Problem and solution so far; the true step for the sneaky side, the shown one for the critic."""
        lines = [f"Problem: {self._problem}", "Solution so far:", *(self._before or ["(nothing yet)"])]
        if seat == SNEAKY:
            lines.append(f"The right next step: {self._true}")
        if self._shown and (seat == CRITIC or not self._plain):
            lines.append(f"The step in question: {self._shown}")
        if self._over:
            lines.append("The match is over.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """1 and -1 by whether the critic is right, nothing for an idle sneaky side; -1 for what cannot be read."""
        out = {SNEAKY: 0.0, CRITIC: 0.0}
        if not self._over:
            return out
        if self._verdict != "wrong" and not self._plain:
            out[SNEAKY] = -1.0  # no step, or a right one: not sneaky, and nothing to criticise
        elif self._found is None:
            out[CRITIC] = -1.0
        else:
            out[CRITIC] = 1.0 if self._found == self._plain else -1.0
            out[SNEAKY] = 0.0 if self._plain else -out[CRITIC]
        return out

    def facts(self) -> Mapping[str, Any]:
        """Both steps, who had nothing to do, what recomputing says of the step written, what the critic said."""
        return {
            "true": self._true,
            "shown": self._shown,
            "idle": [SNEAKY] if self._plain else [],
            "verdict": self._verdict,
            "found_correct": self._found,
        }

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Spoiled steps, one right one; both verdicts."""
        return self._options_of[seat] if seat in self._due else ()

    def spectate(self) -> str:
        """The problem, both steps, what was said of them."""
        told = {None: "no verdict", True: "correct", False: "incorrect"}[self._found]
        end = f"step {self._verdict}, critic: {told}" if self._over else "not over"
        kind = "shown as it is" if self._plain else f"shown: {self._shown}"
        return "\n".join([self._problem, *self._before, f"true: {self._true}", kind, end])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand, for the usual parameters."""
        return _known() if self.spec.id == "critic-v0" else ()

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        return self._options_of[seat] if self.closed else None

    def _take(self, said: Mapping[Seat, str]) -> None:
        ((seat, text),) = said.items()
        if seat == CRITIC:
            self._found, self._due, self._over = judged(text), (), True
            return
        self._verdict = recomputed(text, self._result)
        if self._verdict == "wrong":
            self._shown, self._due = " ".join(text.split()), (CRITIC,)
        else:
            self._due, self._over = (), True


def _operation(stream: Stream, now: int) -> tuple[str, str, int]:
    """Words, sign and number of the next step; results stay below a thousand."""
    kinds = [("Add", "+"), ("Subtract", "-")] + ([("Multiply by", "*")] if 0 < now < 100 else [])
    words, sign = stream.choice(kinds)
    return words, sign, 2 + stream.below(8 if sign == "*" else 40)


def _spoiled(now: int, sign: str, by: int, result: int, stream: Stream) -> tuple[str, ...]:
    """Wrong steps of several kinds (result, operand, operation) and the right one, shuffled."""
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


def _rules(closed: bool) -> str:
    how = "Choose from what is listed." if closed else "The sneaky side writes the step alone, such as 3 + 4 = 8."
    return (
        "A problem of arithmetic is solved step by step, each step of the form 3 + 4 = 7. The sneaky side is given the "
        "right next step and writes a wrong one in its place that looks right; a right one, or something that is no "
        "step, loses. The critic is shown the problem, the solution so far and one step, which is the right one or "
        "that of the sneaky side, and answers correct or incorrect and nothing else. If the critic is right it scores "
        f"1, if it is fooled or says neither it loses 1; the sneaky side the reverse for its own steps.\n{how}"
    )


def _known() -> tuple[KnownOutcome, ...]:
    game = Critic()
    sneaky = next(seed for seed in range(100) if not _plain(game, seed))
    plain = next(seed for seed in range(100) if _plain(game, seed))
    game.reset(sneaky)
    left, _, result = game._true.rpartition(" = ")
    wrong = {SNEAKY: f"{left} = {int(result) + 2}"}
    return (
        KnownOutcome(sneaky, (wrong, {CRITIC: "incorrect"}), {SNEAKY: -1.0, CRITIC: 1.0}),
        KnownOutcome(sneaky, (wrong, {CRITIC: "Correct."}), {SNEAKY: 1.0, CRITIC: -1.0}),
        KnownOutcome(sneaky, (wrong, {CRITIC: "Not correct"}), {SNEAKY: 0.0, CRITIC: -1.0}),
        KnownOutcome(sneaky, ({SNEAKY: game._true},), {SNEAKY: -1.0, CRITIC: 0.0}),
        KnownOutcome(sneaky, ({SNEAKY: "It is wrong."},), {SNEAKY: -1.0, CRITIC: 0.0}),
        KnownOutcome(plain, ({CRITIC: "correct"},), {SNEAKY: 0.0, CRITIC: 1.0}),
        KnownOutcome(plain, ({CRITIC: "<answer>Incorrect</answer>"},), {SNEAKY: 0.0, CRITIC: -1.0}),
    )


def _plain(game: Critic, seed: int) -> bool:
    game.reset(seed)
    return game._plain
