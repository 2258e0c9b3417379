"""The offline collection of search-v1: documents about countries and chemical elements, and the subjects asked about.

The tables are those of the task source `facts` (GeoNames, CC BY 4.0; mendeleev, MIT). Several documents list what has
something in common, so that a question can take two steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from games.tasks.source import Split, split_of
from games.tasks.tables import rows

_PACKAGE = "games.tasks.facts"
_SHARED = 2
"""at least this many countries share a currency that has a document"""


class FactDocument(NamedTuple):
    """One document: its title and one paragraph."""

    title: str
    text: str

    def __str__(self) -> str:
        return f"{self.title}: {self.text}"


class AskedAbout(NamedTuple):
    """An answer that a proposer may be given, and the title of the document that holds it."""

    answer: str
    title: str


@cache
def documents() -> tuple[FactDocument, ...]:
    """All documents, in a fixed order."""
    nations = [
        FactDocument(
            name,
            f"{name} is a country in {continent}. Its capital is {capital}. Its country code is {code} and its "
            f"currency code is {currency}.",
        )
        for name, capital, continent, code, currency in rows(_PACKAGE, "countries.tsv")
    ]
    elements = [
        FactDocument(
            name,
            f"{name} is the chemical element with the symbol {symbol} and the atomic number {number}. It is in period "
            f"{period}.",
        )
        for number, symbol, name, period in rows(_PACKAGE, "elements.tsv")
    ]
    return (*nations, *elements, *_currencies(), *_periods())


def _currencies() -> list[FactDocument]:
    """One document for each currency that several countries have."""
    users: dict[str, list[str]] = {}
    for name, _, _, _, currency in rows(_PACKAGE, "countries.tsv"):
        users.setdefault(currency, []).append(name)
    return [
        FactDocument(f"Currency {code}", f"The currency {code} is used in {', '.join(names)}.")
        for code, names in users.items()
        if len(names) >= _SHARED
    ]


def _periods() -> list[FactDocument]:
    members: dict[str, list[str]] = {}
    for _, _, name, period in rows(_PACKAGE, "elements.tsv"):
        members.setdefault(period, []).append(name)
    return [FactDocument(f"Period {n}", f"Period {n} holds {', '.join(names)}.") for n, names in members.items()]


@cache
def subjects(split: Split) -> tuple[AskedAbout, ...]:
    """The answers of a split: capitals and elements. A country or an element belongs to one split, as in `facts`."""
    capitals = [AskedAbout(row[1], row[0]) for row in rows(_PACKAGE, "countries.tsv") if _apart(row[1], row[0])]
    elements = [AskedAbout(row[2], row[2]) for row in rows(_PACKAGE, "elements.tsv")]
    return tuple(subject for subject in (*capitals, *elements) if split_of(subject.title) == split)


def _apart(capital: str, country: str) -> bool:
    """Whether neither name contains the other (Mexico City, Mexico): a question must not contain its answer."""
    return (
        bool(capital) and capital.casefold() not in country.casefold() and country.casefold() not in capital.casefold()
    )


def listed(found: Sequence[int]) -> str:
    """Documents as the lines of an observation."""
    return "\n".join(f"- {documents()[i]}" for i in found) or "- nothing found"
