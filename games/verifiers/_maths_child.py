"""The worker process of `games.verifiers.maths`: it parses two texts and compares them."""

from __future__ import annotations

from games.verifiers._maths_parts import Answer, Scalar
from games.verifiers._maths_read import readings
from games.verifiers._maths_same import same
from games.verifiers._maths_tokens import Unread
from games.verifiers.workers import Message, serve


def answer(message: Message) -> Message:
    """Compare two texts: `equal`, or why the answer (`unread`) or the reference (`unread_gold`) cannot be parsed."""
    try:
        golds = readings(message["gold"])
    except Unread as error:
        return {"unread_gold": str(error)}
    try:
        given = readings(message["given"])
        # If both sides can be quantities, they are not products of letters: 5 mN is not 5 Nm.
        for measured in (True, False):
            ours, theirs = ([r for r in side if _measured(r) == measured] for side in (golds, given))
            if ours and theirs:  # the first reading of the reference is the intended one
                return {"equal": any(same(ours[0], reading) for reading in theirs)}
        return {"equal": False}
    except Unread as error:
        return {"unread": str(error)}


def _measured(reading: Answer) -> bool:
    return isinstance(reading, Scalar) and reading.unit is not None


if __name__ == "__main__":
    serve(answer)
