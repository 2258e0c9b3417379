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

from lint_words import PACKAGES, ROOT, bound_names, is_participle, source_files

PRIVATE = re.compile(r"(?<![\w.])(?!self\b|cls\b|os\b|sys\b)\w+\._(?!replace\b|asdict\b|fields\b|repr_html_\b)[a-z]\w*")
"""a private attribute of another object; the documented names of named tuples, IPython, os and sys are none"""
IMPORT = re.compile(r"^ *(?:from|import) .*", re.MULTILINE)


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
    source = {path: path.read_text() for package in PACKAGES for path in source_files(package)}
    tests = {path: path.read_text() for path in source_files("tests")}
    yield "lines of source", _lines(source)
    yield "lines of games/native", _lines({p: t for p, t in source.items() if "games/native/" in str(p)})
    yield "lines of tests", _lines(tests)
    yield "lines of scripts", _lines({path: path.read_text() for path in source_files("scripts")})
    folders = Counter(path.parent for path in source)
    yield "largest folder", "{1} files in {0}".format(*_largest(folders))
    yield "files over 400 lines", sum(text.count("\n") > 400 for text in source.values())
    names = [name for text in source.values() for name, _ in bound_names(ast.parse(text))]
    participles = sum(map(is_participle, names))
    yield "names that are participles", f"{participles:,} of {len(names):,}, {participles / len(names):.2%}"
    functions = [node for text in source.values() for node in ast.walk(ast.parse(text)) if _is_function(node)]
    long = sum((node.end_lineno or 0) - node.lineno >= 35 for node in functions)
    yield "functions over 35 lines", f"{long:,} of {len(functions):,}, {long / len(functions):.2%}"
    touches = sum(len(PRIVATE.findall(IMPORT.sub("", t))) for t in tests.values())
    yield "private attributes that tests touch", touches
    yield "seconds of arena --help", round(min(_help_seconds() for _ in range(3)), 2)


def _lines(texts: dict[Path, str]) -> int:
    return sum(text.count("\n") for text in texts.values())


def _largest(folders: Counter[Path]) -> tuple[Path, int]:
    folder, count = folders.most_common(1)[0]
    return folder.relative_to(ROOT), count


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _help_seconds() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "arena", "--help"], capture_output=True, check=True, cwd=ROOT)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
