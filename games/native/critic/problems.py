"""The arithmetic problems of critic, and the steps of their solutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from games.native.common.slips import LEAST, slip
from games.randomness import RandomStream
from games.tasks import SourceTask

_TRIES = 400
"""draws until a step is a product, or is none"""


class _Step(NamedTuple):
    """A step of a solution."""

    now: int
    sign: str
    by: int
    result: int


@dataclass(frozen=True, slots=True)
class StepQuestion:
    """A problem, the part of its solution in question, and how to grade another one."""

    text: str
    before: Sequence[str]
    """the steps before"""
    correct: str
    """the next step; for a task of a source the answer"""
    options: tuple[str, ...]
    """listed steps or answers, of which one is correct"""
    result: Fraction = Fraction(0)
    task: SourceTask | None = None


def step_question(stream: RandomStream, steps: int, size: int) -> StepQuestion:
    """Returns a problem and one step of its solution, in half of the problems a product if there is no `size`."""
    at, product = stream.below(steps), not size and stream.below(2) == 0
    for _ in range(_TRIES):
        asked, done = _solution(stream, steps, size)
        if (done[at].sign == "*") is product:
            break
    lines = ["{} {} {} = {}".format(*step) for step in done]
    text = " ".join([*asked, "What is the result?"])
    return StepQuestion(text, lines[:at], lines[at], _spoiled(*done[at], stream), Fraction(done[at].result))


def _solution(stream: RandomStream, steps: int, size: int) -> tuple[list[str], list[_Step]]:
    """Returns the sentences of a problem, and the steps of its solution.

    Each number to add or to subtract lies a slip from the one before, so that the wrong one is as hard to see as a
    wrong result.
    """
    start = now = stream.below(size + 1) if size else _eight_digits(stream)
    number = 0 if size else _eight_digits(stream)
    asked, done = [f"Start with {start}."], list[_Step]()
    for _ in range(steps):
        words, sign, by = ("Add", "+", 1 + stream.below(size)) if size else _operation(stream, now, number)
        number = _beside(by, stream) if by == number else number
        asked.append(f"{words} {by}.")
        after = {"+": now + by, "-": now - by, "*": now * by}[sign]
        done.append(_Step(now, sign, by, after))
        now = after
    return asked, done


def _eight_digits(stream: RandomStream) -> int:
    return LEAST + stream.below(9 * LEAST)


def _beside(number: int, stream: RandomStream) -> int:
    """Returns another number of eight digits, a slip away."""
    while not LEAST <= (other := slip(number, stream)) < 10 * LEAST:
        pass
    return other


def _operation(stream: RandomStream, now: int, number: int) -> tuple[str, str, int]:
    """Returns the words, sign and number of a step, which is `number` or a factor.

    It multiplies only results of at most eight digits, so that they stay small.
    """
    kinds = [("Add", "+"), ("Subtract", "-")] + ([("Multiply by", "*")] if 0 < now < 10 * LEAST else [])
    words, sign = stream.choice(kinds)
    return words, sign, 2 + stream.below(8) if sign == "*" else number


def _spoiled(now: int, sign: str, by: int, result: int, stream: RandomStream) -> tuple[str, ...]:
    """Returns steps with a wrong result, operand or operation, and the correct step, shuffled."""
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
