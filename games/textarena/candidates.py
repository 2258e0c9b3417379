"""Texts that an environment may accept: those in brackets that it mentions, variants of them, numbers, a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from games.textarena.variants import other_words, variants

_BRACKETS = re.compile(r"\[(?:[^\[\]\n]|\[[^\[\]\n]*\]){1,60}\]")
"""Also with brackets inside, such as `[place () {(3,2): [C0]}]`."""
_COMMAND = re.compile(r"\[[A-Za-z]+\] [$\w][^\n\"'\[\]]{0,20}")
"""A word in brackets and what follows, such as `[Propose] CCAACCCC`."""
_SEAT_LINE = re.compile(r"(?m)^You: .*$")
_WORD = re.compile(r"\w+")
_NUMBERS = range(10)
_MENTIONED = 100
"""How many texts in brackets are tried at most, the newest ones."""
_WORDS = 300
_ENOUGH = 8
"""In a group that is too large to be tried whole: after this many accepted texts the others are not tried."""
Group = tuple[Iterable[str], int]
"""Texts to try, and how many accepted ones are enough."""


def candidates(observation: str) -> Iterator[Group]:
    """Yields groups of texts to try; a later group only if no text of the groups before is accepted.

    They depend on the observation alone, so the same position always has the same ones. What the seat itself wrote is
    no mention.
    """
    mentions = _SEAT_LINE.sub("", observation)
    mentioned = [text for text in dict.fromkeys(reversed(_BRACKETS.findall(mentions))) if text.upper() != "[GAME]"]
    commands = list(dict.fromkeys(reversed(_COMMAND.findall(mentions))))
    yield mentioned[:_MENTIONED], _MENTIONED
    yield [f"[{number}]" for number in _NUMBERS], len(_NUMBERS)
    yield variants(mentioned, mentions), _ENOUGH
    yield [*commands, *variants(commands, mentions)], _ENOUGH
    yield ["I have nothing to add.", "[done]", "[skip]", "[pass]"], 1
    yield [f"[{word}]" for word in list(dict.fromkeys(_WORD.findall(mentions)))[:_WORDS]], _ENOUGH
    yield [f"[{a} {b}]" for a in _NUMBERS for b in _NUMBERS], 100
    yield [f"[{a}, {b}]" for a in _NUMBERS for b in _NUMBERS], 100
    yield [f"[{letter}]" for letter in "abcdefghijklmnopqrstuvwxyz"], 26
    yield [f"[{letter}{number}]" for letter in "abcdefgh" for number in _NUMBERS], 80
    yield other_words(mentioned, mentions), _ENOUGH
