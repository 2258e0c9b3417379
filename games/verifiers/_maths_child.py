"""The worker process of `games.verifiers.maths`: it parses two texts and compares them."""

from __future__ import annotations

import re

from games.verifiers._maths_parts import Answer, Scalar, symbols
from games.verifiers._maths_read import readings
from games.verifiers._maths_same import same
from games.verifiers._maths_tokens import Unread
from games.verifiers.workers import Message, serve


def answer(message: Message) -> Message:
    """Compare two texts: `equal`, or why the answer (`unread`) or the reference (`unread_gold`) cannot be parsed."""
    gold = message["gold"]
    try:
        golds = _named(gold, message["gold_name"])
    except Unread as error:
        return {"unread_gold": str(error)}
    try:
        answers = _named(message["given"], message["given_name"])
        # If both sides can be quantities, they are not products of letters: 5 mN is not 5 Nm.
        for measured in (True, False):
            ours, theirs = ([r for r in side if _measured(r) == measured] for side in (golds, answers))
            if measured and _GLUED.fullmatch(gold):  # 3h may be a product, so that it is no 180 min
                theirs = [r for r in theirs if _unit(r) == _unit(ours[0])] if ours else []
            if ours and theirs:  # the first reading of the reference is the intended one
                return {"equal": any(same(ours[0], reading) for reading in theirs)}
        return {"equal": False}
    except Unread as error:
        return {"unread": str(error)}


def _named(text: str, name: str) -> list[Answer]:
    """Returns the readings of a value without its own name: x = x + 1 is not an answer. Raises Unread."""
    candidates = readings(text)
    if not name:
        return candidates
    try:
        names = {str(symbol) for reading in readings(name) for symbol in symbols(reading)}
    except Unread:  # such as A : B
        names = set()
    kept = [reading for reading in candidates if not names & {str(symbol) for symbol in symbols(reading)}]
    if not kept:
        raise Unread(f"{name} occurs in its own value")
    return kept


_GLUED = re.compile(r"\s*[-+]?[\d.,/]+[A-Za-z]\s*")
"""a number and one letter, which is a unit or a variable"""


def _unit(reading: Answer) -> object:
    return reading.unit if isinstance(reading, Scalar) else None


def _measured(reading: Answer) -> bool:
    return isinstance(reading, Scalar) and reading.unit is not None


if __name__ == "__main__":
    serve(answer)
