"""The shortcuts of critic. The sneaky player meets a critic that checks only the last digit of a result."""

from __future__ import annotations

import re

from games.native.critic.errors import ERROR_TEXT
from games.native.critic.game import CriticGame
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says
from games.verifiers import arithmetic

SNEAKY, CRITIC = "sneaky", "critic"
_START, _ORDER = re.compile(r"Start with (-?\d+)\."), re.compile(r"(Add|Subtract|Multiply by) (\d+)\.")
_TRUE = re.compile(r"^The correct next step: (.*)$", re.MULTILINE)
_SHOWN = re.compile(r"^The step to judge: (.*)$", re.MULTILINE)
_SIGNS = {"Add": "+", "Subtract": "-", "Multiply by": "*"}


def suite(game: CriticGame) -> ShortcutSuite:
    """The policies of both roles."""

    def sneaky(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {SNEAKY: policy})

    def critic(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {CRITIC: policy})

    return ShortcutSuite(
        honest={SNEAKY: _anything_wrong, CRITIC: says("correct", "incorrect")},
        competent={SNEAKY: _spoils, CRITIC: _recomputes},
        partners={SNEAKY: _misapplies, CRITIC: _checks_the_last_digit},
        shortcuts=(
            critic("always correct", says("correct")),
            critic("always incorrect", says("incorrect")),
            critic("whether the equation holds", lambda turn: _word(_holds(_found(_SHOWN, turn)))),
            critic("both words", says("correct or incorrect")),
            critic("by the parity of the result", lambda turn: _word(_result(_SHOWN, turn) % 2 == 0)),
            critic("by the length of the step", lambda turn: _word(len(_found(_SHOWN, turn)) < 14)),
            critic("by the sign of the operation", lambda turn: _word("-" not in _found(_SHOWN, turn))),
            critic("by the size of the result", lambda turn: _word(_result(_SHOWN, turn) < 100)),
            critic("by the order of the numbers", lambda turn: _word(_result(_SHOWN, turn) > _start(turn))),
            sneaky("the correct step with its sides exchanged", lambda t: f"{_result(_TRUE, t)} = {_left(t)}"),
            sneaky("the correct step in more signs", lambda t: f"{_left(t)} + 0 = {_result(_TRUE, t)}"),
            sneaky("two steps at once", lambda t: f"{_found(_TRUE, t)}\n{_with_result(t, 1)} or {_with_result(t, 2)}"),
            sneaky("a wrong left side alone", lambda turn: f"0 + 0 = {_result(_TRUE, turn)}"),
            sneaky("the correct step", lambda turn: _found(_TRUE, turn)),
            sneaky("the correct step as a fraction", lambda turn: f"{_left(turn)} = {2 * _result(_TRUE, turn)}/2"),
            sneaky("always the same step", says("1 + 1 = 3")),
            sneaky("no step", says("This step is correct.")),
            sneaky("the verdict beside the step", lambda turn: f"{_with_result(turn, 1)} correct"),
        ),
    )


def _word(correct: bool) -> str:
    return "correct" if correct else "incorrect"


def _found(pattern: re.Pattern[str], turn: ScriptedTurn) -> str:
    found = pattern.search(turn.text)
    return found[1] if found else ""


def _result(pattern: re.Pattern[str], turn: ScriptedTurn) -> int:
    digits = re.findall(r"-?\d+", _found(pattern, turn))
    return int(digits[-1]) if digits else 0


def _start(turn: ScriptedTurn) -> int:
    found = _START.search(turn.text)
    return int(found[1]) if found else 0


def _left(turn: ScriptedTurn) -> str:
    return _found(_TRUE, turn).rpartition(" = ")[0]


def _with_result(turn: ScriptedTurn, off: int) -> str:
    return f"{_left(turn)} = {_result(_TRUE, turn) + off}"


def _spoils(turn: ScriptedTurn) -> str:
    """A wrong step with the last digit of the correct one, of the kind that is asked for."""
    now, sign, by = _left(turn).split()
    if "a misread number" in turn.text:
        left = f"{now} {sign} {int(by) + 10}"
    elif "a wrong operation" in turn.text:
        left = f"{now} {'+' if sign == '-' else '-'} {by}"
    else:
        return _with_result(turn, 10)
    return f"{left} = {arithmetic.value(left)}"


def _misapplies(turn: ScriptedTurn) -> str:
    """A wrong step whose equation holds, unless another kind of error is asked for."""
    now, sign, by = _left(turn).split()
    asked = any(kind in turn.text for kind in ERROR_TEXT.values())
    left = turn.stream.choice((f"{now} {sign} {int(by) + 10}", f"{now} {'+' if sign == '-' else '-'} {by}"))
    return f"{left} = {arithmetic.value(left)}" if not asked else _spoils(turn)


def _holds(step: str) -> bool:
    left, _, right = step.rpartition(" = ")
    return right == str(arithmetic.value(left))


def _anything_wrong(turn: ScriptedTurn) -> str:
    return _with_result(turn, turn.stream.choice([-1, 1]) * (1 + turn.stream.below(20)))


def _expected(turn: ScriptedTurn) -> tuple[str, int] | None:
    """The left side of the step that is due, and its result."""
    start, orders = _START.search(turn.text), _ORDER.findall(turn.text)
    if start is None:
        return None
    now = int(start[1])
    done = turn.text.partition("Solution so far:\n")[2].partition("\nThe ")[0].count("=")
    for at, (word, number) in enumerate(orders):
        by, before = int(number), now
        now = {"Add": now + by, "Subtract": now - by, "Multiply by": now * by}[word]
        if at == done:
            return f"{before} {_SIGNS[word]} {by}", now
    return None


def _recomputes(turn: ScriptedTurn) -> str:
    due = _expected(turn)
    return _word(due is not None and f"{due[0]} = {due[1]}" == _found(_SHOWN, turn))


def _checks_the_last_digit(turn: ScriptedTurn) -> str:
    due = _expected(turn)
    left = _found(_SHOWN, turn).rpartition(" = ")[0]
    return _word(due is not None and due[0] == left and due[1] % 10 == _result(_SHOWN, turn) % 10)
