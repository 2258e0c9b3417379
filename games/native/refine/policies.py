"""The policies of refine. Others meet a critic that makes a few cheap checks, and refiners that obey.

The competent critic is the best response of a family to these refiners (`critics`). In a closed game answers are chosen
from a list, a critique is a verdict, and that critic checks only whether a number is even.
"""

from __future__ import annotations

from collections.abc import Callable

import games.tasks
from games.dialogue.listed import Choice, choices, frequency_of
from games.native.common.slips import glances, slip, unnoticed
from games.native.refine.critiques import (
    CODES,
    TARGETS,
    SeatKnowledge,
    answer_in,
    guess,
    number,
    place_named,
    points,
    tells,
    wrong_place,
)
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, mixed, says
from games.tasks import TaskSource

SOLVER, SPOILER, CRITIC, REFINER = "solver", "refine-sneaky", "refine-critic", "refiner"
BEST = "by the answer: the wrong digit"
TELLS = tuple(f"{target} {code}" for target in ("the answer", "the gap") for code in CODES)
"""what a critique may tell to somebody who does not know the question"""
_ALONE, _HELPED = 1 / 3, 0.9
"""how often the refiners that others meet mend a wrong answer: after a verdict alone, and if the wrong digit is named

A right answer that a critique rejects is refined as well as a wrong one after a verdict alone.
"""
_OFFS = (1, 9, 10, 90, 99, 100, 900, 990, 1_000, 9_900, 10_010, 90_090, 360_360, 900_900, 9_009_000, 10**7)
"""how far the wrong answers of the family of sneaky players lie from the right one"""


def suite(
    tasks: str, closed: bool, problems: int, sneaky: bool, critic: bool, rollouts: int, together: bool
) -> ShortcutSuite | None:
    """Returns the policies of all roles; refiners who have the role of the solver are solvers.

    None for a source that cannot answer its questions, without a critic or a sneaky player, and with completers.
    """
    source = games.tasks.make(tasks)
    if not (critic and sneaky) or rollouts or source.solve(source.draw(0).question) is None:
        return None
    solves = _solver(source)
    honest: dict[str, Scripted] = {SOLVER: _guess, SPOILER: _wrong, CRITIC: says("correct", "incorrect")}
    exact = _judge(lambda turn: _answer(turn) == solves(turn))
    competent: dict[str, Scripted] = {SOLVER: solves, SPOILER: _looks_even if closed else _unnoticed}
    competent[CRITIC] = exact if closed else critics(source)[BEST]
    partners: dict[str, Scripted] = {SOLVER: mixed(0.5, solves, _guess) if closed else solves}
    partners[CRITIC] = _judge(lambda turn: _even(_answer(turn)) == _even(solves(turn)))
    if not closed:  # the reader has something to read, and a critic more to find than what the competent spoiler keeps
        partners[SPOILER] = lambda turn: str(slip(number(_answer(turn)), turn.stream))
        partners[CRITIC] = _critic(
            _judge(
                lambda turn: (
                    _answer(turn) == str(number(_answer(turn)))  # a fraction is no answer
                    and glances(number(_answer(turn)), number(solves(turn)), turn.data["question"])
                )
            ),
            _tells("the gap", "in words", solves),
        )
    lazy = _choices(source, problems) if closed else _FREE
    if not (together and closed):  # together, only the reader has this role
        reader = _obeys(solves, _ALONE, _HELPED)
        competent[REFINER] = lambda turn: solves(turn) if "question" in turn.data else reader(turn)
        partners[REFINER] = _follows(_guess) if closed else reader
    if not together:
        honest[REFINER] = _follows(_guess)
    shortcuts = [Shortcut(name, {role: of}) for role in honest for name, of in {**_BOTH[role], **lazy[role]}.items()]
    family = {} if closed else critics(source)
    shortcuts += [Shortcut(f"tells {m}", {CRITIC: family[f"always incorrect: {m}"]}) for m in TELLS if family]
    families = {CRITIC: {name: of for name, of in family.items() if "the rest" not in name}} if family else {}
    if family:
        families[SPOILER] = {f"{off} more": _off_by(off) for off in _OFFS}
    return ShortcutSuite(honest=honest, competent=competent, partners=partners, shortcuts=shortcuts, families=families)


