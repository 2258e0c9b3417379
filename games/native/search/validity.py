"""When a question counts before anybody answers it, and when an answer is right.

The rules of Search Self-play (Lu et al. 2025, arXiv 2510.18821; `problem_extraction.py` of its code): 10 to 1,000
characters, at least 10 words, two searches, and the answer is not in the question. Two rules are ours: each
search must show a document that the proposer has not read, and a reader that sees the question alone must not learn the
letters of the answer from it (`games.native.common.held_out`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from games.dialogue.messages import tokens
from games.native.common.held_out import gives_away

SHORTEST, LONGEST, WORDS = 10, 1000, 10
CONTAINS, SPELLS = "it contains its answer", "it spells its answer"
TELLS = (CONTAINS, SPELLS)
"""the defects of a question that tells its answer"""
_ARTICLES = {"a", "an", "the"}


@lru_cache(1 << 12)  # each question is compared with the same names and documents
def normalised(text: str) -> str:
    """A text for exact match: lower case, without accents, punctuation and articles, with single spaces.

    The normalisation of SQuAD (Rajpurkar et al. 2016), and without accents.

    >>> normalised("The  City of São Tomé.")
    'city of sao tome'
    """
    folded = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    return " ".join(word for word in tokens(plain) if word not in _ARTICLES)


def matches(answer: str | None, truth: str) -> bool:
    """Exact match of two normalised texts. An empty answer matches nothing."""
    return bool(answer) and normalised(answer or "") == normalised(truth) != ""


def defect(
    question: str,
    answer: str,
    searches: int,
    least: int,
    documents: Iterable[str] = (),
    others: Iterable[str] = (),
) -> str:
    """Returns why a question does not count; "" if it does, as far as its own text shows.

    `documents`: those that the proposer read. Their words say what a question is about, and do not spell its answer.
    `others`: further answers of which it must not say less than of its own.
    """
    if not SHORTEST <= len(question) <= LONGEST:
        return f"it has {len(question)} characters, not {SHORTEST} to {LONGEST:,}"
    if (count := len(tokens(question))) < WORDS:
        return f"it has {count} words, not {WORDS} or more"
    if f" {normalised(answer)} " in f" {normalised(question)} ":
        return CONTAINS
    if _spells(question, answer, documents, others):
        return SPELLS
    if searches < least:
        return f"{searches} searches that showed something new came before it, not {least} or more"
    return ""


def _spells(question: str, answer: str, documents: Iterable[str], others: Iterable[str]) -> bool:
    """Returns whether a question says the letters of an answer, or of one of its words."""
    whole = normalised(answer)
    answers = re.compile(rf"\b{re.escape(whole)}\b")
    public = {word for text in documents for word in answers.sub(" ", normalised(text)).split()}
    joined = {normalised(other).replace(" ", "") for other in others}
    return gives_away(question, {whole.replace(" ", ""), *whole.split()}, public, joined)


def solver_reward(right: bool, tags: int) -> float:
    """1 for a right answer, a quarter of it with more than 10 answer tags, else 0 (`quark_score.py`)."""
    return float(right) / (4 if tags > 10 else 1)
