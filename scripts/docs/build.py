"""Builds the documentation site: collects the pages, writes the reference from the code, and runs mkdocs.

    pip install -e ".[docs]"
    python scripts/docs/build.py             # the site: build/site/index.html
    python scripts/docs/build.py --pages     # only the pages, in build/docs; then: cd build && zensical build

The site needs no server; only its search does: python -m http.server -d build/site.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # the packages of this checkout, whatever is installed

from citations_page import citations_page
from command_page import command_page
from examples_page import examples_page
from id_pages import id_pages, native_games_page, other_games_page
from settings_pages import settings_page

BUILD = ROOT / "build"
PAGES = BUILD / "docs"
ELSEWHERE = {"README.md": "index.md"}
"""what stands on the site for a page outside docs/"""
PACKAGES = (
    "games", "games.tasks", "roles", "arena", "arena.players", "arena.learner", "league", "league.matchmaking",
    "league.ratings",
)  # fmt: skip
"""documented by mkdocstrings: the public exports of the four packages, and of those that plugins derive from"""


def main() -> int:
    """Write the pages and build the site; returns mkdocs' exit code."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for path, text in pages():
        (PAGES / path).parent.mkdir(parents=True, exist_ok=True)
        (PAGES / path).write_text(text)
    shutil.copy(ROOT / "docs" / "mkdocs.yml", BUILD)
    if "--pages" in sys.argv[1:]:
        return 0
    # Material prints an advertisement for its successor unless this is set.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    return subprocess.run(command, cwd=BUILD, env=os.environ | {"NO_MKDOCS_2_WARNING": "true"}, check=False).returncode


def pages() -> Iterator[tuple[str, str]]:
    """Path and text of every page and picture of the site."""
    for path in sorted((ROOT / "docs").rglob("*.*")):
        if path.suffix in (".md", ".svg"):
            yield str(path.relative_to(ROOT / "docs")), relinked(path)
    yield "reference/tournament.md", settings_page("tournament")
    yield "reference/training.md", settings_page("training")
    yield "reference/command-line.md", command_page()
    yield "reference/citations.md", citations_page()
    yield "reference/examples.md", examples_page()
    yield "reference/native-games.md", native_games_page()
    yield "reference/other-games.md", other_games_page()
    for name, text in id_pages():
        yield f"reference/{name}.md", text
    for package in PACKAGES:
        yield f"reference/python-{package.replace('.', '-')}.md", f"# Python: `{package}`\n\n::: {package}\n"


def relinked(path: Path) -> str:
    """A page whose links to pages outside docs/ name their copies."""
    home = ROOT / "docs" if path.is_relative_to(ROOT / "docs") else ROOT
    here = path.parent.relative_to(ROOT / "docs") if home != ROOT else Path()

    def changed(link: re.Match[str]) -> str:
        target = os.path.normpath(path.parent / link[1])
        known = ELSEWHERE.get(os.path.relpath(target, ROOT))
        if known is None and home == ROOT and Path(target).is_relative_to(ROOT / "docs"):
            known = os.path.relpath(target, ROOT / "docs")
        return link[0] if known is None else f"]({os.path.relpath(known, here)}{link[2] or ''})"

    text = path.read_text()
    return re.sub(r"\]\(([^)#:\s]+)(#[\w-]+)?\)", changed, text) if path.suffix == ".md" else text


if __name__ == "__main__":
    sys.exit(main())
