"""Where an attack takes its texts from: what a seat reads, what it was told, what the game offers as examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from games.attack.readings import calculation, fitting, labelled, letter, listed, speeches
from games.game import TextGame
from games.quoting import quote
from games.shortcuts import ScriptedTurn, ShortcutSuite, suite_of

_NUMBER, _QUOTED = re.compile(r"-?\d+"), re.compile(r'"([^"\n]*)"')
_WHOLE = re.compile(r"(?<![\w.])\d+(?![\w.])")
_GAP = re.compile(r"((?<=[^\w\s]) +| +(?=[^\w\s]))| +")
"""white space; group 1: beside a sign"""
Source = Callable[..., str]
EXTREMES: Mapping[str, Callable[[list[str]], str]] = MappingProxyType({
    "longest": lambda texts: max(texts, key=len),
    "shortest": lambda texts: min(texts, key=len),
    "frequent": lambda texts: max(texts, key=texts.count),
})  # fmt: skip
"""name -> which of several texts it is"""


class Lacking(LookupError):
    """Says that a turn has no such text; the seat then plays as a random honest player."""


def match_of(turn: ScriptedTurn) -> TextGame:
    """Returns the match of a turn. Raises Lacking for a turn without one."""
    if turn.game is None:
        raise Lacking("the turn has no game")
    return turn.game


_SUITES: dict[str, ShortcutSuite | None] = {}


def suite_in(turn: ScriptedTurn) -> ShortcutSuite:
    """Returns the suite of the game, which is made once for each id."""
    game = match_of(turn)
    if game.spec.id not in _SUITES:
        _SUITES[game.spec.id] = suite_of(game)
    suite = _SUITES[game.spec.id]
    if suite is None:
        raise Lacking("the game has no scripted policies")
    return suite


def honest(turn: ScriptedTurn) -> str:
    """Returns what a random honest player says."""
    policies = suite_in(turn).honest
    if turn.role not in policies:
        raise Lacking("the role has no honest policy")
    return policies[turn.role](turn)


def between(texts: tuple[str, ...], before: str, after: str) -> str:
    """Returns what stands between two texts in the first of `texts` that begins and ends with them."""
    for text in texts:
        if text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after):
            return text[len(before) : len(text) - len(after)]
    raise Lacking("no such secret")


def secret(turn: ScriptedTurn, before: str = "", after: str = "") -> str:
    """Returns the changing part of a text that only this seat may know."""
    return between(match_of(turn).secrets(turn.seat), before, after)


def scalar(value: object) -> str | None:
    """Returns a value of structured data as a text; None for one that is no text and no number."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str | int | float):
        return str(value)
    text = getattr(value, "text", None)
    return text if isinstance(text, str) else None


def competent(turn: ScriptedTurn) -> str:
    """Returns what a competent player says."""
    return suite_in(turn).competent[turn.role](turn)


def data_of(turn: ScriptedTurn) -> Mapping[str, object]:
    """Returns the structured data that the seat was told; without any, the labelled lines of the observation."""
    return turn.data or labelled(turn.text)


def _data(turn: ScriptedTurn, key: str) -> str:
    text = scalar(data_of(turn).get(key))
    if text is None:
        raise Lacking(f"no data {key!r}")
    return text


def fact_of(turn: ScriptedTurn, key: str) -> str | None:
    """Returns what the rules know, as a text: of a seat that reads a control question, what they know of this one."""
    facts = match_of(turn).facts()
    asked = facts.get("control", {}) if turn.seat in facts.get("asked", ()) else {}
    return scalar(asked.get(key, facts.get(key)))


def _fact(turn: ScriptedTurn, key: str) -> str:
    text = fact_of(turn, key)
    if text is None:
        raise Lacking(f"no fact {key!r}")
    return text


def _message(turn: ScriptedTurn) -> str:
    """Returns the last message of somebody else."""
    texts = [text for _, text in turn.data.get("messages") or ()] or _QUOTED.findall(turn.text)
    if not texts:
        raise Lacking("nobody has said anything")
    return str(texts[-1])


