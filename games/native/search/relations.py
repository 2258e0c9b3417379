"""The relations of an invented collection: how documents say them, how questions ask for them, how both are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

ASK = "Which name do the documents give for {}?"


@dataclass(frozen=True, slots=True)
class DocumentRelation:
    """What each thing of a kind has exactly one of: `says` it in its document, `phrase` asks for it."""

    of: str
    to: str
    says: str
    phrase: str


RELATIONS = (
    DocumentRelation("person", "town", "was born in {}", "the town where {} was born"),
    DocumentRelation("person", "company", "works for {}", "the company that {} works for"),
    DocumentRelation("person", "person", "was taught by {}", "the person who taught {}"),
    DocumentRelation("company", "town", "has its office in {}", "the town where {} has its office"),
    DocumentRelation("company", "person", "was founded by {}", "the person who founded {}"),
    DocumentRelation("town", "person", "has the mayor {}", "the mayor of {}"),
    DocumentRelation("town", "town", "gets its water from {}", "the town that {} gets its water from"),
    DocumentRelation("book", "person", "was written by {}", "the person who wrote {}"),
    DocumentRelation("book", "company", "was printed by {}", "the company that printed {}"),
    DocumentRelation("book", "town", "is set in {}", "the town in which {} is set"),
)


_BACK = "a {} that {}"


class DocumentFact(NamedTuple):
    """The document of `subject` says that it has this relation to `value`."""

    subject: str
    relation: DocumentRelation
    value: str


def chain_question(chain: Sequence[DocumentFact]) -> str:
    """Returns the question that names the subject of the last fact and asks for the value of the first one."""
    phrase = chain[-1].subject
    for fact in reversed(chain):
        phrase = fact.relation.phrase.format(phrase)
    return ASK.format(phrase)


def back_question(fact: DocumentFact) -> str:
    """Returns a question for the subject of a fact, which several things may fit."""
    return ASK.format(_BACK.format(fact.relation.of, fact.relation.says.format(fact.value)))


def steps_of(question: str) -> tuple[str, list[DocumentRelation]]:
    """Returns the name in such a question and the relations to follow from it, in order; "" for another question."""
    before, after = ASK.split("{}")
    if not (question.startswith(before) and question.endswith(after)):
        return "", []
    phrase, steps = question[len(before) : len(question) - len(after)], list[DocumentRelation]()
    while match := next(((r, m) for r, pattern in _phrases() if (m := pattern.fullmatch(phrase))), None):
        steps.append(match[0])
        phrase = match[1][1]
    return phrase, steps[::-1]


def facts_of(documents: Sequence[str]) -> list[DocumentFact]:
    """Returns what documents of the collection say."""
    return [
        DocumentFact(text.partition(":")[0], relation, match[1])
        for text in documents
        for relation, pattern in _sentences()
        if f" is a {relation.of}" in text and (match := pattern.search(text))
    ]


@cache
def _phrases() -> tuple[tuple[DocumentRelation, re.Pattern[str]], ...]:
    return tuple((r, re.compile(re.escape(r.phrase).replace(r"\{\}", "(.+)"))) for r in RELATIONS)


@cache
def _sentences() -> tuple[tuple[DocumentRelation, re.Pattern[str]], ...]:
    return tuple((r, re.compile(re.escape(r.says).replace(r"\{\}", r"(.+?)(?:,| and |\.)"))) for r in RELATIONS)
