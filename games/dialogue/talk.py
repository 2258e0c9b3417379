"""What our games of free words share: a message made safe to show, its words, the list of words to play with."""

from __future__ import annotations

import functools
import re
import unicodedata
from importlib import resources
from typing import NamedTuple

from games.speech import quote

_TOKEN = re.compile(r"[^\W_]+")
_SILENT = {'""', '"…"'}


class Word(NamedTuple):
    """A word to play with: what counts as saying it, and things to say about it."""

    text: str
    forms: frozenset[str]
    hints: tuple[str, ...]


def said(seat: str, text: str, limit: int = 600) -> str:
    """One line of a dialogue: who says what, quoted."""
    quoted = quote(text, limit)
    return f"[{seat}] says nothing" if quoted in _SILENT else f"[{seat}] {quoted}"


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, compatibility forms folded. "cat's" is cat and s; "education" has no cat."""
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()))


def mentions(text: str, word: Word) -> bool:
    """Whether a text holds a form of the word as a whole word; a part of another word is none (SPAG's substring)."""
    return not word.forms.isdisjoint(tokens(text))


@functools.cache
def words() -> tuple[Word, ...]:
    """All words, in the order of the list."""
    listed = resources.files("games.dialogue").joinpath("data/words.txt").read_text(encoding="utf-8").splitlines()
    return tuple(_word(line) for line in listed if line and not line.startswith("#"))


def _word(line: str) -> Word:
    head, _, hints = line.partition(": ")
    text, _, plural = head.partition("/")
    return Word(text, forms(text, plural), tuple(hints.split(", ")))


def forms(word: str, plural: str = "") -> frozenset[str]:
    """The word, its plural, its -ing and -ed: the derived forms of SPAG (Cheng et al. 2024), spelled by rule.

    >>> sorted(forms("map"))
    ['map', 'mapped', 'mapping', 'maps']
    """
    if word[-1] == "y" and word[-2] not in "aeiou":
        many, past, doing = word[:-1] + "ies", word[:-1] + "ied", word + "ing"
    elif word[-1] == "e":
        many, past, doing = word + "s", word + "d", word[:-1] + "ing"
    else:
        many = word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")
        doubled = len(word) <= 4 and re.search(r"[^aeiou][aeiou][^aeiouwxy]$", word)
        stem = word + word[-1] if doubled else word
        past, doing = stem + "ed", stem + "ing"
    return frozenset({word, plural or many, past, doing})
