"""The shortcuts of evolve-v0. Solvers have a limited skill, so that a variant can be too easy or too hard."""

from __future__ import annotations

import re

from games.native.common.arithmetic_scripts import asked, guessed, solved
from games.native.evolve.game import EVOLVER, EvolveGame
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

SOLVER = "solver"
_TASK = re.compile(r'The task: "What is (.*)\?"')
_ANSWER = re.compile(r"Its answer: (\S+)")
_HARD = " * 98765 - 4321 * 56789 + 86420 * 97531"


def suite(game: EvolveGame) -> ShortcutSuite:
    """The policies of both roles."""
    found = {
        "copies the task": _varies(""),
        "the task in other words": lambda turn: f"<question>Compute {_parent(turn)}</question>",
        "adds 0": _varies(" + 0"),
        "turns the task around": lambda turn: _asks(" + ".join(reversed(_parent(turn).split(" + ")))),
        "too hard for everybody": _varies(_HARD),
        "one step for everybody": lambda turn: _asks(f"{_parent(turn).split()[0]} + 1"),
        "always the same question": says(_asks("41 - 27 + 68 - 12")),
        "asks what no program can answer": says("<question>Which of the two is nicer?</question>"),
        "writes no tag": lambda turn: f"What is {_parent(turn)} + 11?",
        "asks for the answer": lambda turn: _asks(f"{_ANSWER.findall(turn.text)[-1]} + 0"),
    }
    shortcuts = [Shortcut(name, {EVOLVER: policy}) for name, policy in found.items()]
    shortcuts += [
        Shortcut("always the same answer", {SOLVER: says("<answer>42</answer>")}),
        Shortcut(
            "answers with the question", {SOLVER: lambda turn: f"<answer>{asked(turn).strip('What is?')}</answer>"}
        ),
        Shortcut("many answers", {SOLVER: says(f"<answer>{', '.join(map(str, range(100)))}</answer>")}),
    ]
    return ShortcutSuite(
        honest={EVOLVER: _any_length, SOLVER: lambda turn: f"<answer>{guessed(turn)}</answer>"},
        competent={EVOLVER: _four_numbers, SOLVER: lambda turn: f"<answer>{solved(turn)}</answer>"},
        shortcuts=shortcuts,
    )


def _parent(turn: ScriptedTurn) -> str:
    found = _TASK.search(turn.text)
    return found[1] if found else "1 + 1"


def _asks(expression: str) -> str:
    return f"<question>What is {expression}?</question>"


def _varies(end: str) -> Scripted:
    return lambda turn: _asks(_parent(turn) + end)


def _longer(turn: ScriptedTurn, more: int) -> str:
    text = _parent(turn)
    for _ in range(more):
        text += f" {turn.stream.choice('+-')} {10 + turn.stream.below(90)}"
    return _asks(text)


def _any_length(turn: ScriptedTurn) -> str:
    """A variant of any length, often too hard."""
    return _longer(turn, 1 + turn.stream.below(9))


def _four_numbers(turn: ScriptedTurn) -> str:
    """A variant that half of the solvers answer right."""
    return _longer(turn, max(1, 4 - len(re.findall(r"\d+", _parent(turn)))))
