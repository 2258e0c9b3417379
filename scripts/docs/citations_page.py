"""The papers that the code cites, from its docstrings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from page_text import code, table

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "roles", "arena", "league")
_ID = re.compile(r"(?<!\d)\d{4}\.\d{5}(?!\d)")

INTRO = """# Papers cited in the code

Every arXiv id in a docstring of the four packages, with the modules that cite it.
"""


def citations_page() -> str:
    """One row for each arXiv id."""
    found: dict[str, set[str]] = {}
    for path in (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))):
        for id in _ID.findall(_docstrings(path)):
            found.setdefault(id, set()).add(str(path.relative_to(ROOT)))
    rows = [[f"[{id}](https://arxiv.org/abs/{id})", ", ".join(map(code, sorted(found[id])))] for id in sorted(found)]
    return f"{INTRO}\n{table(('paper', 'cited in'), rows)}"


def _docstrings(path: Path) -> str:
    """All text constants of a module: docstrings, those of attributes, and sources in tables."""
    return "\n".join(
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
