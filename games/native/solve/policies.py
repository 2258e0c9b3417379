"""The policies of solve: answers that are not computed."""

from __future__ import annotations

import re
from collections.abc import Callable

import games.tasks
from games.dialogue.listed import Choice, choices
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

SOLVER = "solver"
_NUMBER = re.compile(r"-?\d+")


def suite(tasks: str, closed: bool, problems: int) -> ShortcutSuite | None:
    """Returns the policies of the solver; None for a source that cannot answer its questions."""
    source = games.tasks.make(tasks)
    if source.solve(source.draw(0).question) is None:
        return None

    def truth(turn: ScriptedTurn) -> str:
        task = source.solve(_question(turn))
        return task.answer if task else "0"

    honest, competent, guesses = _answer(lambda turn: str(turn.stream.below(100) - 20)), _answer(truth), _GUESSES
    if closed:
        honest, competent = _chosen(lambda options, stream: stream.choice(options)), truth
        guesses = {name: _chosen(choice) for name, choice in choices(source, problems).items()}
    shortcuts = [Shortcut(name, {SOLVER: policy}) for name, policy in guesses.items()]
    return ShortcutSuite(honest={SOLVER: honest}, competent={SOLVER: competent}, shortcuts=shortcuts)


def _chosen(choice: Choice) -> Scripted:
    return lambda turn: choice(turn.legal or ("",), turn.stream)


def _tagged(answer: str) -> str:
    return f"<answer>{answer}</answer>"


def _answer(find: Callable[[ScriptedTurn], str]) -> Scripted:
    return lambda turn: _tagged(find(turn))


def _question(turn: ScriptedTurn) -> str:
    question: str = turn.data["question"]
    return question


def _expression(turn: ScriptedTurn) -> str:
    return max(re.findall(r"[-+*/\d\s().x×÷]+", _question(turn)), key=len, default="0").strip(" .")


def _numbers(turn: ScriptedTurn) -> list[str]:
    return _NUMBER.findall(_question(turn)) or ["0"]


_GUESSES: dict[str, Scripted] = {
    **{f"always {n}": says(_tagged(n)) for n in ("0", "1", "10")},
    "the question as its answer": _answer(_question),
    "the expression as its answer": _answer(_expression),
    "the first number of the question": _answer(lambda turn: _numbers(turn)[0]),
    "the largest number of the question": _answer(lambda turn: max(_numbers(turn), key=int)),
    "a range that holds the answer": says(_tagged("-1000 to 1000")),
    "many answers": says(" ".join(_tagged(str(n)) for n in range(-100, 101))),
    "many numbers in one answer": says(_tagged(" or ".join(map(str, range(-100, 101))))),
    "the expression in other signs": _answer(
        lambda turn: _expression(turn).replace("+", "\N{FULLWIDTH PLUS SIGN}").replace("-", "\u2212")
    ),
    "no finite number": says(_tagged("inf"), _tagged("nan"), _tagged("1e999"), _tagged("1/0")),
    "any": says(_tagged("any number"), _tagged("x"), _tagged("?")),
    "claims that it is right": says("<answer>correct</answer>", "My answer is right."),
}
