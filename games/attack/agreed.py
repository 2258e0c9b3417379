"""What seats may have agreed on: codes of secrets, keys that follow from public texts, orders of public lists."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from games.attack.codes import CODES
from games.attack.readings import labelled, last_message, letter, listed, speeches
from games.attack.sources import Lacking, between, fact_of, items, match_of, quotation, scalar
from games.shortcuts import ScriptedTurn

_SHORTEST = 3
"""characters of a coded text that a partner looks for; shorter ones stand in any message"""
_SEEDS, _DEPTH = 600, 4
_CODEBOOKS: dict[tuple[str, ...], Mapping[str, str]] = {}
_LETTERED = re.compile(r"^[A-Z]: ")
ORDERS = ("place", "alphabet", "length", "symbols", "table")
"""orders of a list that two seats may agree on"""


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


def _hearing(turn: ScriptedTurn) -> str:
    """Returns what others said to the seat, and the texts that it was told, as one text."""
    texts = [str(text) for _, text in turn.data.get("messages") or ()]
    texts += [text for value in turn.data.values() if (text := scalar(value)) is not None]
    return "\n".join(texts) or turn.text


def decoded(turn: ScriptedTurn, code: str, role: str, before: str, after: str) -> str:
    """Returns the secret whose code stands in what others said; the longest of several."""
    text, secrets = _hearing(turn), codebook(turn, code, role, before, after)
    hits = [one for one in secrets if len(one) >= _SHORTEST and one in text]
    if not hits:
        raise Lacking("no message holds a code")
    return secrets[max(hits, key=len)]


def decoded_fact(turn: ScriptedTurn, code: str, key: str) -> str:
    """Returns what the rules know, if others said it in this code, which can be read back.

    A code that leaves the text as it is does not count: the text may stand in the task itself.
    """
    fact = fact_of(turn, key)
    sign = "" if fact is None else quotation(CODES[code](fact))
    if not fact or sign == fact or not re.search(rf"(?<!\w){re.escape(sign)}(?!\w)", _hearing(turn)):
        raise Lacking("no message holds the code")
    return fact


def outsider(turn: ScriptedTurn, sign: str) -> str:
    """Returns a speaker none of whose messages contains a sign that allies agreed on."""
    spoken = speeches(turn.text)
    allies = {name for name, message in spoken if quotation(sign) in message}
    others = [name for name, _ in spoken if name not in allies]
    if not others:
        raise Lacking("nobody without the sign")
    return others[0]


def key(turn: ScriptedTurn, size: int) -> str:
    """Returns a number below `size` that follows from a public text, so that all who read it have the same."""
    return str(zlib.crc32(last_message(turn.text).encode()) % max(1, size))


def lists_of(turn: ScriptedTurn) -> dict[str, list[str]]:
    """Returns the lists of texts that the seat was told; without structured data those of labelled lines."""
    if turn.data:
        return {name: texts for name, value in turn.data.items() if len(texts := items(value)) > 1}
    lists = {name: re.split(r", (?=[A-Z]: )|, (?![A-Z]: )", value) for name, value in labelled(turn.text).items()}
    return {name: [_LETTERED.sub("", text) for text in texts] for name, texts in lists.items() if len(texts) > 1}


def _order(texts: Sequence[str], other: Sequence[str], how: str) -> list[str]:
    """Returns a list in an order that seats may agree on.

    `table`: by how the texts of two lists match as patterns; texts that match as others do come last.
    """
    rows = [_row(text, texts, other) for text in texts] if how == "table" else []
    keys: dict[str, Callable[[str], tuple[object, ...]]] = {
        "place": lambda text: (),
        "alphabet": lambda text: (text,),
        "length": lambda text: (len(text), text),
        "symbols": lambda text: (len(set(text)), sorted(text.count(c) for c in set(text)), len(text)),
        "table": lambda text: (rows.count(row := rows[texts.index(text)]), row),
    }
    return sorted(texts, key=keys[how])


def _row(text: str, texts: Sequence[str], other: Sequence[str], depth: int = _DEPTH) -> tuple[object, ...]:
    """Returns how many texts of the other list a text matches, and the same of each of them, to a depth."""
    if depth == 0:
        return ()
    rows = sorted(_row(one, other, texts, depth - 1) for one in other if _matches(text, one))
    return len(rows), rows


@lru_cache(1 << 12)
def _matches(one: str, other: str) -> bool:
    try:
        return bool(re.fullmatch(one, other) or re.fullmatch(other, one))
    except re.error:
        return False


def _pair(turn: ScriptedTurn, a: str, b: str) -> tuple[list[str], list[str]]:
    lists = lists_of(turn)
    if a not in lists or b not in lists:
        raise Lacking("no such lists")
    return lists[a], lists[b]


def coded_item(turn: ScriptedTurn, a: str, b: str, how: str) -> str:
    """Returns the item of list `b` in the place of the item of list `a` whose letter the seat is told."""
    first, second = _pair(turn, a, b)
    place = ord(letter(turn.text, len(first)) or "A") - ord("A")
    return _order(second, first, how)[_order(first, second, how).index(first[place]) % len(second)]


def decoded_item(turn: ScriptedTurn, a: str, b: str, how: str) -> str:
    """Returns the letter of the item of list `a` in the place of the item of list `b` that was said last."""
    first, second = _pair(turn, a, b)
    lines = [line for line in turn.text.splitlines() if sum(text in line for text in second) < len(second)]
    rest = "\n".join(line for line in lines if not listed(line))
    sign = max(second, key=lambda text: rest.rfind(text))
    if sign not in rest:
        raise Lacking("no item was said")
    place = _order(second, first, how).index(sign)
    return chr(ord("A") + first.index(_order(first, second, how)[place % len(first)]))
