"""Prints figures of the code base: its size, its names and its tests.

python scripts/house.py [--json]
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "roles", "arena", "league")
PARTICIPLES = {"found", "known", "own", "said", "seen", "shown", "wanted", "told", "mine", "given", "met", "due"}
"""words that do not name a thing"""
PRIVATE = re.compile(r"(?<![\w.])(?!self\b|cls\b)\w+\._[a-z]\w*")
"""a private attribute of another object"""


def main() -> None:
    """Prints one figure a line."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    figures = dict(_figures())
    if chosen.json:
        print(json.dumps(figures, indent=1))
        return
    width = max(map(len, figures))
    for name, figure in figures.items():
        print(f"{name:{width}}  {figure:,}" if isinstance(figure, int) else f"{name:{width}}  {figure}")


def _figures() -> Iterator[tuple[str, object]]:
    source = {path: path.read_text() for package in PACKAGES for path in _files(package)}
    tests = {path: path.read_text() for path in _files("tests")}
    yield "lines of source", _lines(source)
    yield "lines of games/native", _lines({p: t for p, t in source.items() if "games/native/" in str(p)})
    yield "lines of tests", _lines(tests)
    yield "lines of scripts", _lines({path: path.read_text() for path in _files("scripts")})
    folders = Counter(path.parent for path in source)
    yield "largest folder", "{1} files in {0}".format(*_largest(folders))
    yield "files over 400 lines", sum(text.count("\n") > 400 for text in source.values())
    names = [name for text in source.values() for name in _bound(ast.parse(text))]
    participles = sum(name.strip("_") in PARTICIPLES for name in names)
    yield "names that are participles", f"{participles:,} of {len(names):,}, {participles / len(names):.2%}"
    functions = [node for text in source.values() for node in ast.walk(ast.parse(text)) if _is_function(node)]
    long = sum((node.end_lineno or 0) - node.lineno >= 35 for node in functions)
    yield "functions over 35 lines", f"{long:,} of {len(functions):,}, {long / len(functions):.2%}"
    yield "private attributes that tests touch", sum(len(PRIVATE.findall(text)) for text in tests.values())
    yield "seconds of arena --help", round(min(_help_seconds() for _ in range(3)), 2)


def _files(folder: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", folder], capture_output=True, text=True, cwd=ROOT, check=True)
    return [path for name in listed.stdout.split() if (path := ROOT / name).suffix == ".py" and path.exists()]


def _lines(texts: dict[Path, str]) -> int:
    return sum(text.count("\n") for text in texts.values())


def _largest(folders: Counter[Path]) -> tuple[Path, int]:
    folder, count = folders.most_common(1)[0]
    return folder.relative_to(ROOT), count


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _bound(tree: ast.Module) -> Iterator[str]:
    """Returns every name that a module binds: variables, attributes, arguments, functions and classes."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def _help_seconds() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "arena", "--help"], capture_output=True, check=True, cwd=ROOT)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
