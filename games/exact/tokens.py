"""Splits a text of a game into words and single letters, and tells which tokens are English articles."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

_TOKEN = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ARTICLE = re.compile(r" (?:(?!to\b|and\b|or\b|is\b)[A-Za-z][a-z]+|\d+(?:x\d|-[a-z]))")
_SIZE = re.compile(r"(?<![A-Za-z\d])\d{1,2}x\d")
_ENDING = re.compile(r"(?<=[A-Za-z0-9])['(]$")

_HUMPS = re.compile(r"[A-Z][a-z]+")
_IRREGULAR = {"dice": "die"}


def tokens(text: str) -> Iterator[re.Match[str]]:
    """Yields the tokens that carry meaning: not the words `a` and `I`, the s of `player_0's`, the cross of `3x3`."""
    for match in _TOKEN.finditer(text):
        token, after = match[0], text[match.end() : match.end() + 40]
        if token in ("a", "A", "I") and _ARTICLE.match(after):
            continue
        if token == "x" and _SIZE.search(text, max(0, match.start() - 3), match.end() + 1):
            continue
        if token in ("s", "t") and _ENDING.search(text, max(0, match.start() - 2), match.start()):
            continue
        yield match


def replaced(text: str, write: Callable[[str], str]) -> str:
    """Returns the text with every token written anew."""
    parts, end = [], 0
    for match in tokens(text):
        parts += [text[end : match.start()], write(match[0])]
        end = match.end()
    return "".join([*parts, text[end:]])


def words(texts: Iterable[str]) -> set[str]:
    """Returns all tokens of some texts."""
    return {match[0] for text in texts for match in tokens(text)}


def key_of(token: str) -> str:
    """Returns a token in small letters, unless it is several words in one, such as `AllIn`."""
    return token if len(_HUMPS.findall(token)) > 1 else token.lower()


def cased(word: str, like: str) -> str:
    """Returns a word in small letters with the capitals of another one."""
    if word != word.lower():
        return word  # several words in one: as they are
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word.capitalize() if like[0].isupper() else word


def lemma(word: str, others: Collection[str]) -> tuple[str, str]:
    """Returns the base of a word and its ending, if the base is one of the other words: `bets` -> `bet`, `s`."""
    if word in _IRREGULAR:
        return _IRREGULAR[word], "s"
    for ending in ("s", "es", "ed", "ing"):
        base = word.removesuffix(ending)
        if base == word or len(base) < 2:
            continue
        doubled = base[:-1] if base[-1] == base[-2] else base
        for candidate in (base, base + "e" if ending in ("ed", "ing") else base, doubled):
            if len(candidate) > 1 and candidate in others:
                return candidate, ending
    return word, ""
