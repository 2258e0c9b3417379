"""The policies of refine. Others meet a critic that checks only the last digit, and refiners that follow its verdict.

In a closed game answers are chosen from a list, and that critic checks only whether a number is even.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import games.tasks
from games.dialogue.listed import Choice, choices, frequency_of
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, mixed, says
from games.tasks import TaskSource
from games.verifiers import arithmetic

SOLVER, SPOILER, CRITIC, REFINER = "solver", "refine-sneaky", "refine-critic", "refiner"
_UNITS = "zero one two three four five six seven eight nine".split()  # noqa: SIM905
_FORMS: Mapping[str, Callable[[str], str]] = {
    "plainly": lambda truth: f"it should be {truth}",
    "in words": lambda truth: f"it is {' '.join(_UNITS[int(c)] if c.isdigit() else c for c in truth)}",
    "digit by digit": lambda truth: f"it is {' '.join(truth)}",
    "as a sum": lambda truth: f"it is {truth} + 0",
    "in base 16": lambda truth: f"{_number(truth):#x}",
}


def suite(
    tasks: str, closed: bool, problems: int, sneaky: bool, critic: bool, rollouts: int, together: bool
) -> ShortcutSuite | None:
    """Returns the policies of all roles; refiners who have the role of the solver are solvers.

    None for a source that cannot answer its questions, without a critic or a sneaky player, and with completers.
    """
    source = games.tasks.make(tasks)
    if not (critic and sneaky) or rollouts or source.solve(source.draw(0).question) is None:
        return None

    def solves(turn: ScriptedTurn) -> str:
        task = source.solve(turn.data["question"])
        return task.answer if task else "0"

    honest: dict[str, Scripted] = {SOLVER: _guess, SPOILER: _wrong, CRITIC: says("correct", "incorrect")}
    part = _even if closed else _last_digit
    competent: dict[str, Scripted] = {SOLVER: solves, SPOILER: _alike(part)}
    competent[CRITIC] = _judge(lambda turn: _answer(turn) == solves(turn))
    partners: dict[str, Scripted] = {SOLVER: mixed(0.5, solves, _guess)}
    partners[CRITIC] = _judge(lambda turn: part(_answer(turn)) == part(solves(turn)))
    lazy = _choices(source, problems) if closed else _FREE
    if not together:
        honest[REFINER], competent[REFINER] = _follows(_guess), solves
        partners[REFINER] = _follows(_guess if closed else mixed(2 / 3, solves, _guess))
    shortcuts = [Shortcut(name, {role: of}) for role in honest for name, of in {**_BOTH[role], **lazy[role]}.items()]
    if not (closed or together):
        shortcuts += [
            Shortcut(f"names the answer {name}", {CRITIC: _names(form, solves)}, {REFINER: _copies_the_critic})
            for name, form in _FORMS.items()
        ]
    return ShortcutSuite(honest=honest, competent=competent, partners=partners, shortcuts=shortcuts)


def _answer(turn: ScriptedTurn) -> str:
    """Returns the answer that the seat reads."""
    answer: str = turn.data["answer"]
    return answer


def _number(answer: str) -> int:
    return int(arithmetic.number(answer) or 0)


def _wrong(turn: ScriptedTurn) -> str:
    return turn.stream.choice(_others(turn))


def _alike(part: Callable[[str], object]) -> Scripted:
    """Returns a wrong answer that has a part of the right one, if there is one."""

    def choose(turn: ScriptedTurn) -> str:
        others = _others(turn)
        return turn.stream.choice([one for one in others if part(one) == part(_answer(turn))] or others)

    return choose


def _others(turn: ScriptedTurn) -> list[str]:
    """Returns the wrong answers of the list, or numbers near the right one."""
    options = turn.legal or [str(_number(_answer(turn)) + by) for by in range(-20, 21)]
    return [option for option in options if option != _answer(turn)] or [""]


def _last_digit(answer: str) -> str:
    return answer[-1:]


def _even(answer: str) -> bool:
    return _last_digit(answer) in set("02468")


def _guess(turn: ScriptedTurn) -> str:
    return turn.stream.choice(turn.legal) if turn.legal else str(turn.stream.below(200))


def _judge(accepts: Callable[[ScriptedTurn], bool]) -> Scripted:
    """Returns a critic that calls an answer correct by a condition."""
    return lambda turn: "correct" if accepts(turn) else "incorrect"


def _follows(mends: Scripted) -> Scripted:
    """Returns a refiner that keeps the answer unless the critic rejects it."""
    return lambda turn: mends(turn) if turn.data.get("verdict") == "incorrect" else _answer(turn)


def _names(form: Callable[[str], str], solves: Scripted) -> Scripted:
    return lambda turn: f"{form(solves(turn))} incorrect"


def _copies_the_critic(turn: ScriptedTurn) -> str:
    """Returns the number that a critique starts with, else its digits in a row, else the answer."""
    text = turn.data["messages"][-1][1] if turn.data["messages"] else ""
    first = text.partition(" ")[0]
    if first.lstrip("-").startswith("0x"):
        return str(int(first, 16))
    return "".join(c for c in text if c in "0123456789") or _answer(turn)


def _choices(source: TaskSource, problems: int) -> dict[str, dict[str, Scripted]]:
    """Returns guesses by the listed answers alone."""
    often = frequency_of(source, problems)
    guesses = {name: _chosen(choice) for name, choice in choices(source, problems).items()}
    judge = {"correct if it is right elsewhere": _judge(lambda turn: often(_answer(turn)) > 0)}
    return {SOLVER: guesses, SPOILER: guesses, CRITIC: judge, REFINER: guesses}


def _chosen(choice: Choice) -> Scripted:
    return lambda turn: choice(turn.legal or ("",), turn.stream)


_MANY = says(" ".join(f"<answer>{n}</answer>" for n in range(200)))
_BOTH: dict[str, dict[str, Scripted]] = {
    SOLVER: {},
    SPOILER: {"the right answer": _answer},
    CRITIC: {"always correct": says("correct"), "always incorrect": says("incorrect")},
    REFINER: {"keeps the answer": _answer},
}
_FREE: dict[str, dict[str, Scripted]] = {
    SOLVER: {
        "always the same answer": says("42"),
        "many answers": _MANY,
        "the question as answer": lambda turn: f"<answer>{turn.data['question']}</answer>",
    },
    SPOILER: {
        "the right answer as a fraction": lambda turn: f"{2 * _number(_answer(turn))}/2",
        "no answer": says("This is correct."),
        "the verdict beside the answer": lambda turn: f"<answer>{_wrong(turn)}</answer> correct",
    },
    CRITIC: {
        "both words": says("correct or incorrect"),
        "no verdict": says("Check it again."),
        "by the length of the answer": _judge(lambda turn: len(_answer(turn)) < 3),
        "every number": says(f"{' '.join(map(str, range(200)))} incorrect"),
    },
    REFINER: {
        "always the same answer": says("42"),
        "copies the critic": _copies_the_critic,
        "many answers": _MANY,
    },
}
