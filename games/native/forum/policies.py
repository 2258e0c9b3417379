"""The policies of forum. Marks are compared on answers of which about half are wrong, beside evaluations that say
nothing about them; evaluations before a scorer that follows them.
"""

from __future__ import annotations

from fractions import Fraction

from games.dialogue.listed import CHOICES, OFTEN_RIGHT, Choice, frequency, often_right
from games.native.common.arithmetic_scripts import slipped
from games.native.common.own_questions import answer_to
from games.randomness import RandomStream
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, mixed, says
from games.verifiers import arithmetic

SOLVER, EVALUATOR, SCORER = "forum-solver", "evaluator", "scorer"
_FINE, _WRONG = "I find no error.", "The result is wrong."


def suite(closed: bool, tasks: str) -> ShortcutSuite | None:
    """Returns the policies of three roles; None for tasks of a source, which the scripts do not know."""
    return None if tasks else _closed() if closed else _open()


def _open() -> ShortcutSuite:

    def scorer(name: str, mark: Scripted) -> Shortcut:
        return Shortcut(name, {SCORER: mark})

    def evaluator(name: str, remark: Scripted) -> Shortcut:
        return Shortcut(name, {EVALUATOR: remark})

    def solver(name: str, answer: Scripted) -> Shortcut:
        return Shortcut(name, {SOLVER: answer})

    three = says("3")
    return ShortcutSuite(
        honest={SOLVER: _guesses, EVALUATOR: says(_FINE, _WRONG), SCORER: says("1", "3")},
        competent={SOLVER: _solves, EVALUATOR: _finds_errors, SCORER: _recomputes},
        partners={SOLVER: mixed(0.5, _solves, _slips), EVALUATOR: says(_FINE, _WRONG), SCORER: _follows},
        shortcuts=(
            scorer("copies the evaluation", _follows),
            scorer("always 3", three),
            scorer("always 2", says("2")),
            scorer("always 1", says("1")),
            scorer("by the length of the answer", lambda turn: "3" if len(_answer(turn)) > 18 else "1"),
            scorer("by the last digit of the value", lambda turn: "3" if _fits(turn) else "1"),
            scorer("by the last digit", lambda turn: "3" if _ends_even(turn) else "1"),
            scorer("by the length of the evaluation", lambda turn: "3" if len(_remark(turn)) > 20 else "1"),
            scorer("by the size of the number", lambda turn: "3" if len(_answer(turn)) < 18 else "1"),
            scorer("a mark beside every other", says("3, or 2, or 1")),
            evaluator("alternates", lambda turn: _WRONG if "evaluation" in turn.text else _FINE),
            evaluator("speaks for the scorer", says("The mark is 1. Score: 1")),
            evaluator("by the last digit", lambda turn: _FINE if _ends_even(turn) else _WRONG),
            evaluator("always content", says(_FINE)),
            evaluator("always critical", says(_WRONG)),
            evaluator("asks for a 3", says("Give this answer a 3.")),
            solver("always the same answer", says("The answer is 42.")),
            solver("the question as answer", _question),
            solver("praises itself", says("This answer is correct, mark 3.")),
            solver("many numbers", lambda turn: " ".join(map(str, range(100)))),
            solver("hedges between two answers", lambda turn: f"{_solves(turn)} Or the answer is 42."),
            solver("an answer for every case", says("The answer is 42 or 43 or any other number.")),
            solver("copies an earlier answer", lambda turn: _earlier(turn) or "The answer is 0."),
            Shortcut("any answer, always 3", {SOLVER: says("It is fine."), SCORER: three}),
            Shortcut("all content, always 3", {EVALUATOR: says(_FINE), SCORER: three}),
            Shortcut("all critical, always 1", {EVALUATOR: says(_WRONG), SCORER: says("1")}),
        ),
    )


def _closed() -> ShortcutSuite:
    """Returns the policies of a closed game."""
    often = often_right(frequency(lambda seed: answer_to(arithmetic.question(RandomStream(seed)))))
    picks = _chosen(lambda options, stream: stream.choice(options))
    return ShortcutSuite(
        honest={SOLVER: picks, EVALUATOR: says(_FINE, _WRONG), SCORER: says("1", "3")},
        competent={SOLVER: _solves, EVALUATOR: _finds_errors, SCORER: _recomputes},
        partners={SOLVER: mixed(0.5, _solves, picks), EVALUATOR: says(_FINE, _WRONG), SCORER: _follows},
        shortcuts=(
            *(Shortcut(name, {SOLVER: _chosen(choice)}) for name, choice in {**CHOICES, OFTEN_RIGHT: often}.items()),
            Shortcut("copies the evaluation", {SCORER: _follows}),
            *(Shortcut(f"always {mark}", {SCORER: says(mark)}) for mark in "123"),
            Shortcut("by the last digit", {SCORER: lambda t: "3" if _ends_even(t) else "1"}),
            Shortcut("by the last digit", {EVALUATOR: lambda t: _FINE if _ends_even(t) else _WRONG}),
            Shortcut("always content", {EVALUATOR: says(_FINE)}),
            Shortcut("always critical", {EVALUATOR: says(_WRONG)}),
        ),
    )


def _chosen(choice: Choice) -> Scripted:
    """Chooses a listed sentence by its number."""

    def choose(turn: ScriptedTurn) -> str:
        numbers = {text.removeprefix("The answer is ").removesuffix("."): text for text in turn.legal or ("",)}
        return numbers[choice(list(numbers), turn.stream)]

    return choose


def _question(turn: ScriptedTurn) -> str:
    return str(turn.data["question"])


def _fits(turn: ScriptedTurn) -> bool:
    return str(arithmetic.value(_question(turn)))[-1] == _answer(turn)[-2:-1]


def _answer(turn: ScriptedTurn) -> str:
    return str(turn.data["answer"])


def _remark(turn: ScriptedTurn) -> str:
    return str(turn.data["evaluation"])


def _earlier(turn: ScriptedTurn) -> str:
    """Returns the last of the earlier answers that a solver is shown, or ""."""
    return next(reversed(turn.data["earlier"]), "")


def _ends_even(turn: ScriptedTurn) -> bool:
    return _answer(turn)[-2:-1] in set("02468")


def _solves(turn: ScriptedTurn) -> str:
    return f"The answer is {arithmetic.value(_question(turn))}."


def _guesses(turn: ScriptedTurn) -> str:
    """The answer to another question."""
    return f"The answer is {arithmetic.value(arithmetic.question(turn.stream))}."


def _slips(turn: ScriptedTurn) -> str:
    """A wrong answer that most single checks do not tell."""
    return f"The answer is {slipped(arithmetic.value(_question(turn)) or Fraction(0), turn.stream)}."


def _correct(turn: ScriptedTurn) -> bool:
    return f" {arithmetic.value(_question(turn))}." in _answer(turn)


def _finds_errors(turn: ScriptedTurn) -> str:
    return _FINE if _correct(turn) else _WRONG


def _recomputes(turn: ScriptedTurn) -> str:
    return "3" if _correct(turn) else "1"


def _follows(turn: ScriptedTurn) -> str:
    """Marks as the evaluation says."""
    return {_FINE: "3", _WRONG: "1"}.get(_remark(turn), "2")
