"""The policies of math-duel. Solvers have a limited skill, so that difficulty can pay a challenger."""

from __future__ import annotations

import re
from collections.abc import Callable

from games.attack import policy
from games.native.common.arithmetic_scripts import guessed, half_sum, solved, sum_of
from games.native.math_duel.texts import CHALLENGER
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

SOLVER = "solver"
_UNSOLVABLE = f"What is {'7' * 17} * {'9' * 17} - {'3' * 17}?"
_OPEN = "Choose 1 or 2."
_FIVE = tuple(f"What is {a} - 27 + {b} - 12?" for a, b in ((41, 68), (85, 39), (57, 73), (96, 14), (62, 81)))
_LONG = "What is {}{}{} + 1?"


def _asks(question: str) -> str:
    return rf"<question>{question}</question> \boxed{{0}}"


def _box(text: str) -> str:
    return rf"\boxed{{{text}}}"


def _question(turn: ScriptedTurn) -> str:
    question: str = turn.data["question"]
    return question


def _numbers(turn: ScriptedTurn) -> list[str]:
    return re.findall(r"\d+", _question(turn))


def _solved(turn: ScriptedTurn) -> str:
    return _box(solved(turn, _question(turn)))


def _any_sum(turn: ScriptedTurn) -> str:
    """Returns a sum of any length, mostly too easy or too hard."""
    return sum_of(turn.stream, turn.stream.choice((2, 2, 2, 3, 6, 7, 8)))


def _any_number(turn: ScriptedTurn) -> int:
    return 10 + turn.stream.below(90)


def _two_free(turn: ScriptedTurn) -> str:
    n, m = _any_number(turn), _any_number(turn)
    return f"What is {n} + {n + 1} + {m} + {m + 1}?"


def _challenger(name: str, question: Callable[[ScriptedTurn], str], batch: bool = False) -> Shortcut:
    return Shortcut(name, {CHALLENGER: lambda turn: _asks(question(turn))}, batch=batch)


def _solver(name: str, answer: Scripted) -> Shortcut:
    return Shortcut(name, {SOLVER: lambda turn: _box(answer(turn))})


SUITE = ShortcutSuite(
    honest={CHALLENGER: lambda turn: _asks(_any_sum(turn)), SOLVER: lambda turn: _box(guessed(turn))},
    competent={CHALLENGER: lambda turn: _asks(half_sum(turn.stream)), SOLVER: _solved},
    shortcuts=(
        _challenger("asks for a choice", says(_OPEN)),
        _challenger("asks what nobody can solve", says(_UNSOLVABLE)),
        _challenger("asks what everybody can solve", lambda turn: f"What is {turn.stream.below(900)} + 0?"),
        _challenger("always the same question", says("What is 41 - 27 + 68 - 12?"), batch=True),
        _challenger("one number four times", lambda turn: "What is {0} + {0} + {0} + {0}?".format(_any_number(turn))),
        _challenger("a number times 1", lambda turn: f"What is {_any_number(turn)} * 1 * 1 * 1?"),
        _challenger("one of five questions", says(*_FIVE), batch=True),
        _challenger("one number of four is new", lambda t: f"What is 41 - 27 + 68 - {_any_number(t)}?", batch=True),
        _challenger("two numbers of four are free", _two_free, batch=True),
        _challenger("one long number and a constant", lambda t: f"What is {100 * _any_number(t)} + 157?", batch=True),
        Shortcut(
            "solvers fail in half of the turns",
            {CHALLENGER: policy("honest()")},
            allies={SOLVER: policy("sometimes(2, competent())")},
            batch=True,
        ),
        Shortcut("asks without an answer", {CHALLENGER: lambda turn: sum_of(turn.stream, 4)}),
        Shortcut(
            "asks for a choice, votes are split",
            {CHALLENGER: says(_asks(_OPEN)), SOLVER: lambda turn: _box(str(1 + turn.number % 2))},
        ),
        _solver("always 0", says("0")),
        _solver("answers with the question", lambda turn: _question(turn).strip("What is?")),
        _challenger("asks two questions", lambda turn: f"{sum_of(turn.stream, 4)} Or what is 1 + 1?"),
        _challenger("asks for a fraction by zero", lambda turn: f"What is {turn.stream.below(90)} / 0?"),
        _challenger("a sum in many brackets", lambda t: _LONG.format("(" * 40, t.stream.below(90), ")" * 40)),
        _solver("says the last number", lambda turn: _numbers(turn)[-1]),
        _solver("adds nothing to the question", lambda turn: f"{_question(turn).strip('What is?')} + 0"),
        _solver("a range of numbers", says("from -500 to 500")),
        _solver("says the first number", lambda turn: _numbers(turn)[0]),
        Shortcut("two answers at once", {SOLVER: lambda turn: f"{_box('0')} or {_solved(turn)}"}),
        Shortcut("a box for every number", {SOLVER: says("".join(_box(str(n)) for n in range(300)))}),
    ),
)