def critics(source: TaskSource) -> dict[str, Scripted]:
    """Returns a family of critics: each rule for a verdict, with each message. The competent critic is the best of it.

    Only those that tell the rest, which is worth nothing without the question, earn as much.
    """
    solves = _solver(source)
    verdicts: dict[str, Scripted] = {
        "always correct": says("correct"),
        "always incorrect": says("incorrect"),
        "by the length": _judge(lambda turn: len(_answer(turn)) < 9),
        "by the last digit": _judge(lambda turn: _last_digit(_answer(turn)) == _last_digit(solves(turn))),
        "by the answer": _judge(lambda turn: _answer(turn) == solves(turn)),
    }
    messages: dict[str, Scripted] = {
        "nothing": says(""),
        "the wrong digit": lambda turn: points(number(solves(turn)), number(_answer(turn))),
    }
    messages |= {f"{t} {c}": _tells(t, c, solves) for t in TARGETS for c in CODES}
    return {
        f"{v}: {m}": _critic(verdict, message) for v, verdict in verdicts.items() for m, message in messages.items()
    }


def _solver(source: TaskSource) -> Scripted:
    def solves(turn: ScriptedTurn) -> str:
        task = source.solve(turn.data["question"])
        return task.answer if task else "0"

    return solves


def _answer(turn: ScriptedTurn) -> str:
    """Returns the answer that the seat reads."""
    answer: str = turn.data["answer"]
    return answer


def _wrong(turn: ScriptedTurn) -> str:
    return turn.stream.choice(_others(turn))


def _looks_even(turn: ScriptedTurn) -> str:
    """Returns a wrong answer that is even if the right one is, if there is one."""
    others = _others(turn)
    return turn.stream.choice([one for one in others if _even(one) == _even(_answer(turn))] or others)


def _off_by(off: int) -> Scripted:
    return lambda turn: str(number(_answer(turn)) + off)


def _unnoticed(turn: ScriptedTurn) -> str:
    return str(unnoticed(number(_answer(turn)), turn.data["question"], turn.stream))


def _others(turn: ScriptedTurn) -> list[str]:
    """Returns the wrong answers of the list, or numbers near the right one."""
    options = turn.legal or [str(number(_answer(turn)) + by) for by in range(-20, 21)]
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


def _critic(verdict: Scripted, message: Scripted) -> Scripted:
    """Returns a critic that writes a message before the verdict `incorrect`."""

    def critique(turn: ScriptedTurn) -> str:
        word = verdict(turn)
        return f"{message(turn)} {word}".strip() if word == "incorrect" else word

    return critique


def _tells(target: str, code: str, solves: Scripted) -> Scripted:
    return lambda turn: tells(
        target, code, number(solves(turn)), SeatKnowledge(number(_answer(turn)), turn.data["question"])
    )


def _follows(mends: Scripted) -> Scripted:
    """Returns a refiner that keeps the answer unless the critic rejects it."""
    return lambda turn: mends(turn) if turn.data.get("verdict") == "incorrect" else _answer(turn)


def _obeys(solves: Scripted, alone: float, helped: float) -> Scripted:
    """Returns a refiner that takes an answer which the critique tells, and answers itself after the verdict incorrect.

    It is then right with the probability `helped` if the critique names the wrong digit, else with `alone`. Without the
    question it guesses, the digit that the critique names if there is one.
    """

    def refine(turn: ScriptedTurn) -> str:
        critique = turn.data["messages"][-1][1] if turn.data["messages"] else ""
        view, place = SeatKnowledge(number(_answer(turn)), turn.data.get("question", "")), place_named(critique)
        if (answer := answer_in(critique, view)) is not None:
            return str(answer)
        if turn.data.get("verdict") != "incorrect":
            return _answer(turn)
        if not view.question:
            return str(guess(view.draft, place, turn.stream))
        truth = solves(turn)
        wrong = wrong_place(number(truth), view.draft)
        right = helped if place is not None and place == wrong else alone
        return truth if turn.stream.random() < right else _guess(turn)

    return refine


def _copies_the_critic(turn: ScriptedTurn) -> str:
    """Returns the digits of the critique in a row, else the answer."""
    text = turn.data["messages"][-1][1] if turn.data["messages"] else ""
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
        "the right answer as a fraction": lambda turn: f"{2 * number(_answer(turn))}/2",
        "no answer": says("This is correct."),
        "the verdict beside the answer": lambda turn: f"<answer>{_wrong(turn)}</answer> correct",
    },
    CRITIC: {
        "both words": says("correct or incorrect"),
        "no verdict": says("Check it again."),
        "by the length of the answer": _judge(lambda turn: len(_answer(turn)) < 9),
        "every number": says(f"{' '.join(map(str, range(200)))} incorrect"),
    },
    REFINER: {
        "always the same answer": says("42"),
        "copies the critic": _copies_the_critic,
        "many answers": _MANY,
    },
}
