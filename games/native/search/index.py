"""The search tool of search-v1: BM25 over a collection, by the package bm25s. A query is data: words to look up."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from games.dialogue.messages import tokens
from games.errors import MissingPackage

LONGEST_QUERY = 200
"""characters of a query that are read"""


class DocumentIndex:
    """An index of documents, each a title, a colon and a text; built at the first search."""

    def __init__(self, documents: Sequence[str]) -> None:
        self._documents = documents

    def find(self, query: str, most: int) -> tuple[int, ...]:
        """Returns the numbers of the documents that fit best, best first; equal scores in the order of the collection.

        Words that no document has are ignored; without a known word nothing is found.
        """
        words = [word for word in dict.fromkeys(tokens(query[:LONGEST_QUERY])) if word in self._vocabulary]
        if not words:
            return ()
        scores = [float(score) for score in self._bm25.get_scores(words)]
        ranked = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:most]
        return tuple(i for i in ranked if not self._words[i].isdisjoint(words))

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        return [frozenset(tokens(text)) for text in self._documents]

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset().union(*self._words)

    @cached_property
    def _bm25(self) -> Any:
        index = package().BM25(k1=1.2, b=0.75)
        index.index([tokens(text) for text in self._documents], show_progress=False)
        return index


def package() -> Any:
    """Returns the package bm25s. Raises MissingPackage."""
    try:
        import bm25s
    except ImportError:
        raise MissingPackage("search-v1", "bm25s", "'selfplay-arena[search]'") from None
    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it reports every index that it builds
    return bm25s
