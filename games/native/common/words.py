"""The word list of taboo and spy: words with hints, and whether a text mentions a word.

The first words and their hints were written for this project; hundreds of common nouns of WordNet follow. So to single
one out by its letters takes more bits than the held-out reader lets pass.
"""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import NamedTuple

from games import tasks
from games.dialogue.messages import tokens
from games.errors import InputError
from games.tasks.vocabulary import Entry, VocabularySource
from games.tasks.vocabulary.source import entries

_HINTS = 4
"""hints of a word of the list, at least"""
_LETTERS = 6
"""letters of a noun of WordNet, at least: codes of longer words say more than the reader lets pass"""
_PLURALS = (("man", "men"), ("child", "children"), ("foot", "feet"), ("lf", "lves"), ("wife", "wives"))
"""of nouns, in the singular and in the plural"""


class Word(NamedTuple):
    """A word, the forms that count as saying it, and hints that describe it."""

    text: str
    forms: frozenset[str]
    hints: tuple[str, ...]


def mentions(text: str, word: Word) -> bool:
    """Whether a text contains a form of the word as a whole word. SPAG searches for a substring instead."""
    return not word.forms.isdisjoint(tokens(text))


@functools.cache
def word_list() -> tuple[Word, ...]:
    """All words, in the order of the list; the plural of another one is left out."""
    first = [_word(line) for line in lines_of("games.native.common", "words.txt")]
    nouns = [word_of(e) for e in entries().values() if e.frequency == "common" and len(e.word) >= _LETTERS]
    inflected = {form for word in (*first, *nouns) for form in word.forms - {word.text}}
    inflected.add("player")  # the rules of spy say it
    usable = {word.text: word for word in nouns if len(word.hints) >= _HINTS and word.text not in inflected}
    written = {word.text: word for word in first}
    return (*first, *(word for text, word in usable.items() if text not in written))


def vocabulary(id: str) -> VocabularySource:
    """The task source of a word game. Raises InputError for a source that is no vocabulary."""
    source = tasks.make(id)
    if not isinstance(source, VocabularySource):
        raise InputError(f"{source.id} has no words to draw; write tasks=vocabulary, or vocabulary(category=animal)")
    return source


def word_of(entry: Entry) -> Word:
    """A word of a vocabulary. Its hints are those without a form of the word."""
    plurals = (entry.word.removesuffix(one) + many for one, many in _PLURALS if entry.word.endswith(one))
    all_forms = forms(entry.word, next(plurals, ""))
    return Word(entry.word, all_forms, tuple(hint for hint in entry.hints if hint not in all_forms))


def lines_of(package: str, file: str) -> list[str]:
    """The lines of a data file in a package, without empty lines and comments."""
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _word(line: str) -> Word:
    head, _, hints = line.partition(": ")
    text, _, plural = head.partition("/")
    return Word(text, forms(text, plural), tuple(hints.split(", ")))


def forms(word: str, plural: str = "") -> frozenset[str]:
    """The word, its plural, its -ing and its -ed form: the derived forms of SPAG (Cheng et al. 2024), spelled by rule.

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
