"""The search tool of search-v1: BM25 over the collection, by the package bm25s. A query is data: words to look up."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from games.dialogue.messages import tokens
from games.errors import MissingPackage
from games.native.search.documents import documents

LONGEST_QUERY = 200
"""characters of a query that are read"""


def find(query: str, most: int) -> tuple[int, ...]:
    """The numbers of the documents that fit best, best first; equal scores in the order of the collection.

    Words that no document has are ignored; without a known word nothing is found.
    """
    words = [word for word in dict.fromkeys(tokens(query[:LONGEST_QUERY])) if word in _vocabulary()]
    if not words:
        return ()
    scores = [float(score) for score in _index().get_scores(words)]
    ranked = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    known = [set(_words()[i]) for i in ranked[:most]]
    return tuple(i for i, found in zip(ranked, known, strict=False) if not found.isdisjoint(words))


@cache
def _words() -> tuple[tuple[str, ...], ...]:
    """The words of each document, those of its title twice."""
    return tuple(tokens(f"{document.title} {document}") for document in documents())


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(word for words in _words() for word in words)


@cache
def _index() -> Any:
    index = package().BM25(k1=1.2, b=0.75)
    index.index([list(words) for words in _words()], show_progress=False)
    return index


def package() -> Any:
    """The package bm25s. Raises MissingPackage."""
    try:
        import bm25s
    except ImportError:
        raise MissingPackage("search-v1", "bm25s", "'selfplay-arena[search]'") from None
    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it reports every index that it builds
    return bm25s
