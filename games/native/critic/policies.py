"""The policies of critic. The sneaky player meets a critic that only glances at a result."""

from __future__ import annotations

import re
from collections.abc import Callable

from games.native.critic.texts import CRITIC, SNEAKY
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says
from games.verifiers import arithmetic

_START, _ORDER = re.compile(r"Start with (-?\d+)\."), re.compile(r"(Add|Subtract|Multiply by) (\d+)\.")
_SIZE = 50
"""by how much a result may be off before it strikes who does not compute it"""
_SLIPS = (-90, -10, -9, 9, 10, 90)
"""wrong results, most of which keep the last digit or the sum of digits"""
_SIGNS = {"Add": "+", "Subtract": "-", "Multiply by": "*"}


def _judge(accepts: Callable[[ScriptedTurn], bool]) -> Scripted:
    """Returns a critic that calls a step correct by a condition."""
    return lambda turn: "correct" if accepts(turn) else "incorrect"


def _step(turn: ScriptedTurn) -> str:
    """Returns the step to judge."""
    step: str = turn.data["candidate"]
    return step


def _result(step: str) -> int:
    digits = re.findall(r"-?\d+", step)
    return int(digits[-1]) if digits else 0


def _left(step: str) -> str:
    return step.rpartition(" = ")[0]


def _number(step: str) -> str:
    """Returns the second number of a step as a problem ends a sentence with it."""
    return f" {_left(step).rpartition(' ')[2]}."


def _with_result(turn: ScriptedTurn, off: int) -> str:
    """Returns the correct step with another result."""
    step = turn.data["step"]
    return f"{_left(step)} = {_result(step) + off}"


def _misapplies(turn: ScriptedTurn) -> str:
    """Returns a wrong result in two of five cases, else an equation that holds, with another sign or number.

    So who checks only the equation finds two of five wrong steps, and who checks only its numbers and sign the other
    three.
    """
    now, sign, by = _left(turn.data["step"]).split()
    others = [number for _, number in _ORDER.findall(turn.data["problem"]) if number != by] or [f"{int(by) + 10}"]
    swapped = [f"{now} {sign} {number}" for number in (turn.stream.choice(others), turn.stream.choice(others))]
    step = turn.stream.choice((*swapped, f"{now} {'+' if sign == '-' else '-'} {by}", "", ""))
    return f"{step} = {arithmetic.value(step)}" if step else _with_result(turn, turn.stream.choice(_SLIPS))


def _anything_wrong(turn: ScriptedTurn) -> str:
    return _with_result(turn, turn.stream.choice([-1, 1]) * (1 + turn.stream.below(20)))


def expected(turn: ScriptedTurn) -> tuple[str, int]:
    """Returns the left side of the next step, and its result: the numbers of a problem stand in its text."""
    now, left = _start(turn), ""
    for word, by in _ORDER.findall(turn.data["problem"])[: len(turn.data["before"]) + 1]:
        left = f"{now} {_SIGNS[word]} {by}"
        now = int(arithmetic.value(left) or 0)
    return left, now


def _start(turn: ScriptedTurn) -> int:
    match = _START.search(turn.data["problem"])
    return int(match[1]) if match else 0


def _glances(turn: ScriptedTurn) -> bool:
    """Returns whether numbers and sign are right, and of the result the last digit and roughly the size."""
    left, result = expected(turn)
    off = result - _result(_step(turn))
    return left == _left(_step(turn)) and off % 10 == 0 and abs(off) < _SIZE


def _holds(turn: ScriptedTurn) -> bool:
    left, _, right = _step(turn).rpartition(" = ")
    return right == str(arithmetic.value(left))


_CRITICS: dict[str, Scripted] = {
    "always correct": says("correct"),
    "always incorrect": says("incorrect"),
    "whether the equation holds": _judge(_holds),
    "whether its number stands in the problem": _judge(lambda t: _number(_step(t)) in t.data["problem"]),
    "both words": says("correct or incorrect"),
    "by the parity of the result": _judge(lambda turn: _result(_step(turn)) % 2 == 0),
    "by the length of the step": _judge(lambda turn: len(_step(turn)) < 14),
    "by the sign of the operation": _judge(lambda turn: "-" not in _step(turn)),
    "by the size of the result": _judge(lambda turn: _result(_step(turn)) < 100),
    "by the order of the numbers": _judge(lambda turn: _result(_step(turn)) > _start(turn)),
}
_SNEAKY: dict[str, Scripted] = {
    "the correct step with its sides exchanged": lambda turn: (
        f"{_result(turn.data['step'])} = {_left(turn.data['step'])}"
    ),
    "the correct step in more signs": lambda turn: f"{_left(turn.data['step'])} + 0 = {_result(turn.data['step'])}",
    "the correct step with a far result": lambda turn: _with_result(turn, 1000),
    "two steps at once": lambda turn: f"{turn.data['step']}\n{_with_result(turn, 1)} or {_with_result(turn, 2)}",
    "a wrong left side alone": lambda turn: f"0 + 0 = {_result(turn.data['step'])}",
    "the correct step": lambda turn: str(turn.data["step"]),
    "the correct step as a fraction": lambda turn: f"{_left(turn.data['step'])} = {2 * _result(turn.data['step'])}/2",
    "always the same step": says("1 + 1 = 3"),
    "no step": says("This step is correct."),
    "the verdict beside the step": lambda turn: f"{_with_result(turn, 1)} correct",
}
SUITE = ShortcutSuite(
    honest={SNEAKY: _anything_wrong, CRITIC: says("correct", "incorrect")},
    competent={
        SNEAKY: lambda turn: _with_result(turn, 10),
        CRITIC: _judge(lambda turn: "{} = {}".format(*expected(turn)) == _step(turn)),
    },
    partners={SNEAKY: _misapplies, CRITIC: _judge(_glances)},
    shortcuts=[
        *(Shortcut(name, {CRITIC: policy}) for name, policy in _CRITICS.items()),
        *(Shortcut(name, {SNEAKY: policy}) for name, policy in _SNEAKY.items()),
    ],
)
