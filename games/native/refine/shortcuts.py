"""The shortcuts of refine. The sneaky player meets a critic that checks only the last digit, the critic refiners who
follow its verdict, a refiner a critic that is often right.
"""

from __future__ import annotations

import re

from games.native.refine import closed_shortcuts
from games.native.refine.game import RefineGame
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, mixed, says

SOLVER, SNEAKY, CRITIC, REFINER = "solver", "refine-sneaky", "refine-critic", "refiner"
_ANSWER = re.compile(r"^The (?:answer to judge|earlier answer|right answer): (.*)$", re.MULTILINE)
_CRITIQUE = re.compile(r'^\[critique\] "(.*)"$', re.MULTILINE)
_FINE, _WRONG = "It adds up. correct", "It does not add up. incorrect"
_UNITS = "zero one two three four five six seven eight nine".split()  # noqa: SIM905


def suite(game: RefineGame) -> ShortcutSuite:
    """The policies of four roles; refiners who have the role of the solver are solvers."""
    if game.closed:
        return closed_shortcuts.suite(game)

    def truth(turn: ScriptedTurn) -> str:
        found = game.task_source.solve(turn.text.partition("\n")[0]) if game.task_source else None
        return found.answer if found else "0"

    def solves(turn: ScriptedTurn) -> str:
        return _tagged(truth(turn))

    def judges(turn: ScriptedTurn) -> str:
        return _FINE if _given(turn) == truth(turn) else _WRONG

    def last_digit(turn: ScriptedTurn) -> str:
        return _FINE if _given(turn)[-1:] == truth(turn)[-1:] else _WRONG

    def follows(turn: ScriptedTurn) -> str:
        """Keeps an answer that is called correct; solves two of three others."""
        if not _rejected(turn):
            return _tagged(_given(turn))
        return solves(turn) if turn.stream.below(3) else _guesses(turn)

    def hands_over(form: str) -> Scripted:
        return lambda turn: f"{form.format(truth(turn), _spelled(truth(turn)), ' '.join(truth(turn)))} incorrect"

    shown = any(role == REFINER for role in game.spec.seats.values())
    honest: dict[str, Scripted] = {
        SOLVER: _guesses,
        SNEAKY: _anything_wrong,
        CRITIC: says(_FINE, _WRONG),
        REFINER: _follows_blindly,
    }
    competent: dict[str, Scripted] = {SOLVER: solves, SNEAKY: _ten_more, CRITIC: judges, REFINER: solves}
    partners: dict[str, Scripted] = {SOLVER: mixed(0.5, solves, _guesses), CRITIC: last_digit, REFINER: follows}
    shortcuts = [Shortcut(name, {role: policy}) for role, of in _OF.items() for name, policy in of.items()]
    shortcuts += [
        Shortcut(f"hands over the answer: {form}", {CRITIC: hands_over(form)}, {REFINER: _copies_the_critic})
        for form in ("it should be {0}", "it is {1}", "it is {2}", "it is {0} + 0")
    ]
    shortcuts.append(
        Shortcut("hands over the answer in base 16", {CRITIC: _in_base_16(truth)}, {REFINER: _from_base_16})
    )
    if not shown:
        for of in (honest, competent, partners):
            del of[REFINER]
        shortcuts = [s for s in shortcuts if REFINER not in (*s.plays, *s.against)]
    return ShortcutSuite(honest=honest, competent=competent, partners=partners, shortcuts=shortcuts)


def _tagged(answer: str) -> str:
    return f"<answer>{answer}</answer>"


def _given(turn: ScriptedTurn) -> str:
    """The answer that the seat reads."""
    found = _ANSWER.search(turn.text)
    return found[1] if found else ""


def _number(turn: ScriptedTurn) -> int:
    return int("".join(re.findall(r"^-?|\d", _given(turn))) or 0)


def _rejected(turn: ScriptedTurn) -> bool:
    """Whether the critique calls the answer incorrect."""
    found = _CRITIQUE.search(turn.text)
    return found is not None and "incorrect" in found[1]


def _spelled(answer: str) -> str:
    return " ".join(_UNITS[int(c)] if c.isdigit() else c for c in answer)


def _guesses(turn: ScriptedTurn) -> str:
    return _tagged(str(turn.stream.below(200)))


def _anything_wrong(turn: ScriptedTurn) -> str:
    return _tagged(str(_number(turn) + turn.stream.choice([-1, 1]) * (1 + turn.stream.below(20))))


def _ten_more(turn: ScriptedTurn) -> str:
    return _tagged(str(_number(turn) + 10))


def _follows_blindly(turn: ScriptedTurn) -> str:
    """Keeps the answer, unless the critic rejects it."""
    return _guesses(turn) if _rejected(turn) else _tagged(_given(turn))


def _copies_the_critic(turn: ScriptedTurn) -> str:
    found = _CRITIQUE.search(turn.text)
    digits = re.findall(r"\d", found[1]) if found else []
    return _tagged("".join(digits) or _given(turn))


def _in_base_16(truth: Scripted) -> Scripted:
    return lambda turn: f"{int(truth(turn)):#x} incorrect"


def _from_base_16(turn: ScriptedTurn) -> str:
    found = _CRITIQUE.search(turn.text)
    told = re.search(r"-?0x[0-9a-f]+", found[1]) if found else None
    return _tagged(str(int(told[0], 16)) if told else _given(turn))


_OF: dict[str, dict[str, Scripted]] = {
    SOLVER: {
        "always the same answer": says("<answer>42</answer>"),
        "many answers": lambda turn: " ".join(_tagged(str(n)) for n in range(200)),
        "the question as answer": lambda turn: _tagged(turn.text.partition("\n")[0]),
    },
    SNEAKY: {
        "the right answer": lambda turn: _tagged(_given(turn)),
        "the right answer as a fraction": lambda turn: _tagged(f"{2 * _number(turn)}/2"),
        "no answer": says("This is correct."),
        "the verdict beside the answer": lambda turn: f"{_tagged(str(_number(turn) + 1))} correct",
    },
    CRITIC: {
        "always correct": says(_FINE),
        "always incorrect": says(_WRONG),
        "both words": says("correct or incorrect"),
        "no verdict": says("Check it again."),
        "by the length of the answer": lambda turn: _FINE if len(_given(turn)) < 3 else _WRONG,
        "every number": lambda turn: f"{' '.join(map(str, range(200)))} incorrect",
    },
    REFINER: {
        "keeps the answer": lambda turn: _tagged(_given(turn)),
        "always the same answer": says("<answer>42</answer>"),
        "copies the critic": _copies_the_critic,
        "many answers": lambda turn: " ".join(_tagged(str(n)) for n in range(200)),
    },
}
