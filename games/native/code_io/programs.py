"""Programs and data that one seat writes and another reads: read from fenced blocks, checked and made harmless.

The shown program is the one that runs: the parsed program as Python writes it. Comments are dropped, a string contains
no line break and no bracket that could open a tag or a special token of a chat template, and no annotation can look
like a message of a seat.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from games.quoting import byte_length

LONGEST = 4000
"""the largest number of bytes of a program"""
SAFE_IMPORTS = frozenset(
    {"bisect", "cmath", "collections", "copy", "decimal", "enum", "fractions", "functools", "heapq"}
    | {"itertools", "math", "operator", "re", "statistics", "string", "textwrap", "typing", "unicodedata"}
)
"""an allow list; Absolute Zero has a block list. The sandbox contains any program that passes it"""
_FENCE = re.compile(r"```[ \t]{0,4}(\w{1,20})[ \t]*\n(.*?)```", re.DOTALL)
_RESERVED = frozenset({"INST", "SYS", "THINK", "TOOL_CALLS", "TOOL_RESULTS", "AVAILABLE_TOOLS", "SYSTEM_PROMPT"})
"""names that become tokens of chat templates when they are alone in a list"""
_PLACEHOLDER = re.compile("\0(\\d+)\0")
"""stands for a string while a program is written; no program that Python reads, and no f-string taken here, has one"""
_ACTIVE_IN_F_STRING = re.compile(r"[\[\]]|<(?!\d)")  # {x:<5} is a width
_HARMLESS = {"<": r"\x3c", ">": r"\x3e", "[": r"\x5b", "]": r"\x5d"}


class Unfit(ValueError):
    """A program or data that the game rejects; the message says why."""


def blocks(text: str, kind: str) -> list[str]:
    """The contents of all ```kind blocks of a text."""
    return [body.strip() for name, body in _FENCE.findall(text) if name.lower() == kind]


def program(text: str, function: str = "f") -> str:
    """A program as it is run and shown. Raises Unfit: not Python, no such function, a forbidden import."""
    if (size := byte_length(text)) > LONGEST:
        raise Unfit(f"the program has {size} bytes; at most {LONGEST} are allowed")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Unfit("this is not a Python program") from None
    if not any(isinstance(n, ast.FunctionDef) and n.name == function for n in tree.body):
        raise Unfit(f"the program does not define a function {function}")
    try:
        _check(tree)
        strings = _Strings()
        plain = ast.unparse(ast.fix_missing_locations(strings.visit(tree)))
        plain = _PLACEHOLDER.sub(lambda name: _literal(strings.found[int(name[1])]), plain)
        if byte_length(plain) > LONGEST:
            raise Unfit(f"the program is longer than {LONGEST} bytes")
        ast.parse(plain)
    except (SyntaxError, RecursionError, ValueError, MemoryError) as error:
        raise error if isinstance(error, Unfit) else Unfit("Python cannot write the parsed program again") from None
    return plain


def data(value: Any) -> str:
    """Plain data as Python writes it, with harmless strings."""
    if isinstance(value, str | bytes):
        return _literal(value)
    if isinstance(value, list):
        return f"[{', '.join(map(data, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(data, value))}{',' * (len(value) == 1)})"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(data, value)))}}}" if value else "set()"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{data(k)}: {data(v)}' for k, v in value.items())}}}"
    return repr(value)


def _literal(value: str | bytes) -> str:
    """A string literal on one line, in which no bracket can open a tag."""
    return "".join(_HARMLESS.get(c, c) for c in repr(value))


def _check(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "").partition(".")[0] if not node.level else "."]
        for name in names:
            if name not in SAFE_IMPORTS:
                raise Unfit(f"the program imports {name!r}; allowed are {', '.join(sorted(SAFE_IMPORTS))}")
        if reserved := _RESERVED.intersection(_identifiers(node)):
            raise Unfit(f"the name {min(reserved)!r} is not allowed")


def _identifiers(node: ast.AST) -> list[str]:
    """The names in the fields of a node: of a variable, an attribute, an argument, a keyword, an alias, a pattern."""
    if isinstance(node, ast.Constant):
        return []
    values = [value for _, field in ast.iter_fields(node) for value in (field if isinstance(field, list) else [field])]
    return [value for value in values if isinstance(value, str)]


class _Strings(ast.NodeTransformer):
    """Replaces every string by a placeholder, and removes annotations."""

    def __init__(self) -> None:
        self.found: list[str | bytes] = []

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str | bytes):
            return node
        self.found.append(node.value)
        return ast.copy_location(ast.Name(f"\0{len(self.found) - 1}\0", ast.Load()), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        values = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
        texts = [v.decode("latin-1") if isinstance(v, bytes) else v for v in values if isinstance(v, str | bytes)]
        if any(_ACTIVE_IN_F_STRING.search(text) or not text.isprintable() for text in texts):
            raise Unfit("an f-string must not contain a square bracket, a tag or a line break; build the text with +")
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        raise Unfit("match statements on values are not allowed; use if")
