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
from game_readmes import GAMES
from id_pages import id_pages, other_games_page, rules
from notebooks import NOTEBOOKS, page
from settings_pages import settings_page

BUILD = ROOT / "build"
PAGES = BUILD / "docs"
ELSEWHERE = {ROOT / "README.md": "index.md"} | {
    folder / "README.md": f"role-games/{game}.md" for game, folder in sorted(GAMES.items())
}
ELSEWHERE |= {path: f"notebooks/{path.stem}.md" for path in NOTEBOOKS.glob("*.ipynb")}
"""page outside docs/ -> where the site has it"""
_NAV_OF_GAMES = "      # the READMEs of games/native\n"
PACKAGES = (
    "games", "games.tasks", "games.verifiers", "roles", "arena", "arena.players", "arena.learner", "league",
    "league.matchmaking", "league.ratings",
)  # fmt: skip
"""documented by mkdocstrings: the public exports of the four packages, and of those that plugins derive from"""


def main() -> int:
    """Write the pages and build the site; returns mkdocs' exit code."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for path, text in pages():
        (PAGES / path).parent.mkdir(parents=True, exist_ok=True)
        (PAGES / path).write_text(text)
    settings = (ROOT / "docs" / "mkdocs.yml").read_text()
    readmes = [f"      - {name}\n" for name in ELSEWHERE.values() if name.startswith("role-games/")]
    (BUILD / "mkdocs.yml").write_text(settings.replace(_NAV_OF_GAMES, "".join(readmes)))
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
    for game, folder in GAMES.items():
        yield ELSEWHERE[folder / "README.md"], f"{relinked(folder / 'README.md')}\n{rules(game)}"
    for path in NOTEBOOKS.glob("*.ipynb"):
        yield ELSEWHERE[path], page(path)
    yield "reference/tournament.md", settings_page("tournament")
    yield "reference/training.md", settings_page("training")
    yield "reference/command-line.md", command_page()
    yield "reference/citations.md", citations_page()
    yield "reference/examples.md", examples_page()
    yield "reference/other-games.md", other_games_page()
    for name, text in id_pages():
        yield f"reference/{name}.md", text
    for package in PACKAGES:
        yield f"reference/python-{package.replace('.', '-')}.md", f"# Python: `{package}`\n\n::: {package}\n"


def relinked(path: Path) -> str:
    """A page whose links name the pages of the site."""

    def place(page: Path) -> str:
        home = ROOT / "docs"
        return ELSEWHERE.get(page) or (str(page.relative_to(home)) if page.is_relative_to(home) else "")

    def changed(link: re.Match[str]) -> str:
        target = place(Path(os.path.normpath(path.parent / link[1])))
        return f"]({os.path.relpath(target, Path(place(path)).parent)}{link[2] or ''})" if target else link[0]

    text = path.read_text()
    return re.sub(r"\]\(([^)#:\s]+)(#[\w-]+)?\)", changed, text) if path.suffix == ".md" else text


if __name__ == "__main__":
    sys.exit(main())
