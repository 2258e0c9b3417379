"""The canonical form of a Python program: the same for other names, orders of operands, brackets and constants.

Comments, docstrings and annotations do not count. Nothing is executed: only small constants are computed here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

_LARGEST = 10**12
"""constants beyond this are not computed"""
_ROUNDS = 3
"""naming and sorting, so many times: sorting may change which name is bound first"""
_COMMUTING = ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor
_NUMBER_OF = frozenset({"abs", "int", "len", "ord", "pow", "round", "sum"})
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def canonical_program(code: str, *, numbers: bool = False) -> str:
    """Returns the form of a program on one line. `numbers`: the arguments are numbers, so that + commutes on them.

    Raises SyntaxError, ValueError or RecursionError for a text that is no program.
    """
    tree = _Plain().visit(ast.parse(code))
    for _ in range(_ROUNDS):
        tree = _Names(tree).visit(tree)
        tree = ast.parse(ast.unparse(ast.fix_missing_locations(_Sorted(tree, numbers).visit(tree))))
    text = ast.unparse(_Names(tree).visit(tree))
    return re.sub(r"\n+( *)", lambda line: f" |{len(line[1]) // 4} ", text)


class _Plain(ast.NodeTransformer):
    """Removes annotations, and statements that do nothing."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value, lineno=node.lineno)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                kept = [s for s in body if not isinstance(s, ast.Pass) and not _is_remark(s)]
                setattr(node, field, kept or body[:1])
        return node


def _is_remark(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class _Names(ast.NodeTransformer):
    """Names what each function binds in the order of binding; the function f keeps its name."""

    def __init__(self, tree: ast.AST, outer: Mapping[str, str] = MappingProxyType({}), letter: str = "m") -> None:
        bound = dict.fromkeys(name for child in ast.iter_child_nodes(tree) for name in _bound(child) if name != "f")
        self._names = {**outer, **{name: f"{letter}{i}" for i, name in enumerate(bound)}}
        self._inner = "v" if letter == "m" else f"{letter}v"

    def _name(self, name: str) -> str:
        return self._names.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._name(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._name(node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        inside = _Names(node, self._names, self._inner)
        node.name = self._name(node.name)
        for field in ("args", "body", "decorator_list"):
            value = getattr(node, field)
            setattr(node, field, [inside.visit(v) for v in value] if isinstance(value, list) else inside.visit(value))
        return node

    def visit_alias(self, node: ast.alias) -> ast.alias:
        name = self._name(node.asname or node.name)
        return ast.alias(node.name, name if name != node.name else None)

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        self.generic_visit(node)
        return ast.keyword(node.arg and self._name(node.arg), node.value)


def _bound(node: ast.AST) -> Iterator[str]:
    """Yields the names that are bound, in the order of the source, without those inside another function."""
    if isinstance(node, ast.FunctionDef):
        yield node.name
        return
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.alias):
        yield node.asname or node.name
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)


class _Sorted(ast.NodeTransformer):
    """Sorts operands that commute, merges whole numbers in sums and products, and turns > into <."""

    def __init__(self, tree: ast.Module, numbers: bool) -> None:
        args = [a.arg for node in tree.body if isinstance(node, ast.FunctionDef) for a in node.args.args]
        self._numeric = frozenset(args if numbers else ())

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.USub | ast.UAdd):
            return self._sum(node, numeric=True)
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if isinstance(node.op, ast.Add | ast.Sub):
            return self._sum(node)
        self.generic_visit(node)
        if isinstance(node.op, _COMMUTING):
            operands = list(_chain(node, type(node.op)))
            if isinstance(node.op, ast.Mult):
                operands = _merged(operands)
            return _joined(sorted(operands, key=_key), node.op)
        return _computed(node)

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        self.generic_visit(node)
        if len(node.ops) != 1:
            return node
        left, op, right = node.left, node.ops[0], node.comparators[0]
        if type(op) in _FLIPPED:
            return ast.Compare(right, [_FLIPPED[type(op)]()], [left])
        if isinstance(op, ast.Eq | ast.NotEq):
            left, right = sorted((left, right), key=_key)
        return ast.Compare(left, [op], [right])

    def _sum(self, node: ast.expr, numeric: bool = False) -> ast.expr:
        """Returns a sum of numbers as sorted terms and one constant; another sum keeps its order."""
        terms = list(_terms(node, 1))
        if not numeric and not any(self._is_number(term, sign) for sign, term in terms):
            self.generic_visit(node)
            return node
        constant, rest = 0, []
        for sign, term in terms:
            term = self.visit(term)
            if (value := _whole(term)) is None:
                rest.append((sign, term))
            else:
                constant += sign * value
        rest.sort(key=lambda pair: (-pair[0], _key(pair[1])))
        if constant or not rest:
            rest.append((1 if constant >= 0 else -1, ast.Constant(abs(constant))))
        total = _signed(*rest[0])
        for sign, term in rest[1:]:
            total = ast.BinOp(total, ast.Add() if sign > 0 else ast.Sub(), term)
        return total

    def _is_number(self, node: ast.expr, sign: int = 1) -> bool:
        """Returns whether a term can only be a number: lists and texts do not commute."""
        if sign < 0:
            return True
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int | float)
        if isinstance(node, ast.Name):
            return node.id in self._numeric
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in _NUMBER_OF
        if isinstance(node, ast.BinOp):
            number = self._is_number(node.left), self._is_number(node.right)
            return all(number) if isinstance(node.op, ast.Mult | ast.Mod) else True
        return isinstance(node, ast.UnaryOp)


def _terms(node: ast.expr, sign: int) -> Iterator[tuple[int, ast.expr]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if isinstance(node.op, ast.Add) else -sign)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        yield from _terms(node.operand, -sign if isinstance(node.op, ast.USub) else sign)
    else:
        yield sign, node


def _chain(node: ast.expr, op: type[ast.operator]) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, op):
        yield from _chain(node.left, op)
        yield from _chain(node.right, op)
    else:
        yield node


def _merged(factors: Sequence[ast.expr]) -> list[ast.expr]:
    """Returns factors with one whole number in place of all."""
    product, rest = 1, []
    for factor in factors:
        value = _whole(factor)
        if value is None or abs(product * value) > _LARGEST:
            rest.append(factor)
        else:
            product *= value
    return [*rest, *([ast.Constant(product)] if product != 1 or not rest else [])]


def _computed(node: ast.BinOp) -> ast.expr:
    """Returns the value of a small power, quotient or rest of whole numbers; else the node."""
    left, right = _whole(node.left), _whole(node.right)
    if left is None or right is None:
        return node
    if isinstance(node.op, ast.Pow) and 0 <= right <= 40 and abs(left) <= 2:
        return _number(left**right)
    if isinstance(node.op, ast.FloorDiv | ast.Mod) and right:
        return _number(left // right if isinstance(node.op, ast.FloorDiv) else left % right)
    return node


def _joined(operands: Sequence[ast.expr], op: ast.operator) -> ast.expr:
    joined = operands[0]
    for operand in operands[1:]:
        joined = ast.BinOp(joined, op, operand)
    return joined


def _whole(node: ast.expr) -> int | None:
    """Returns a whole number that is written as one; None for anything else, such as True."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _whole(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _number(value: int) -> ast.expr:
    return _signed(1 if value >= 0 else -1, ast.Constant(abs(value)))


def _signed(sign: int, node: ast.expr) -> ast.expr:
    return node if sign > 0 else ast.UnaryOp(ast.USub(), node)


def _key(node: ast.expr) -> str:
    return ast.unparse(ast.fix_missing_locations(node))
