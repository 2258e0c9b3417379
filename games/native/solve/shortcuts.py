"""The shortcuts of solve: answers that are not computed."""

from __future__ import annotations

import re

from games.native.common.listed import Choice, choices
from games.native.solve.game import DUTY, SolveGame
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

SOLVER = "solver"
_NUMBER = re.compile(r"-?\d+")


def suite(game: SolveGame) -> ShortcutSuite:
    """The policies of the solver, for a source that can answer its questions."""

    def truth(turn: ScriptedTurn) -> str:
        found = game.task_source.solve(_question(turn)) if game.task_source else None
        return found.answer if found else "0"

    def solver(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {SOLVER: policy})

    if game.closed:
        return ShortcutSuite(
            honest={SOLVER: _chosen(lambda options, stream: stream.choice(options))},
            competent={SOLVER: truth},
            shortcuts=[solver(name, _chosen(choice)) for name, choice in choices(game).items()],
        )
    return ShortcutSuite(
        honest={SOLVER: lambda turn: _tagged(str(turn.stream.below(100) - 20))},
        competent={SOLVER: lambda turn: _tagged(truth(turn))},
        shortcuts=(
            *(solver(f"always {n}", says(_tagged(n))) for n in ("0", "1", "10")),
            solver("the question as its answer", lambda turn: _tagged(_question(turn))),
            solver("the expression as its answer", lambda turn: _tagged(_expression(turn))),
            solver("the first number of the question", lambda turn: _tagged(_numbers(turn)[0])),
            solver("the largest number of the question", lambda turn: _tagged(max(_numbers(turn), key=int))),
            solver("a range that holds the answer", says(_tagged("-1000 to 1000"))),
            solver("many answers", says(" ".join(_tagged(str(n)) for n in range(-100, 101)))),
            solver("many numbers in one answer", says(_tagged(" or ".join(map(str, range(-100, 101)))))),
            solver(
                "the expression in other signs",
                lambda turn: _tagged(_expression(turn).replace("+", "\N{FULLWIDTH PLUS SIGN}").replace("-", "\u2212")),
            ),
            solver("no finite number", says(_tagged("inf"), _tagged("nan"), _tagged("1e999"), _tagged("1/0"))),
            solver("any", says(_tagged("any number"), _tagged("x"), _tagged("?"))),
            solver("claims that it is right", says("<answer>correct</answer>", "My answer is right.")),
        ),
    )


def _chosen(choice: Choice) -> Scripted:
    return lambda turn: choice(turn.legal or ("",), turn.stream)


def _tagged(answer: str) -> str:
    return f"<answer>{answer}</answer>"


def _question(turn: ScriptedTurn) -> str:
    return turn.text.removesuffix(f"\n{DUTY}")


def _expression(turn: ScriptedTurn) -> str:
    found = max(re.findall(r"[-+*/\d\s().x×÷]+", _question(turn)), key=len, default="0")
    return found.strip(" .")


def _numbers(turn: ScriptedTurn) -> list[str]:
    return _NUMBER.findall(_question(turn)) or ["0"]
