"""The policies of critic. The sneaky player meets a critic that only glances at a result, the critic one that errs
wherever a step can be wrong, so that each part of checking it is worth no more than that part."""

from __future__ import annotations

import re
from collections.abc import Callable

from games.native.common.slips import LEAST, glances, slip, unnoticed
from games.native.critic.texts import CRITIC, SNEAKY
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says
from games.verifiers import arithmetic

_START, _ORDER = re.compile(r"Start with (-?\d+)\."), re.compile(r"(Add|Subtract|Multiply by) (\d+)\.")
_ERRORS = ("result",) * 6 + ("number",) * 9 + ("carried",) * 3 + ("sign",) * 2
_ERRORS_OF_PRODUCTS = ("result",) * 17 + ("carried",) * 3
"""what is wrong with a step, each as likely: who computes no result misses more than half, as does who reads no problem

No other product looks like a part of one, so its factor and its sign are right.
"""
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


def _unnoticed(turn: ScriptedTurn) -> str:
    step = turn.data["step"]
    return f"{_left(step)} = {unnoticed(_result(step), _left(step), turn.stream)}"


def errs(turn: ScriptedTurn) -> str:
    """Returns a step with an error of `_ERRORS`; all but a wrong result are equations that hold.

    A wrong number is that of the sentence before or after.
    """
    left, stream = _left(turn.data["step"]), turn.stream
    now, sign, by = left.split()
    error = stream.choice(_ERRORS_OF_PRODUCTS if sign == "*" else _ERRORS)
    if error == "result":
        return f"{left} = {slip(_result(turn.data['step']), stream)}"
    if error == "carried":
        now = str(slip(int(now), stream))
    elif error == "sign":
        sign = "+" if sign == "-" else "-"
    else:
        by = _number_beside(turn) or str(slip(int(by), stream))
    return f"{now} {sign} {by} = {arithmetic.value(f'{now} {sign} {by}')}"


def _number_beside(turn: ScriptedTurn) -> str:
    """Returns the number to add or to subtract of a sentence beside the step's; "" if there is none."""
    orders, at = _ORDER.findall(turn.data["problem"]), len(turn.data["before"])
    beside = [by for word, by in orders[max(at - 1, 0) : at] + orders[at + 1 : at + 2] if _SIGNS[word] != "*"]
    return turn.stream.choice(beside) if beside else ""


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
    """Returns whether numbers and sign are right, and the result passes a glance."""
    left, result = expected(turn)
    return left == _left(_step(turn)) and glances(_result(_step(turn)), result, left)


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
    "by the length of the step": _judge(lambda turn: len(_step(turn)) < 32),
    "by the sign of the operation": _judge(lambda turn: "-" not in _step(turn)),
    "by the size of the result": _judge(lambda turn: _result(_step(turn)) < 10 * LEAST),
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
        SNEAKY: _unnoticed,
        CRITIC: _judge(lambda turn: "{} = {}".format(*expected(turn)) == _step(turn)),
    },
    partners={SNEAKY: errs, CRITIC: _judge(_glances)},
    shortcuts=[
        *(Shortcut(name, {CRITIC: policy}) for name, policy in _CRITICS.items()),
        *(Shortcut(name, {SNEAKY: policy}) for name, policy in _SNEAKY.items()),
    ],
)
