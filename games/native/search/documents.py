"""The offline collection of a match of search-v1: documents about invented people, towns, companies and books.

The seed draws one of a million collections of a split, so nobody knows an answer that no document has shown. Each
document tells two or three facts, which lead to other documents: an answer can be any number of steps away from the
name that a question mentions, as in MuSiQue (Trivedi et al. 2022, arXiv 2108.00573).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from games.native.search import names
from games.native.search.index import DocumentIndex
from games.native.search.relations import RELATIONS, DocumentFact
from games.randomness import RandomStream, derive

COLLECTIONS = 1_000_000
"""the collections of a split"""
_COUNTS = {"person": 24, "town": 14, "company": 12, "book": 12}


class AskedAbout(NamedTuple):
    """An answer that a proposer may be given, and the title of a document that holds it."""

    answer: str
    title: str


@dataclass(frozen=True, slots=True)
class Collection:
    """The documents of one number, the facts that they tell, and the search tool over them."""

    documents: tuple[str, ...]
    """title, a colon, and one paragraph"""
    facts: tuple[DocumentFact, ...]
    index: DocumentIndex

    @property
    def subjects(self) -> tuple[AskedAbout, ...]:
        """Each name that another document mentions, with the title of the first such document."""
        return tuple({fact.value: AskedAbout(fact.value, fact.subject) for fact in reversed(self.facts)}.values())

    def alike(self, answer: str) -> list[str]:
        """Returns the other names of the kind of an answer that documents mention."""
        kinds = {fact.value: fact.relation.to for fact in self.facts}
        return [name for name, kind in kinds.items() if kind == kinds[answer] and name != answer]

    def read(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Returns documents by their numbers."""
        return tuple(self.documents[i] for i in numbers)


@lru_cache(64)  # every search of a match looks into the same one
def collection(number: int) -> Collection:
    """Draws a collection by its number, which says its split too."""
    stream = RandomStream(derive(number, "search", "collection"))
    drawn = _names(stream)
    facts = tuple(
        DocumentFact(name, relation, stream.choice([other for other in drawn[relation.to] if other != name]))
        for kind in drawn
        for name in drawn[kind]
        for relation in RELATIONS
        if relation.of == kind
    )
    documents = tuple(_document(stream, name, kind, facts) for kind in drawn for name in drawn[kind])
    return Collection(documents, facts, DocumentIndex(documents))


def _names(stream: RandomStream) -> dict[str, list[str]]:
    """Draws the names of each kind. No two people share a name, nor a surname."""
    people = zip(stream.shuffled(names.FORENAMES), stream.shuffled(names.SURNAMES), strict=True)
    lists = {
        "person": [f"{forename} {surname}" for forename, surname in people],
        "town": stream.shuffled(names.TOWNS),
        "company": stream.shuffled(names.MAKERS),
        "book": stream.shuffled(names.BOOKS),
    }
    return {kind: lists[kind][:count] for kind, count in _COUNTS.items()}


def _document(stream: RandomStream, name: str, kind: str, facts: Sequence[DocumentFact]) -> str:
    """Writes what a thing is, a detail that no relation has, and its facts in a drawn order."""
    detail = {
        "person": f"a {stream.choice(names.TRADES)} of {25 + stream.below(50)}",
        "town": f"on the river {stream.choice(names.RIVERS)}",
        "company": f"known for {stream.choice(names.GOODS)}",
        "book": f"of {120 + stream.below(600)} pages",
    }[kind]
    sentences = stream.shuffled([fact.relation.says.format(fact.value) for fact in facts if fact.subject == name])
    return f"{name}: {name} is a {kind}, {detail}. {name} {', '.join(sentences[:-1])} and {sentences[-1]}."
