"""A message in a model's own text, for turns on which any text may do."""

from __future__ import annotations

from roles._answers import explicit
from roles.parsing import parse
from roles.privacy import own_words, visible

_AROUND = " \t\r\n.$`*_"
"""what may follow an answer that ends a text: a full stop, the end of a formula, of a code block, of emphasis"""


def message(text: str) -> str:
    """All of the text but private reasoning, or the marked answer that it ends with. Raises ParseError for nothing.

    A box or an object in the middle of a message is a part of the message.

    >>> message("Let me think.\\nI offer 50.\\nDeal?")
    'Let me think.\\nI offer 50.\\nDeal?'
    >>> message(r"They want 60. \boxed{I offer 50}")
    'I offer 50'
    """
    said = own_words(text).text
    found = explicit(said)
    if found is not None and said[found.end :].strip(_AROUND) and (whole := visible(said)):
        return whole
    return parse(text, None, "bare")
