"""The lists of a closed search-v1: searches, questions and answers about a few names of one collection."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from games.native.search.documents import COLLECTIONS, AskedAbout, collection
from games.native.search.relations import chain_question
from games.tasks.source import SPLITS, Split


class ClosedLists(NamedTuple):
    """What can be chosen, and the answers that are drawn."""

    subjects: tuple[AskedAbout, ...]
    searches: tuple[str, ...]
    questions: tuple[str, ...]
    answers: tuple[str, ...]


def first_collection(split: Split) -> int:
    """Returns the number of the first collection of a split, in which closed matches are played."""
    return SPLITS.index(split) * COLLECTIONS


@cache
def closed_lists(size: int, split: Split) -> ClosedLists:
    """Returns the lists about the towns in which the first `size` people were born that share none."""
    number, born = first_collection(split), dict[str, str]()
    for fact in collection(number).facts:
        if fact.relation.phrase.endswith("was born") and fact.value not in born.values():
            born[fact.subject] = fact.value
    chosen = [AskedAbout(answer, title) for title, answer in born.items()][:size]
    return ClosedLists(
        tuple(chosen),
        tuple(f"search: {word}" for s in chosen for word in s),
        tuple(plain_question(number, s) for s in chosen),
        tuple(s.answer for s in chosen),
    )


def plain_question(number: int, subject: AskedAbout) -> str:
    """Returns a question of one step: it names the title and asks for the answer."""
    fact = next(f for f in collection(number).facts if (f.value, f.subject) == subject)
    return chain_question((fact,))
