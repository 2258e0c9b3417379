"""Changes to programs that keep a task legal and empty: what they return is easy to guess or to copy."""

from __future__ import annotations

import ast

TEMPLATES = {
    "remainder": "({0}) % {1}",
    "hash": "sum(ord(c) * 257 ** i for i, c in enumerate(repr({0}))) * 40503 // 7 % {1}",
    "visible_and_hash": "[{2}, sum(ord(c) * 257 ** i for i, c in enumerate(repr({0}))) * 40503 // 7 % {1}]",
    "visible_twice": "[{2}, {2}, ({0}) % {1}]",
    "parity": "'odd' if ({0}) % {1} else 'even'",
}
"""name -> what a program returns instead of the value {0}; {1} is a small number and {2} the first argument"""


class _Returns(ast.NodeTransformer):
    """Replaces what a function returns."""

    def __init__(self, template: str, size: int, argument: str) -> None:
        self._template, self._size, self._argument = template, size, argument

    def visit_Return(self, node: ast.Return) -> ast.Return:
        """Replace the value of one statement."""
        value = ast.unparse(node.value) if node.value else "None"
        text = self._template.format(value, self._size, self._argument)
        return ast.Return(ast.parse(text, mode="eval").body)


def rewrite(template: str, size: int, text: str) -> str | None:
    """Returns a program whose functions return something else; None for a text that is no program with a function."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.args.args]
    if not functions:
        return None
    changed = _Returns(TEMPLATES[template], size, functions[0].args.args[0].arg).visit(tree)
    return ast.unparse(ast.fix_missing_locations(changed))
