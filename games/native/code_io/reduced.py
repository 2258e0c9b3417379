"""A program without the parts that change none of its outputs: dead code makes no other task of a program.

Parts are left out in turn, and the program runs on its input and on neighbours of it (delta debugging: Zeller and
Hildebrandt 2002). A formula alone has no such parts, so it does not run again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

from games.native.code_io.guess import neighbours
from games.native.code_io.tasks import LIMITS
from games.verifiers import python
from games.verifiers.plain_data import Value, arguments

_PROBES = 5
_MOST = 24
"""parts that are left out in one pass"""
_PASSES = 4
_SHORT = python.Limits(seconds=0.5, wall=1.5, memory=LIMITS.memory)
_LATE = "TimeoutError"
_RUNNER = """
import signal

def late(number, frame):
    raise TimeoutError

def f(code, calls):
    signal.signal(signal.SIGVTALRM, late)
    names, out = {}, []
    exec(code, names)
    for args in calls:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
        try:
            out.append(repr(names["f"](*args)))
        except Exception as error:
            out.append(type(error).__name__)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return out
"""
"""a part that ends a loop leaves one that does not end, so each call has its own time"""


@lru_cache(1024)
def reduced(program: str, given: str) -> str:
    """Returns a program without the statements and operands that change no output on the arguments and near ones."""
    calls: list[Value] = [list(arguments(given)), *neighbours(given, _PROBES)]
    for _ in range(_PASSES):
        shorter = _without_idle_parts(program, calls)
        if shorter == program:
            break
        program = shorter
    return program


def _without_idle_parts(program: str, calls: list[Value]) -> str:
    """Returns the program without the parts that are idle one by one; fewer if they are not idle together."""
    count = min(_MOST, sum(1 for _ in _parts(ast.parse(program))))
    variants = [_cut(program, (at,)) for at in range(count)]
    if not count:
        return program
    first, *others = _outputs([program, *variants], calls)
    if first is None or _LATE in first:
        return program
    idle = [at for at, out in enumerate(others) if out == first]
    while idle:
        shorter = _cut(program, idle)
        if len(idle) == 1 or _outputs([shorter], calls) == [first]:
            return shorter
        idle = idle[: len(idle) // 2]
    return program


def _outputs(programs: Sequence[str], calls: list[Value]) -> list[list[Value] | None]:
    """Returns what each program returns for each call; None for one that cannot run."""
    runs = python.call(_RUNNER, [[program, calls] for program in programs], limits=_SHORT)
    return [run.value if run.verdict.ok and isinstance(run.value, list) else None for run in runs]


def _parts(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int]]:
    """Yields what may be left out: a statement of a block, or a side of an operator or of a choice, by its place."""
    for node in ast.walk(tree):
        for block in ("body", "orelse", "finalbody"):
            if isinstance(lines := getattr(node, block, None), list):
                yield from ((node, block, at) for at, line in enumerate(lines) if not _stays(line))
        if isinstance(node, ast.IfExp):
            yield from ((node, side, -1) for side in ("orelse", "body"))
        if isinstance(node, ast.BinOp) and not any(isinstance(side, ast.Constant) for side in (node.left, node.right)):
            yield from ((node, side, -1) for side in ("right", "left"))


def _stays(line: ast.stmt) -> bool:
    return isinstance(line, ast.Pass) or (isinstance(line, ast.FunctionDef) and line.name == "f")


def _cut(program: str, at: Sequence[int]) -> str:
    """Returns the program without the parts of these numbers."""
    tree = ast.parse(program)
    for number, (node, where, line) in enumerate(list(_parts(tree))):
        if number not in at:
            continue
        if line >= 0:
            getattr(node, where)[line] = ast.Pass()
        else:
            kept = next(side for side in ("left", "right", "body", "orelse") if side != where and hasattr(node, side))
            node.__dict__["kept"] = getattr(node, kept)
    return ast.unparse(ast.fix_missing_locations(_Kept().visit(tree)))


class _Kept(ast.NodeTransformer):
    """Replaces a node by the side that is kept."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        return super().generic_visit(getattr(node, "kept", node))
