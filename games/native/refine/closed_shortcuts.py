"""The shortcuts of a closed refine: answers are chosen from a list, a critique is the verdict alone.

The sneaky player and refiners meet a critic who checks only whether a number is even.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from games.dialogue.listed import Choice, choices, frequency_of
from games.native.refine.game import RefineGame
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, mixed, says

SOLVER, SNEAKY, CRITIC, REFINER = "solver", "refine-sneaky", "refine-critic", "refiner"
_ANSWER = re.compile(r"^The (?:answer to judge|earlier answer|right answer): (.*)$", re.MULTILINE)
_FINE, _WRONG = "correct", "incorrect"
Solve = Callable[[ScriptedTurn], str]
"""the right answer to the question of a turn"""


def suite(game: RefineGame) -> ShortcutSuite:
    """The policies of the roles that the game has."""

    def solves(turn: ScriptedTurn) -> str:
        found = game.task_source.solve(turn.text.partition("\n")[0]) if game.task_source else None
        return found.answer if found else "0"

    honest: dict[str, Scripted] = {SOLVER: _picks, SNEAKY: _picks_wrong, CRITIC: says(_FINE, _WRONG), REFINER: _follows}
    competent: dict[str, Scripted] = {SOLVER: solves, SNEAKY: _as_even, CRITIC: _judge(solves), REFINER: solves}
    partners: dict[str, Scripted] = {SOLVER: mixed(0.5, solves, _picks), CRITIC: _parity(solves), REFINER: _follows}
    roles = set(game.spec.seats.values())
    few = game._tasks, game._problems
    return ShortcutSuite(
        honest={role: policy for role, policy in honest.items() if role in roles},
        competent={role: policy for role, policy in competent.items() if role in roles},
        partners={role: policy for role, policy in partners.items() if role in roles},
        shortcuts=[
            Shortcut(name, {role: policy})
            for role, of in _shortcuts(choices(*few), frequency_of(*few)).items()
            for name, policy in of.items()
            if role in roles
        ],
    )


def _shortcuts(known: Mapping[str, Choice], often: Callable[[str], int]) -> dict[str, dict[str, Scripted]]:
    chosen = {name: _chosen(choice) for name, choice in known.items()}
    return {
        SOLVER: chosen,
        SNEAKY: {"the right answer": _given, **chosen},
        CRITIC: {
            "always correct": says(_FINE),
            "always incorrect": says(_WRONG),
            "correct if it is right elsewhere": lambda turn: _FINE if often(_given(turn)) else _WRONG,
        },
        REFINER: {"keeps the answer": _given, **chosen},
    }


def _given(turn: ScriptedTurn) -> str:
    """The answer that the seat reads."""
    found = _ANSWER.search(turn.text)
    return found[1] if found else ""


def _chosen(choice: Choice) -> Scripted:
    return lambda turn: choice(turn.legal or ("",), turn.stream)


def _picks(turn: ScriptedTurn) -> str:
    return turn.stream.choice(turn.legal or ("",))


def _picks_wrong(turn: ScriptedTurn) -> str:
    return turn.stream.choice([option for option in turn.legal or ("",) if option != _given(turn)] or [""])


def _as_even(turn: ScriptedTurn) -> str:
    """A wrong number that is even if the right one is, if the list has one."""
    wrong = [option for option in turn.legal or ("",) if option != _given(turn)]
    alike = [option for option in wrong if _even(option) == _even(_given(turn))]
    return turn.stream.choice(alike or wrong or [""])


def _even(answer: str) -> bool:
    return answer[-1:] in set("02468")


def _judge(solves: Solve) -> Scripted:
    return lambda turn: _FINE if _given(turn) == solves(turn) else _WRONG


def _parity(solves: Solve) -> Scripted:
    return lambda turn: _FINE if _even(_given(turn)) == _even(solves(turn)) else _WRONG


def _follows(turn: ScriptedTurn) -> str:
    """Keeps the answer, unless the critic rejects it."""
    return _picks(turn) if f'[critique] "{_WRONG}"' in turn.text else _given(turn)
