"""Checks that names are nouns: no package binds more participles than the allowance below, which may only go down.

python scripts/lint_words.py
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "roles", "arena", "league")
PARTICIPLES = frozenset(
    ["found", "known", "own", "said", "seen", "shown", "wanted", "told", "mine", "given", "met", "due"]
)
"""words that do not name a thing, in any case and with or without underscores around them"""
ALLOWANCE = {
    "games/dialogue": 33,
    "games/native": 120,
    "roles/native": 10,
}
"""names each package may still bind; a package that is not listed may bind none"""


def main() -> int:
    """Prints each package above its allowance, with its names, and returns the exit status."""
    names = {package: _participles(files) for package, files in _packages().items()}
    for line in slack({package: len(places) for package, places in names.items()}, ALLOWANCE):
        print(line)
    errors = excess(names, ALLOWANCE)
    for line in errors:
        print(line, file=sys.stderr)
    return min(len(errors), 1)


def excess(names: Mapping[str, list[str]], allowance: Mapping[str, int]) -> list[str]:
    """Returns a line for each package above its allowance and one for each of its names."""
    lines = []
    for package, places in names.items():
        if len(places) > (most := allowance.get(package, 0)):
            lines.append(
                f"{package} binds {len(places)} participles, at most {most} allowed; name the thing: answer, row, error"
            )
            lines.extend(f"  {place}" for place in places)
    return lines


def slack(counts: Mapping[str, int], allowance: Mapping[str, int]) -> list[str]:
    """Returns a line for each package whose allowance can go down."""
    return [
        f"{package}: lower ALLOWANCE in scripts/lint_words.py from {most} to {counts.get(package, 0)}"
        for package, most in allowance.items()
        if counts.get(package, 0) < most
    ]


def is_participle(name: str) -> bool:
    """Returns whether a name is one of the words, apart from case and underscores around it."""
    return name.strip("_").lower() in PARTICIPLES


def bound_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yields every name that a module binds, with its line: variables, attributes, arguments, functions and classes."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name, node.lineno
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
                yield name, node.lineno


def source_files(folder: str) -> list[Path]:
    """Returns the Python files of a folder that git tracks."""
    listing = subprocess.run(["git", "ls-files", folder], capture_output=True, text=True, cwd=ROOT, check=True)
    return [path for name in listing.stdout.split() if (path := ROOT / name).suffix == ".py" and path.exists()]


def _packages() -> dict[str, list[Path]]:
    """Returns the files by their first two folders: `league/board`; `games` for modules directly in it."""
    packages: dict[str, list[Path]] = {}
    for path in (path for folder in PACKAGES for path in source_files(folder)):
        packages.setdefault("/".join(path.relative_to(ROOT).parent.parts[:2]), []).append(path)
    return packages


def _participles(files: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in files
        for name, line in bound_names(ast.parse(path.read_text()))
        if is_participle(name)
    ]


if __name__ == "__main__":
    sys.exit(main())
