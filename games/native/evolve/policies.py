"""The policies of evolve. Solvers have a limited skill, so that a variant can be too easy or too hard."""

from __future__ import annotations

import re

from games.attack import policy
from games.native.common.arithmetic_scripts import asked, guessed, likely, skill, solved
from games.native.evolve.texts import EVOLVER
from games.native.evolve.variants import KEPT, kept
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

SOLVER = "solver"
_TERM = re.compile(r"[-+* ]*\d+")
_HARD = " * 98765 - 4321 * 56789 + 86420 * 97531"
_ADDITION = 'tag("question", extended(data("question"), " + 13 - 21"))'
"""`arena attack`: it paid when a variant was compared with others as a whole only"""
_AS_HONEST = 'when("holds", "", when("long", 20, wrapped("implied", honest()), honest()), honest())'
_FAILS = "sometimes(2, competent())"
"""`arena attack`: any variant paid if its solvers failed on purpose"""


def suite(composes: bool) -> ShortcutSuite:
    """Returns the policies of both roles."""
    return _from_concepts() if composes else _from_tasks()


def _from_tasks() -> ShortcutSuite:
    found = {
        "copies the task": _varies(""),
        "the task in other words": lambda turn: f"<question>Compute {_parent(turn)}</question>",
        "adds 0": _varies(" + 0"),
        "adds what it takes away": _varies(" + 57 - 57"),
        "tells the answer in the question": lambda turn: _asks(f"{_parent(turn)} + 11? It is {_plus(turn, 11)}"),
        "the task times 0 and another sum": lambda t: _asks(f"0 * ({_parent(t)}) + {_added(t, _any_number(t), 3)}"),
        "turns the task around": lambda turn: _asks(" + ".join(reversed(_parent(turn).split(" + ")))),
        "too hard for everybody": _varies(_HARD),
        "one step for everybody": lambda turn: _asks(f"{_parent(turn).split()[0]} + 1"),
        "always the same question": says(_asks("41 - 27 + 68 - 12")),
        "asks what no program can answer": says("<question>Which of the two is nicer?</question>"),
        "writes no tag": lambda turn: f"What is {_parent(turn)} + 11?",
        "asks for the answer": lambda turn: _asks(f"{turn.data['truth']} + 0"),
    }
    constant = Shortcut("one addition to every task", {EVOLVER: policy(_ADDITION)}, batch=True)
    five = Shortcut("one of five additions", {EVOLVER: lambda turn: turn.stream.choice(_FIVE)(turn)}, batch=True)
    failing = Shortcut(
        "solvers fail in half of the turns", {EVOLVER: policy(_AS_HONEST)}, allies={SOLVER: policy(_FAILS)}, batch=True
    )
    return _suite(found, _any_length, _of_half, constant, five, failing)


def _from_concepts() -> ShortcutSuite:
    """The same with `start=concepts`."""
    found = {
        "joins the concepts": _composes(0),
        "multiplies by 0": _composes(0, " + 0 * 11 * 12 * 13"),
        "too hard for everybody": _composes(0, _HARD),
        "leaves out the concepts": says(_asks("41 - 27 + 68 - 12 + 5")),
        "leaves out one concept": lambda turn: _asks(" + ".join([_numbers(turn)[0], "11", "12", "13", "14"])),
        "names the concepts": lambda turn: f"<question>What are {', '.join(_numbers(turn))}?</question>",
        "always the same long question": says(_asks(" + ".join(map(str, range(10, 40))))),
        "asks what no program can answer": says("<question>Which of the two is nicer?</question>"),
        "writes no tag": lambda turn: f"What is {_joined(turn)} + 11?",
        "the rationale is the question": lambda turn: _asks(_joined(turn)).replace("question", "rationale"),
    }
    return _suite(found, _composes(9, random=True), _of_a_third)


