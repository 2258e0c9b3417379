"""Parses a model's own text into a message, for turns in which any text is legal."""

from __future__ import annotations

from roles.parsing._answers import explicit
from roles.parsing.actions import parse
from roles.privacy import own_words, visible

_AROUND = " \t\r\n.$`*_"
"""characters that may follow an answer at the end of a text: a full stop, the end of a formula, code or emphasis"""


def message(text: str) -> str:
    """Returns the text without private reasoning, or the answer at its end. Raises ParseError if nothing is left.

    A box or a JSON object in the middle of a message is part of the message.

    >>> message("Let me think.\\nI offer 50.\\nDeal?")
    'Let me think.\\nI offer 50.\\nDeal?'
    >>> message(r"They want 60. \boxed{I offer 50}")
    'I offer 50'
    """
    spoken_text = own_words(text).text
    mark = explicit(spoken_text)
    if mark is not None and spoken_text[mark.end :].strip(_AROUND) and (whole := visible(spoken_text)):
        return whole
    return parse(text, None, "bare")
