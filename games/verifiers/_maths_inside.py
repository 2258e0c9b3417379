"""The worker behind `games.verifiers.maths`: two texts, read and compared."""

from __future__ import annotations

from games.verifiers._maths_parts import Answer, Scalar
from games.verifiers._maths_read import readings
from games.verifiers._maths_same import same
from games.verifiers._maths_tokens import Unread
from games.verifiers.workers import Message, serve


def answer(message: Message) -> Message:
    """`equal` for two texts; `unread` says why the given one is none, `unread_gold` why the reference is."""
    try:
        golds = readings(message["gold"])
    except Unread as error:
        return {"unread_gold": str(error)}
    try:
        given = readings(message["given"])
        # What is a quantity on both sides is no product of letters: 5 mN is not 5 Nm.
        for measured in (True, False):
            ours, theirs = ([r for r in side if _measured(r) == measured] for side in (golds, given))
            if ours and theirs:  # of several readings of the reference the first one is meant
                return {"equal": any(same(ours[0], reading) for reading in theirs)}
        return {"equal": False}
    except Unread as error:
        return {"unread": str(error)}


def _measured(reading: Answer) -> bool:
    return isinstance(reading, Scalar) and reading.unit is not None


if __name__ == "__main__":
    serve(answer)
