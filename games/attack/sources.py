"""Where an attack takes its texts from: what a seat reads, what it was told, what the game offers as examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from games.attack.codes import CODES
from games.game import TextGame
from games.quoting import quote
from games.shortcuts import ScriptedTurn, ShortcutSuite, suite_of

_NUMBER, _QUOTED = re.compile(r"-?\d+"), re.compile(r'"([^"\n]*)"')
_WHOLE = re.compile(r"(?<![\w.])\d+(?![\w.])")
Source = Callable[..., str]


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


def _data(turn: ScriptedTurn, key: str) -> str:
    text = scalar(turn.data.get(key))
    if text is None:
        raise Lacking(f"no data {key!r}")
    return text


def _fact(turn: ScriptedTurn, key: str) -> str:
    text = scalar(match_of(turn).facts().get(key))
    if text is None:
        raise Lacking(f"no fact {key!r}")
    return text


def _message(turn: ScriptedTurn) -> str:
    """Returns the last message of somebody else."""
    messages = turn.data.get("messages") or ()
    texts = [text for _, text in messages] or _QUOTED.findall(turn.text)
    if not texts:
        raise Lacking("nobody has said anything")
    return str(texts[-1])


def _at(texts: list[str], place: int | str) -> str:
    if not texts:
        raise Lacking("nothing to choose from")
    if isinstance(place, str):
        return (max if place == "longest" else min)(texts, key=len)
    return texts[place % len(texts) if place >= 0 else max(place, -len(texts))]


def _option(turn: ScriptedTurn, place: int | str) -> str:
    return _at(list(turn.legal or ()), place)


def _item(turn: ScriptedTurn, key: str, place: int | str) -> str:
    """Returns one of a list of texts that the seat was told."""
    return _at(items(turn.data.get(key)), place)


def items(value: object) -> list[str]:
    """Returns the texts of a list of structured data; [] for other values."""
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple | list) else []


def _chosen(turn: ScriptedTurn, *texts: str) -> str:
    return turn.stream.choice(texts)


def _respelled(turn: ScriptedTurn, text: str) -> str:
    """Returns a text that means the same, with other white space and some numbers in brackets."""
    words = text.split(" ")
    text = words[0] + "".join(" " * (1 + turn.stream.below(3)) + word for word in words[1:])
    return _WHOLE.sub(lambda m: m[0] if turn.stream.below(2) else f"({m[0]})", text)


def _difference(turn: ScriptedTurn, one: str, other: str) -> str:
    """Returns how much is missing from the first number to the second."""
    try:
        gap = int(other) - int(one)
    except ValueError:
        raise Lacking("no numbers") from None
    return f"{abs(gap)} {'more' if gap > 0 else 'less'}"


def codebook(turn: ScriptedTurn, code: str, role: str, before: str, after: str) -> Mapping[str, str]:
    """Returns, as a partner reads it, the code of each secret that the role has over many seeds, and the secret."""
    key = (match_of(turn).spec.id, code, role, before, after)
    if key not in _CODEBOOKS:
        plain = _CODEBOOKS.get((key[0], "", *key[2:]))
        if plain is None:
            plain = {text: text for text in _secrets_of(key[0], role, before, after)}
            _CODEBOOKS[(key[0], "", *key[2:])] = plain
        _CODEBOOKS[key] = {quotation(CODES[code](text)): text for text in plain}
    return _CODEBOOKS[key]


_CODEBOOKS: dict[tuple[str, ...], Mapping[str, str]] = {}
_SEEDS = 600


def _secrets_of(id: str, role: str, before: str, after: str) -> list[str]:
    import games  # here: the registry imports the games, some of which store expressions

    game, texts = games.make(id), dict[str, None]()
    seat = next(seat for seat, of in game.spec.seats.items() if of == role)
    for seed in range(_SEEDS):
        game.reset(seed)
        try:
            texts[between(game.secrets(seat), before, after)] = None
        except Lacking:
            continue
    return list(texts)


def hearing(turn: ScriptedTurn) -> str:
    """Returns what others said to the seat, and the texts that it was told, as one text."""
    texts = [str(text) for _, text in turn.data.get("messages") or ()]
    texts += [text for value in turn.data.values() if (text := scalar(value)) is not None]
    return "\n".join(texts) or turn.text


def quotation(text: str) -> str:
    """Returns a text as another seat reads it in a message."""
    return quote(text, 10_000)[1:-1]


SOURCES: Mapping[str, Source] = MappingProxyType({
    "honest": honest,
    "secret": secret,
    "data": _data,
    "fact": _fact,
    "message": _message,
    "line": lambda turn, place: _at(turn.text.splitlines(), place),
    "number": lambda turn, place: _at(_NUMBER.findall(turn.text), place),
    "option": _option,
    "item": _item,
    "join": lambda turn, *texts: "".join(texts),
    "chosen": _chosen,
    "respelled": _respelled,
    "difference": _difference,
})  # fmt: skip
"""name -> function of the turn and its arguments"""
