"""The lists of a closed search-v1: searches, questions and answers about a few countries."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from games.native.search.documents import AskedAbout, documents, subjects
from games.tasks.source import Split

_ELEMENT = re.compile(r"with the symbol (\w+) and the atomic number (\d+)\.")


class ClosedLists(NamedTuple):
    """What can be chosen, and the answers that are drawn."""

    subjects: tuple[AskedAbout, ...]
    searches: tuple[str, ...]
    questions: tuple[str, ...]
    answers: tuple[str, ...]


@cache
def closed_lists(size: int, split: Split) -> ClosedLists:
    """The first `size` countries of a split, in the order of the table."""
    chosen = [s for s in subjects(split) if s.answer != s.title][:size]
    names = [s.title for s in chosen]
    return ClosedLists(
        tuple(chosen),
        tuple(f"search: {word}" for s in chosen for word in s),
        tuple(wording(name) for name in names),
        tuple(s.answer for s in chosen),
    )


def wording(title: str) -> str:
    """A plain question about a country or an element, by the title of its document."""
    text = next(document.text for document in documents() if document.title == title)
    if found := _ELEMENT.search(text):
        return f"Which chemical element has the symbol {found[1]} and also the atomic number {found[2]}?"
    return f"What is the name of the capital city of the country that is called {title}?"
