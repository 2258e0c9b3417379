"""The canonical text of a task: equal for two tasks that ask the same in other words.

A source of tasks gives it (`TaskSource.canonical`), and a game writes it into the fact `canonical` beside `task`.
Repetition, diversity, splits and pools compare these texts and normalise nothing themselves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from games.tasks.expressions import expression_key
from games.verifiers import arithmetic

_SPACE = re.compile(r"\s+")


def canonical_text(text: str) -> str:
    """Returns a text without differences of case, Unicode compatibility, white space and final punctuation.

    A task in JSON, such as a program, keeps its case.
    """
    plain = _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip()
    return plain if plain.startswith("{") else plain.casefold().rstrip(" .?!")


def canonical_question(text: str) -> str:
    """Returns the form of the expression of an arithmetic question, whatever its wording; else the canonical text."""
    plain = unicodedata.normalize("NFKC", text)
    if (value := arithmetic.value(plain)) is None:
        return canonical_text(text)
    return expression_key(plain) or str(value)


def canonical_of(facts: Mapping[str, Any]) -> str:
    """Returns the canonical text of the task of a match, from its facts; "" without a task."""
    return str(facts.get("canonical") or "") or canonical_text(str(facts.get("task") or ""))
