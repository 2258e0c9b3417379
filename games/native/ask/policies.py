"""The policies of ask: asking well, recommending at once, asking without end, questions that decide nothing."""

from __future__ import annotations

from collections import Counter
from functools import partial

from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite


def _items(turn: ScriptedTurn, fitting: bool = True) -> list[str]:
    """Returns the names not recommended yet, only those that fit all answers if `fitting`."""
    answers = turn.data["answers"].values() if fitting else ()
    names = [name for name, values in turn.data["catalogue"].items() if all(value in values for value in answers)]
    return [name for name in names if f"recommend {name}" not in turn.data["done"]]


def _questions(turn: ScriptedTurn) -> list[str]:
    """Returns the attributes that it has not asked about."""
    return [name for name in turn.data["attributes"] if name not in turn.data["answers"]]


def _fitting(turn: ScriptedTurn) -> str:
    """Asks random questions until one item fits the answers, then recommends it."""
    if _questions(turn) and len(_items(turn)) > 1:
        return f"ask {turn.stream.choice(_questions(turn))}"
    return f"recommend {turn.stream.choice(_items(turn))}"


def _hasty(turn: ScriptedTurn) -> str:
    return f"recommend {turn.stream.choice(_items(turn, False))}"


def _deaf(turn: ScriptedTurn) -> str:
    return f"ask {_questions(turn)[0]}" if len(_questions(turn)) > 2 else _hasty(turn)


def _fixed(questions: int, turn: ScriptedTurn) -> str:
    """Asks the same questions whatever the catalogue, then recommends the first item that fits."""
    names = [name for name in turn.data["attributes"][:questions] if name in _questions(turn)]
    return f"ask {names[0]}" if names else f"recommend {_items(turn)[0]}"


def _endless(turn: ScriptedTurn) -> str:
    return f"ask {_questions(turn)[0]}" if _questions(turn) else _hasty(turn)


def _refused(turn: ScriptedTurn) -> str:
    """Repeats a recommendation, which is illegal: the match counts it as a failed attempt."""
    made = [action for action in turn.data["done"] if action.startswith("recommend")]
    return made[-1] if made else _hasty(turn)


def _narrow(turn: ScriptedTurn) -> str:
    """Asks what divides the fitting items best until one is left, then recommends it."""
    items = _items(turn)
    columns = {name: number for number, name in enumerate(turn.data["attributes"])}

    def largest(attribute: str) -> int:
        return max(Counter(turn.data["catalogue"][name][columns[attribute]] for name in items).values())

    useful = [name for name in _questions(turn) if largest(name) < len(items)]
    return f"ask {min(useful, key=largest)}" if useful else f"recommend {items[0]}"


_SHORTCUTS: dict[str, Scripted] = {
    "recommends at once": _hasty,
    "the first items in order": lambda turn: f"recommend {_items(turn, False)[0]}",
    "asks first, then ignores the answers": _deaf,
    **{f"{n} fixed questions": partial(_fixed, n) for n in (1, 2, 3)},
    "asks everything, then guesses": _endless,
    "recommends without end what was refused": _refused,
}
SUITE = ShortcutSuite(
    honest={"seeker": _fitting},
    competent={"seeker": _narrow},
    alone=frozenset({"seeker"}),
    shortcuts=[Shortcut(name, {"seeker": policy}) for name, policy in _SHORTCUTS.items()],
)
