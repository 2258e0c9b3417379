"""The task source `facts`: capitals, continents, codes and currencies of countries; the chemical elements.

The tables are in this folder, with their origin and licence in the first line. A source of exact answers without
reasoning: a model knows them or not.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from games.naming import Name
from games.parameters import canonical
from games.tasks.source import SourceTask, Split, TaskKind, TaskSource
from games.tasks.tables import plain, rows
from games.verifiers.verdict import PASS, Verdict


class Fact(NamedTuple):
    """A family of questions: its table, the wording, the columns that are asked and answered."""

    table: str
    wording: str
    asked: int
    answer: int


FACTS = {
    "capital": Fact("countries.tsv", "What is the capital of {}?", 0, 1),
    "country": Fact("countries.tsv", "Which country has the capital {}?", 1, 0),
    "continent": Fact("countries.tsv", "On which continent is {}?", 0, 2),
    "code": Fact("countries.tsv", "What is the two-letter country code (ISO 3166-1) of {}?", 0, 3),
    "currency": Fact("countries.tsv", "What is the three-letter code (ISO 4217) of the currency of {}?", 0, 4),
    "symbol": Fact("elements.tsv", "What is the chemical symbol of {}?", 2, 1),
    "element": Fact("elements.tsv", "Which chemical element has the symbol {}?", 1, 2),
    "number": Fact("elements.tsv", "What is the atomic number of {}?", 2, 0),
}
Family = Literal["all", "capital", "country", "continent", "code", "currency", "symbol", "element", "number"]


class FactsSource(TaskSource):
    """Questions about countries and chemical elements. A country or an element belongs to one split.

    family: one kind of question, or all.
    """

    name = "facts"

    def __init__(self, family: Family = "all", split: Split = "train") -> None:
        families = list(FACTS) if family == "all" else [family]
        id = str(Name(self.name, canonical(FactsSource, {"family": family, "split": split})))
        super().__init__(id, [TaskKind(f, "table") for f in families], split)

    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the subject and its fact that the number draws."""
        fact = FACTS[kind.family]
        table = rows(__package__, fact.table)
        row = table[number % len(table)]
        return fact.wording.format(row[fact.asked]), row[fact.answer]

    def canonical(self, task: SourceTask) -> str:
        """Returns what the question is about, which decides the split, and on a second line what it asks."""
        return f"{_subjects(FACTS[task.kind.family])[task.question]}\n{task.kind.family}"

    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Returns a pass for the same name, apart from case, accents and articles."""
        name = plain(answer)
        if not name:
            return Verdict("invalid", "it is empty")
        return PASS if name == plain(task.answer) else Verdict("fail", "it is another answer")


@cache
def _subjects(fact: Fact) -> dict[str, str]:
    """Returns question -> the first column of its row, or the name of an element."""
    table, subject = rows(__package__, fact.table), 0 if fact.table == "countries.tsv" else 2
    return {fact.wording.format(row[fact.asked]): row[subject] for row in table}
