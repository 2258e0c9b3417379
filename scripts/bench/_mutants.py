"""Faults planted in Python source: one operator, constant or condition changed, drawn by seed."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_SWAPS = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}


class Mutant(NamedTuple):
    """One changed place."""

    file: str
    """relative to the checkout"""
    line: int
    start: int
    end: int
    """the characters of the file that `text` replaces"""
    text: str

    def source(self, root: Path) -> str:
        """Returns the file with the fault."""
        source = (root / self.file).read_text()
        return source[: self.start] + self.text + source[self.end :]


def draw(root: Path, package: str, count: int, seed: int) -> list[Mutant]:
    """Returns `count` mutants of a package, evenly over all places where one can be made."""
    files = sorted((root / package).rglob("*.py"))
    places = [mutant for file in files for mutant in _of_file(root, file)]
    return random.Random(f"{package} {seed}").sample(places, min(count, len(places)))


def _of_file(root: Path, file: Path) -> Iterator[Mutant]:
    source = file.read_text()
    tree = ast.parse(source)
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text.encode()))
    raw = source.encode()
    for node, start, end, text in _changes(tree, raw, starts):
        first, last = len(raw[:start].decode()), len(raw[:end].decode())
        changed = source[:first] + text + source[last:]
        try:
            compile(changed, str(file), "exec")
        except SyntaxError:
            continue
        yield Mutant(str(file.relative_to(root)), node.lineno, first, last, text)


def _changes(tree: ast.AST, raw: bytes, starts: list[int]) -> Iterator[tuple[ast.expr, int, int, str]]:
    def at(node: ast.expr, end: bool = False) -> int:
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        return starts[(line or 1) - 1] + (column or 0)

    for node in _of_code(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from _swap(raw, node, node.ops[0], at(node.left, end=True), at(node.comparators[0]))
        elif isinstance(node, ast.BoolOp):
            yield from _swap(raw, node, node.op, at(node.values[0], end=True), at(node.values[1]))
        elif isinstance(node, ast.BinOp):
            yield from _swap(raw, node, node.op, at(node.left, end=True), at(node.right))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, at(node), at(node.operand), ""
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, at(node), at(node, end=True), str(not node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield node, at(node), at(node, end=True), repr(node.value + 1)


def _swap(raw: bytes, node: ast.expr, op: ast.AST, start: int, end: int) -> Iterator[tuple[ast.expr, int, int, str]]:
    """Yields the operator between two operands replaced by its counterpart."""
    if type(op) not in _SWAPS:
        return
    old, new = _SWAPS[type(op)]
    pattern = r"\s+".join(map(re.escape, old.split())) if old[0].isalpha() else re.escape(old)
    place = re.search(pattern.encode(), raw[start:end])
    if place:
        yield node, start + place.start(), start + place.end(), new


def _of_code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a tree, without annotations."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from _of_code(child)