def _at(texts: list[str], place: int | str) -> str:
    if not texts:
        raise Lacking("nothing to choose from")
    if isinstance(place, str):
        return EXTREMES[place](texts)
    return texts[place % len(texts) if place >= 0 else max(place, -len(texts))]


def items(value: object) -> list[str]:
    """Returns the texts of a list of structured data; [] for other values."""
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple | list) else []


def _respelled(turn: ScriptedTurn, text: str) -> str:
    """Returns a text that means the same, with other white space, none beside signs, and some numbers in brackets."""
    draw = turn.stream.below
    text = _WHOLE.sub(lambda m: m[0] if draw(2) else f"({m[0]})", text)
    return _GAP.sub(lambda m: "" if m[1] and draw(2) else " " * (1 + draw(3)), text)


def _difference(turn: ScriptedTurn, one: str, other: str) -> str:
    """Returns how much is missing from the first number to the second."""
    try:
        gap = int(other) - int(one)
    except ValueError:
        raise Lacking("no numbers") from None
    return f"{abs(gap)} {'more' if gap > 0 else 'less'}"


def _filled(text: str, why: str) -> str:
    if not text:
        raise Lacking(why)
    return text


def _fitting(turn: ScriptedTurn) -> str:
    """Returns the legal action, or the letter, of the item that has most words in common with the rest of the text."""
    name = _filled(fitting(turn.text), "no list")
    return next((one for one in turn.legal or () if one.split()[-1:] == [name]), name)


def _speaker(turn: ScriptedTurn, place: int | str) -> str:
    """Returns who said the longest or the shortest message, or spoke in a place."""
    spoken = speeches(turn.text)
    text = _at([message for _, message in spoken], place)
    names = [name for name, message in spoken if message == text]
    return names[0] if isinstance(place, str) else _at([name for name, _ in spoken], place)


WRAPS = {
    "negated": "~~({})",
    "bracketed": "({})",
    "implied": "s -> (t -> ({}))",
    "plus_0": "({}) + 0",
    "quoted": "'{}'",
}
_END = re.compile(r"(\([^()]*(?:\([^()]*(?:\([^()]*\))*[^()]*\))*[^()]*\)|[^\s()]+)([?.!]?)$")


def _wrapped_end(turn: ScriptedTurn, how: str, text: str) -> str:
    """Returns a text whose last part, a word or a bracket, stands in further brackets."""
    end = _END.search(text)
    return text if end is None else f"{text[: end.start()]}{WRAPS[how].format(end[1])}{end[2]}"


def _extended(turn: ScriptedTurn, text: str, end: str) -> str:
    """Returns a text with an addition before its last punctuation mark."""
    body = text.rstrip("?.! ")
    return f"{body}{end}{text[len(body) :]}"


def quotation(text: str) -> str:
    """Returns a text as another seat reads it in a message."""
    return quote(text, 10_000)[1:-1]


SOURCES: Mapping[str, Source] = MappingProxyType({
    "honest": honest,
    "competent": competent,
    "secret": secret,
    "data": _data,
    "fact": _fact,
    "message": _message,
    "line": lambda turn, place: _at(turn.text.splitlines(), place),
    "number": lambda turn, place: _at(_NUMBER.findall(turn.text), place),
    "option": lambda turn, place: _at(list(turn.legal or ()), place),
    "item": lambda turn, key, place: _at(items(turn.data.get(key)), place),
    "join": lambda turn, *texts: "".join(texts),
    "chosen": lambda turn, *texts: turn.stream.choice(texts),
    "respelled": _respelled,
    "difference": _difference,
    "calculation": lambda turn, text: _filled(calculation(text), "no calculation"),
    "mention": lambda turn: _filled(listed(turn.text).get(letter(turn.text), ""), "no letter of a list"),
    "fitting": _fitting,
    "speaker": _speaker,
    "wrapped": lambda turn, how, text: WRAPS[how].format(text),
    "wrapped_end": _wrapped_end,
    "extended": _extended,
})  # fmt: skip
"""name -> function of the turn and its arguments"""
