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
    """The files of tournaments, trainings and studies."""
    rows: dict[str, list[list[str]]] = {"Tournaments": [], "Trainings": [], "Studies": []}
    for path in sorted(EXAMPLES.glob("*.toml")):
        text = path.read_text()
        data = tomllib.loads(text)
        kind = "Studies" if "arms" in data else "Trainings" if "steps" in data else "Tournaments"
        played = tomllib.loads((EXAMPLES / data["base"]).read_text()) if "arms" in data else data
        games = ", ".join(code(game if isinstance(game, str) else game["id"]) for game in played["games"])
        rows[kind].append([code(path.name), games, escaped(_about(text))])
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
