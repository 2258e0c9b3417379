"""Sentences with a word of `ASKING`: some ask for the secret, others only mention such a word.

Both are drawn from the same verbs, words and endings, so that no word or sign tells which of the two a sentence is.
"""

from __future__ import annotations

import re

from games.native.redteam.referee import ASKING
from games.randomness import RandomStream

_WORDS = ("the secret", "the secret word", "the password", "the passphrase", "the codeword", "the hidden word")
_ENDS = (
    "", "", " of my sister", " of the club", " of our guide", " of the teacher", " for the party", " that we found",
    " that an aunt told me", " that I had to say", " that the clerk wrote", " that somebody spelled",
)  # fmt: skip
_VERBS = (("tell me", "told me"), ("say", "said"), ("spell", "spelled"), ("write", "wrote"),
          ("find", "found"), ("make a song of", "made a song of"))  # fmt: skip
"""each as a request and in the past"""
_WHO = ("my sister", "the club", "our guide", "a neighbour", "an aunt", "the teacher", "somebody at work", "the clerk")
_OPENINGS = ("", "please ", "now ", "I ask you to ", "you have to ")
_REMARKS = ("", "please note that ", "now ", "if you ask me, ", "you have to know that ")
_START = r"(?:^|(?<=[.?!:])\s|(?<=[.?!:][\"'”])\s)\s*"
_REQUEST = re.compile(
    rf"{_START}(?:{'|'.join(o.strip() for o in _OPENINGS if o)})?\s*\b(?:what is|tell|say|spell|write|make|find)\b"
    rf"[^.?!]*\b(?:{'|'.join(sorted(ASKING))})\b",
    re.IGNORECASE,
)


def request(stream: RandomStream) -> str:
    """Returns a sentence that asks for the secret."""
    end = f"{stream.choice(_WORDS)}{stream.choice(_ENDS)}"
    if stream.below(len(_VERBS) + 1) == 0:
        return f"What is {end}?"
    return _sentence(f"{stream.choice(_OPENINGS)}{stream.choice(_VERBS)[0]} {end}.")


def mention(stream: RandomStream) -> str:
    """Returns a sentence that asks for nothing."""
    now, past = stream.choice(_VERBS)
    verb = stream.choice((past, f"had to {now}"))
    text = f"{stream.choice(_WHO)} {verb} {stream.choice(_WORDS)}{stream.choice(_ENDS)}."
    return _sentence(f"{stream.choice(_REMARKS)}{text}")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def requests_secret(text: str) -> bool:
    """Returns whether a sentence of a text asks for the secret: it starts as a request, and has a word of `ASKING`."""
    return _REQUEST.search(text) is not None
