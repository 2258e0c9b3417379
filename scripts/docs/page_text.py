"""Text of docstrings as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable


def escaped(text: str) -> str:
    """Text in which only code spans (`x`) are markup, and which fits into a cell of a table."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    plain = [p if p.startswith("`") else re.sub(r"([\\*_\[\]])", r"\\\1", p).replace("<", "&lt;") for p in parts]
    return "".join(plain).replace("|", "\\|")


def code(text: object) -> str:
    """Text as a code span."""
    written = str(text).replace("|", "\\|")
    return f"`` {written} ``" if "`" in written else f"`{written}`"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; cells are Markdown already."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"
