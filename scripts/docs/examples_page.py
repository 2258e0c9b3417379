"""Reference of the example files, from the comments at their beginnings."""

from __future__ import annotations

import tomllib
from pathlib import Path

from page_text import code, escaped, table

EXAMPLES = Path(__file__).parents[2] / "scripts" / "examples"

INTRO = """# Example files

The files of `scripts/examples/`, as their first comments describe them. Copy one and change it.
"""


def examples_page() -> str:
    """The tournament files and the training files."""
    rows: dict[str, list[list[str]]] = {"Tournaments": [], "Trainings": []}
    for path in sorted(EXAMPLES.glob("*.toml")):
        text = path.read_text()
        data = tomllib.loads(text)
        games = ", ".join(code(game if isinstance(game, str) else game["id"]) for game in data["games"])
        rows["Trainings" if "steps" in data else "Tournaments"].append([code(path.name), games, escaped(_about(text))])
    parts = (f"## {title}\n\n{table(('file', 'games', 'what it is for'), found)}" for title, found in rows.items())
    return "\n".join([INTRO, *parts])


def _about(text: str) -> str:
    """The comment at the beginning of a file, without the line for editors."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        if not line.startswith("#:schema"):
            lines.append(line.removeprefix("#").strip())
    return " ".join(lines)
