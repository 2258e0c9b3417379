"""Messages of dialogue games: quoting them safely and splitting them into words."""

from __future__ import annotations

import re
import unicodedata

from games.quoting import quote

_TOKEN = re.compile(r"[^\W_]+")
_EMPTY = {'""', '"…"'}


def said(seat: str, text: str, limit: int = 600) -> str:
    """One line of a dialogue: the speaker and the quoted message, cut to `limit` characters."""
    quoted = quote(text, limit)
    return f"[{seat}] says nothing" if quoted in _EMPTY else f"[{seat}] {quoted}"


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, compatibility forms folded: "cat's" is cat and s."""
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()))
