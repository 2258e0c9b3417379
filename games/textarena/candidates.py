"""Texts that an environment may accept: those in brackets that it mentions, small numbers, and a plain sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BRACKETS = re.compile(r"\[[^\[\]\n]{1,40}\]")
_NUMBERS = range(10)
_MENTIONED = 64
"""How many texts in brackets are tried at most, the newest ones."""


def candidates(seen: str) -> Iterator[list[str]]:
    """Groups of texts to try; a later group only if no text of the groups before is accepted."""
    mentioned = list(dict.fromkeys(reversed(_BRACKETS.findall(seen))))
    yield [text for text in mentioned if text.upper() != "[GAME]"][:_MENTIONED]
    yield [f"[{number}]" for number in _NUMBERS]
    yield ["I have nothing to add.", "[done]", "[skip]", "[pass]"]
    yield [f"[{a} {b}]" for a in _NUMBERS for b in _NUMBERS]
    yield [f"[{a}, {b}]" for a in _NUMBERS for b in _NUMBERS]
    yield [f"[{letter}]" for letter in "abcdefghijklmnopqrstuvwxyz"]
    yield [f"[{letter}{number}]" for letter in "abcdefgh" for number in _NUMBERS]
