"""Messages of dialogue games: checking them, quoting them safely and splitting them into words."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Sequence

from games.errors import IllegalAction
from games.quoting import byte_length, quote

SHOWN = 4000
"""the bytes of UTF-8 of a message that others read, at most, unless a game's rules say otherwise"""
CUT = f"Others read the first {SHOWN:,} bytes of a message."
"""the sentence of the rules that states the limit"""
LONGEST = 100_000
"""the bytes of a message in UTF-8, at most; a longer one is refused, so that nothing is cut unnoticed"""
_TOKEN = re.compile(r"[^\W_]+")
_EMPTY = {'""', '"…"'}


def said(seat: str, text: str, limit: int = SHOWN) -> str:
    """One line of a dialogue: the speaker and the quoted message, cut to `limit` bytes."""
    quoted = quote(text, limit)
    return f"[{seat}] says nothing" if quoted in _EMPTY else f"[{seat}] {quoted}"


def shown(text: str, limit: int = SHOWN) -> str:
    """A message as others read it: quoted, and cut to `limit` bytes."""
    return quote(text, limit)


def exceeds(text: str, limit: int = SHOWN) -> bool:
    """Whether others read less than the whole message."""
    if text.isascii() and len(text) * _GROWTH <= limit:
        return False
    return quote(text, limit) != quote(text, sys.maxsize)


_GROWTH = 3
"""bytes of the longest replacement of an ASCII character"""


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, compatibility forms folded: "cat's" is cat and s."""
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()))


def check_message(seat: str, text: object, options: Sequence[str] | None, longest: int = LONGEST) -> None:
    """Raises IllegalAction for what is no text, is not one of the options, or is longer than `longest`."""
    if not isinstance(text, str):
        raise IllegalAction("a message must be a text", seat)
    if options is not None and text not in options:
        raise IllegalAction(f"choose one of {', '.join(options[:8])}{', ...' * (len(options) > 8)}", seat)
    if (size := byte_length(text)) > longest:
        raise IllegalAction(f"write at most {longest:,} bytes, not {size:,}", seat)
