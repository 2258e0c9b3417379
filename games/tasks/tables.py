"""Reads the data files of task sources, and compares words."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import resources


@cache
def rows(package: str, file: str) -> tuple[tuple[str, ...], ...]:
    """Returns the lines of a tab-separated file in a package, without comments."""
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    return tuple(tuple(line.split("\t")) for line in text.splitlines() if line and not line.startswith("#"))


def plain(text: str) -> str:
    """Returns a word or name for comparison: without case, accents, quotes, a leading "the" and a final full stop.

    >>> plain("The Hague.") == plain("the hague")
    True
    """
    folded = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c for c in folded if not unicodedata.combining(c))
    return " ".join(letters.strip(" \t\n.\"'`*").removeprefix("the ").split())
