"""The shortcuts of ask: recommending at once, asking without end, and questions that decide nothing."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial

from games.native.ask.game import AskGame
from games.shortcuts import ScriptedTurn, Shortcut, ShortcutSuite

_ITEM = re.compile(r"^([A-Z]): (.+)$", re.MULTILINE)
_ASKED = re.compile(r"^You asked: the (\w+) is (\w+)\.$", re.MULTILINE)
_TRIED = re.compile(r"^You recommended ([A-Z]): not this one\.$", re.MULTILINE)


def suite(game: AskGame) -> ShortcutSuite:
    """The policies of a seeker."""
    few = 1 if game.rejected > 0.1 else 2  # of two items, one question costs 0.1 and one guess half of `rejected`
    return ShortcutSuite(
        honest={"seeker": _fitting},
        competent={"seeker": partial(_narrow, few)},
        alone=frozenset({"seeker"}),
        shortcuts=(
            Shortcut("recommends at once", {"seeker": _hasty}),
            Shortcut("the first items in order", {"seeker": lambda turn: f"recommend {_left(turn, False)[0]}"}),
            Shortcut("asks first, then ignores the answers", {"seeker": _deaf}),
            *(Shortcut(f"{n} fixed questions", {"seeker": partial(_fixed, n)}) for n in (1, 2, 3)),
            Shortcut("asks everything, then guesses", {"seeker": _endless}),
            Shortcut("recommends without end what was refused", {"seeker": _refused}),
        ),
    )


def _left(turn: ScriptedTurn, fitting: bool = True) -> list[str]:
    """The names not recommended yet, only those that fit all answers if `fitting`."""
    tried, answers = set(_TRIED.findall(turn.text)), [value for _, value in _ASKED.findall(turn.text)]
    items = [(name, values.split(", ")) for name, values in _ITEM.findall(turn.text) if name not in tried]
    return [name for name, values in items if not fitting or all(value in values for value in answers)]


def _open(turn: ScriptedTurn) -> list[str]:
    asked = {name for name, _ in _ASKED.findall(turn.text)}
    return [name for name in _attributes(turn) if name not in asked]


def _attributes(turn: ScriptedTurn) -> list[str]:
    return turn.text.partition(".")[0].removeprefix("Attributes: ").split(", ")


def _fitting(turn: ScriptedTurn) -> str:
    """Random questions until one item fits the answers, then that item."""
    if _open(turn) and len(_left(turn)) > 1:
        return f"ask {turn.stream.choice(_open(turn))}"
    return f"recommend {turn.stream.choice(_left(turn))}"


def _hasty(turn: ScriptedTurn) -> str:
    return f"recommend {turn.stream.choice(_left(turn, False))}"


def _deaf(turn: ScriptedTurn) -> str:
    if len(_open(turn)) > 2:
        return f"ask {_open(turn)[0]}"
    return f"recommend {turn.stream.choice(_left(turn, False))}"


def _fixed(questions: int, turn: ScriptedTurn) -> str:
    """The same questions whatever the catalogue, then the first item that fits."""
    due = [name for name in _attributes(turn)[:questions] if name in _open(turn)]
    return f"ask {due[0]}" if due else f"recommend {_left(turn)[0]}"


def _endless(turn: ScriptedTurn) -> str:
    return f"ask {_open(turn)[0]}" if _open(turn) else _hasty(turn)


def _refused(turn: ScriptedTurn) -> str:
    """An action that was made before is illegal: the match counts it as a failed attempt."""
    tried = _TRIED.findall(turn.text)
    return f"recommend {tried[-1]}" if tried else _hasty(turn)


def _narrow(few: int, turn: ScriptedTurn) -> str:
    """Asks what divides the fitting items best until at most `few` are left, then recommends."""
    left = _left(turn)
    columns = {name: number for number, name in enumerate(_attributes(turn))}
    values = {name: text.split(", ") for name, text in _ITEM.findall(turn.text)}

    def largest(attribute: str) -> int:
        return max(Counter(values[name][columns[attribute]] for name in left).values())

    useful = [name for name in _open(turn) if largest(name) < len(left)]
    if len(left) > few and useful:
        return f"ask {min(useful, key=largest)}"
    return f"recommend {left[0]}"
