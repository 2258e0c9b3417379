"""What a text tells that follows common forms, without knowledge of the game: labels, lists, speakers, sums."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import ascii_uppercase
from types import MappingProxyType

from games.shortcuts import ScriptedTurn
from games.verifiers import arithmetic

_LABEL = re.compile(r"^([A-Z][\w ]{2,40}?)(?<! [A-Z])(?: \([^)\n]*\))?: \"?(.+?)\"?$", re.MULTILINE)
_ITEM = re.compile(r"(?:^|: |, )([A-Z]): (.+?)(?=, [A-Z]: |$)", re.MULTILINE)
_LETTER = re.compile(r"(?<![\w'])([B-Z]|A(?=[.,:;)]|$))(?![\w'])", re.MULTILINE)
_SPEECH = re.compile(r"^\[([^\]\n]+)\] (.*)$", re.MULTILINE)
_LEFT = re.compile(r"(\d+) (?:more\b|\w+ (?:is|are) left\b)|turn you have (\d+)\b")
_SUM = re.compile(r"\(*-?\d+(?:\)* [-+*/] \(*-?\d+\)*)+")
_EQUATION = re.compile(rf"({_SUM.pattern}) = (-?\d+)")
_WORD = re.compile(r"\w+")


def labelled(text: str) -> dict[str, str]:
    """Returns the lines of a text that have a label: `The target: p -> q`; also what follows a second label."""
    labels = dict(_LABEL.findall(text))
    return labels | {f"{label}:": rest for label, value in labels.items() if (rest := _second(value))}


def _second(value: str) -> str:
    name, colon, rest = value.partition(": ")
    return rest if colon and name.isidentifier() and len(name) > 1 else ""


def listed(text: str) -> dict[str, str]:
    """Returns the items of lists that have letters, in lines of their own or in one: `A: red, B: blue`."""
    return dict(_ITEM.findall(text))


def letter(text: str, size: int = 0) -> str:
    """Returns the last letter of a list, or of `size` letters, that is mentioned outside of it; "" without one."""
    items = listed(text) or ascii_uppercase[:size]
    return next((one for one in reversed(_LETTER.findall(_ITEM.sub("", text))) if one in items), "")


def speeches(text: str) -> list[tuple[str, str]]:
    """Returns who said what, in order."""
    return [(name.partition(",")[0], message.strip('"')) for name, message in _SPEECH.findall(text)]


def left(text: str) -> int | None:
    """Returns how many turns or messages are left; None if the text does not tell."""
    counts = [int(one or other) for one, other in _LEFT.findall(text)]
    return counts[-1] if counts else None


def calculation(text: str) -> str:
    """Returns the first calculation of a text; "" without one."""
    match = _SUM.search(text)
    return match[0] if match else ""


def holds(text: str) -> bool:
    """Returns whether each equation of a text holds."""
    return all(_value(sum_) == int(result) for sum_, result in _EQUATION.findall(text))


def _value(text: str) -> int | None:
    try:
        value = arithmetic.value(text)
    except ArithmeticError:
        return None
    return int(value) if value is not None and value == int(value) else None


def fitting(text: str) -> str:
    """Returns the letter of the item of a list that has most words in common with the rest of the text."""
    rest = set(_WORD.findall(_ITEM.sub("", text)))
    items = listed(text)
    return max(items, key=lambda name: len(rest & set(_WORD.findall(items[name]))), default="")


def last_message(text: str) -> str:
    """Returns what was said last; the last line if nobody spoke."""
    spoken = speeches(text)
    return spoken[-1][1] if spoken else text.rpartition("\n")[2]


def _even(text: str) -> bool:
    numbers = re.findall(r"\d+", last_message(text))
    return bool(numbers) and int(numbers[-1][-1]) % 2 == 0


def _stands(fact: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", text))


FEATURES: Mapping[str, Callable[[ScriptedTurn, str | int], bool]] = MappingProxyType({
    "holds": lambda turn, _: holds(turn.text),
    "even": lambda turn, _: _even(turn.text),
    "says": lambda turn, word: str(word) in _WORD.findall(last_message(turn.text)),
    "long": lambda turn, size: len(last_message(turn.text)) > int(size),
    "fact": lambda turn, key: turn.game is not None and _stands(str(turn.game.facts().get(str(key))), turn.text),
    "late": lambda turn, most: (left(turn.text) or 0) <= int(most),
})  # fmt: skip
"""name -> whether a turn has it, with a word or a number to compare with"""