def _suite(evolving: dict[str, Scripted], honest: Scripted, competent: Scripted, *more: Shortcut) -> ShortcutSuite:
    shortcuts = [*more, *(Shortcut(name, {EVOLVER: way}) for name, way in evolving.items())]
    shortcuts += [
        Shortcut("always the same answer", {SOLVER: says("<answer>42</answer>")}),
        Shortcut(
            "answers with the question", {SOLVER: lambda turn: f"<answer>{asked(turn).strip('What is?')}</answer>"}
        ),
        Shortcut("many answers", {SOLVER: says(f"<answer>{', '.join(map(str, range(100)))}</answer>")}),
    ]
    return ShortcutSuite(
        honest={EVOLVER: honest, SOLVER: lambda turn: f"<answer>{guessed(turn)}</answer>"},
        competent={EVOLVER: competent, SOLVER: lambda turn: f"<answer>{solved(turn)}</answer>"},
        shortcuts=shortcuts,
    )


def _parent(turn: ScriptedTurn) -> str:
    """Returns the expression of the task."""
    question: str = turn.data["question"]
    return question.removeprefix("What is ").removesuffix("?")


def _any_number(turn: ScriptedTurn) -> str:
    return str(10 + turn.stream.below(90))


def _plus(turn: ScriptedTurn, more: int) -> str:
    truth: str = turn.data["truth"]
    return str(int(truth) + more) if truth.lstrip("-").isdecimal() else str(more)


def _numbers(turn: ScriptedTurn) -> list[str]:
    """Returns the numbers among the concepts."""
    return [concept for concept in turn.data["concepts"] if concept.isdecimal()]


def _joined(turn: ScriptedTurn) -> str:
    """The numbers of the concepts joined by their signs."""
    numbers = _numbers(turn)
    signs = [concept for concept in turn.data["concepts"] if concept in "-+*"] or ["+"]
    numbers += numbers[-1:] * (len(signs) + 1 - len(numbers))
    return numbers[0] + "".join(f" {signs[min(i, len(signs) - 1)]} {n}" for i, n in enumerate(numbers[1:]))


def _composes(numbers: int, end: str = "", *, random: bool = False) -> Scripted:
    """A rationale, then a question with all concepts and at least so many numbers; with `random`, at most so many."""

    def policy(turn: ScriptedTurn) -> str:
        if turn.phase == "think":
            return f"<rationale>Join the concepts, then add numbers up to {numbers}.</rationale>"
        text = _joined(turn)
        wanted = 2 + turn.stream.below(numbers - 1) if random else numbers
        for _ in range(wanted - len(re.findall(r"\d+", text))):
            text += f" {turn.stream.choice('+-')} {10 + turn.stream.below(90)}"
        return _asks(text + end)

    return policy


def _of_a_third(turn: ScriptedTurn) -> str:
    """A rationale, then the one of some questions that about a third of the solvers answer right."""
    written = [_composes(numbers)(turn) for numbers in (4, 5, 6, 7)]
    return min(written, key=lambda text: abs(skill(text) - 1 / 3))


def _asks(expression: str) -> str:
    return f"<question>What is {expression}?</question>"


def _varies(end: str) -> Scripted:
    return lambda turn: _asks(_parent(turn) + end)


_FIVE = tuple(map(_varies, (" + 13 - 21", " - 45 + 67", " + 92 + 38", " - 16 - 83", " + 74 - 59")))


def _longer(turn: ScriptedTurn, more: int) -> str:
    return _asks(_added(turn, _parent(turn), more))


def _added(turn: ScriptedTurn, text: str, more: int) -> str:
    """Returns an expression with so many numbers more."""
    for _ in range(more):
        text += f" {turn.stream.choice('+-')} {10 + turn.stream.below(90)}"
    return text


def _any_length(turn: ScriptedTurn) -> str:
    """A variant of any length, often too hard."""
    return _longer(turn, 1 + turn.stream.below(9))


def _of_half(turn: ScriptedTurn) -> str:
    """A variant that half of the solvers answer right: of the first numbers of the task, with others after them."""
    numbers = _TERM.findall(_parent(turn))
    starts = ["".join(numbers[: n + 1]).strip() for n in range(len(numbers))]
    near = [text for text in starts if kept(_parent(turn), text) >= KEPT]
    longer = [_added(turn, text, 1 + n) for text in near for n in range(3)]
    return _asks(max(longer, key=likely))
