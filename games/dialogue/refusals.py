"""Recognises refusals in free text."""

from __future__ import annotations

import re
import unicodedata

_REFUSAL = re.compile(
    r"\b(?:i (?:can ?not|can ?'?t|won'?t|will not|refuse|must not|am unable|am not able|may not)|sorry|i decline)\b"
)


def refuses(text: str) -> bool:
    """Returns whether a text refuses a request."""
    return bool(_REFUSAL.search(without_accents(text).replace("’", "'")))


def without_accents(text: str) -> str:
    """Returns the text without compatibility forms, accents and upper case."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in plain if not unicodedata.combining(c))
