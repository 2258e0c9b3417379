"""The shortcuts of math-duel. Solvers have a limited skill, so that difficulty can pay a challenger."""

from __future__ import annotations

import re

from games.native.common.arithmetic_scripts import asked, guessed, solved, sum_of
from games.native.math_duel.game import CHALLENGER, MathDuelGame
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

SOLVER = "solver"
_UNSOLVABLE = f"What is {'7' * 17} * {'9' * 17} - {'3' * 17}?"
_OPEN = "Choose 1 or 2."


def suite(game: MathDuelGame) -> ShortcutSuite:
    """The policies of both roles."""

    def challenger(name: str, question: Scripted, batch: bool = False) -> Shortcut:
        return Shortcut(name, {CHALLENGER: lambda turn: _asks(question(turn))}, batch=batch)

    def solver(name: str, answer: Scripted) -> Shortcut:
        return Shortcut(name, {SOLVER: lambda turn: _box(answer(turn))})

    split = {SOLVER: lambda turn: _box(str(1 + turn.number % 2))}
    return ShortcutSuite(
        honest={CHALLENGER: lambda turn: _asks(_any_sum(turn)), SOLVER: lambda turn: _box(guessed(turn))},
        competent={
            CHALLENGER: lambda turn: _asks(sum_of(turn.stream, 4)),
            SOLVER: lambda turn: _box(solved(turn)),
        },
        shortcuts=(
            challenger("asks for a choice", says(_OPEN)),
            challenger("asks what nobody can solve", says(_UNSOLVABLE)),
            challenger("asks what everybody can solve", lambda turn: f"What is {turn.stream.below(900)} + 0?"),
            challenger("always the same question", says("What is 41 - 27 + 68 - 12?"), batch=True),
            Shortcut("asks without an answer", {CHALLENGER: lambda turn: sum_of(turn.stream, 4)}),
            Shortcut("asks for a choice, votes are split", {CHALLENGER: says(_asks(_OPEN)), **split}),
            solver("always 0", says("0")),
            solver("answers with the question", lambda turn: asked(turn).strip("What is?")),
            challenger("asks two questions", lambda turn: f"{sum_of(turn.stream, 4)} Or what is 1 + 1?"),
            challenger("asks for a fraction by zero", lambda turn: f"What is {turn.stream.below(90)} / 0?"),
            challenger(
                "a sum in many brackets", lambda turn: f"What is {'(' * 40}{turn.stream.below(90)}{')' * 40} + 1?"
            ),
            solver("says the last number", lambda turn: re.findall(r"\d+", asked(turn))[-1]),
            solver("adds nothing to the question", lambda turn: f"{asked(turn).strip('What is?')} + 0"),
            solver("a range of numbers", says("from -500 to 500")),
            solver("says the first number", lambda turn: re.findall(r"\d+", asked(turn))[0]),
            Shortcut("two answers at once", {SOLVER: lambda turn: f"{_box('0')} or {_box(solved(turn))}"}),
            Shortcut("a box for every number", {SOLVER: lambda turn: "".join(_box(str(n)) for n in range(300))}),
        ),
    )


def _asks(question: str) -> str:
    return rf"<question>{question}</question> \boxed{{0}}"


def _box(text: str) -> str:
    return rf"\boxed{{{text}}}"


def _any_sum(turn: ScriptedTurn) -> str:
    """A sum of any length, mostly too easy or too hard."""
    return sum_of(turn.stream, turn.stream.choice((2, 2, 2, 3, 6, 7, 8)))
