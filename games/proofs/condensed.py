"""Short proofs: lists of rule names, expanded into full Metamath proofs, which the kernel checks.

A short proof is a list of labels in reverse Polish order: each label pops as many proved formulas from the stack as its
rule has premises and pushes its conclusion. Unification finds the most general substitution for a rule's variables
(condensed detachment: Meredith 1957; Robinson 1965). The kernel trusts nothing computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.proofs.formula import INDIVIDUALS, Formula, renamed, show
from games.proofs.kernel import BadProof
from games.proofs.theory import Rule, Theory

LONGEST = 200
"""labels in a short proof, at most"""
_MOST_WORK = 50_000  # unification steps, and symbols of an expanded formula


class Bindings:
    """Bindings of the numbers in formulas, with undo."""

    def __init__(self) -> None:
        self._value: dict[int, Formula] = {}
        self._trail: list[int] = []
        self._individuals: set[int] = set()
        self._next = 0
        self.work = 0

    def fresh(self, rule: Rule) -> dict[str, Formula]:
        """Returns new numbers for the variables of a rule."""
        first = self._next
        self._next += len(rule.variables)
        self._individuals.update(first + i for i, v in enumerate(rule.variables) if v in INDIVIDUALS)
        return {v: first + i for i, v in enumerate(rule.variables)}

    def mark(self) -> int:
        """Returns a mark for `undo`."""
        return len(self._trail)

    def undo(self, mark: int) -> None:
        """Remove all bindings made since the mark."""
        while len(self._trail) > mark:
            del self._value[self._trail.pop()]

    def top(self, formula: Formula) -> Formula:
        """Returns the formula, or the formula its number is bound to."""
        while isinstance(formula, int) and formula in self._value:
            formula = self._value[formula]
        return formula

    def unify(self, a: Formula, b: Formula) -> bool:
        """Unify two formulas. Returns False on failure; call `undo` then, since some numbers may be bound."""
        pairs = [(a, b)]
        while pairs:
            self.work += 1
            if self.work > _MOST_WORK:
                raise BadProof("its formulas grow too large")
            a, b = map(self.top, pairs.pop())
            if a is b or a == b:
                continue
            if not isinstance(a, int):
                a, b = b, a
            if isinstance(a, int):
                if self._occurs(a, b):
                    return False
                self._value[a] = b
                self._trail.append(a)
            elif isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0]:
                pairs += zip(a[1:], b[1:], strict=True)
            else:
                return False
        return True

    def _occurs(self, number: int, formula: Formula) -> bool:
        todo, visited = [formula], set()
        while todo:
            self.work += 1
            if self.work > _MOST_WORK:
                raise BadProof("its formulas grow too large")
            term = self.top(todo.pop())
            if isinstance(term, tuple):
                if id(term) not in visited:
                    visited.add(id(term))
                    todo += term[1:]
            elif term == number and isinstance(term, int):
                return True
        return False

    def write(self, formula: Formula, default: bool = False) -> Formula:
        """Returns the formula with all bindings substituted. Unbound individuals become x; `default`: formulas p."""
        left = [_MOST_WORK]

        def written(part: Formula) -> Formula:
            left[0] -= 1
            if left[0] < 0:
                raise BadProof("its formulas grow too large")
            part = self.top(part)
            if isinstance(part, tuple):
                return (part[0], *map(written, part[1:]))
            if part in self._individuals:
                return "x"
            return "p" if default and isinstance(part, int) else part

        return written(formula)


@dataclass(slots=True)
class Node:
    """One application of a rule in a proof under construction."""

    rule: Rule
    values: dict[str, Formula]
    conclusion: Formula
    premises: list[Node] = field(default_factory=list)


def build(rules: Mapping[str, Rule], labels: Sequence[str]) -> tuple[Node, Bindings]:
    """Returns the tree of a short proof, with the most general formulas. Raises BadProof."""
    if not labels:
        raise BadProof("it names no rule", readable=False)
    if len(labels) > LONGEST:
        raise BadProof(f"it has more than {LONGEST} labels", readable=False)
    bindings, stack = Bindings(), list[Node]()
    for n, label in enumerate(labels, 1):
        rule = rules.get(label)
        if rule is None:
            raise BadProof(f"there is no rule {label[:20]!r}", readable=False)
        need = len(rule.premises)
        if len(stack) < need:
            raise BadProof(f"step {n}, {label}, needs {need} formulas proved before it, {len(stack)} are there")
        values = bindings.fresh(rule)
        premises = stack[len(stack) - need :]
        for premise, pattern in zip(premises, rule.premises, strict=True):
            if not bindings.unify(premise.conclusion, instantiate(pattern, values)):
                raise BadProof(f"step {n}: {label} does not fit what was proved before it")
        del stack[len(stack) - need :]
        stack.append(Node(rule, values, instantiate(rule.conclusion, values), premises))
    if len(stack) != 1:
        raise BadProof(f"{len(stack)} formulas are left at the end; there must be exactly one")
    return stack[0], bindings


def conclusion(rules: Mapping[str, Rule], labels: Sequence[str]) -> Formula:
    """Returns the most general formula that a short proof proves, with numbers as variables. Raises BadProof."""
    node, bindings = build(rules, labels)
    return bindings.write(node.conclusion)


def elaborate(theory: Theory, labels: Sequence[str], statement: Formula) -> list[str]:
    """Expand a short proof of a statement into all labels of the full proof. Raises BadProof."""
    node, bindings = build(theory.rules, labels)
    mark = bindings.mark()
    if not bindings.unify(node.conclusion, statement):
        bindings.undo(mark)
        text = show(renamed(bindings.write(node.conclusion)))
        raise BadProof(f"it proves {text if len(text) <= 120 else 'something else'}, not this statement")
    return full(theory, node, bindings)


def full(theory: Theory, root: Node, bindings: Bindings) -> list[str]:
    """Returns all labels of the full proof of a tree, last premise last. Raises BadProof if there are too many."""
    out: list[str] = []
    todo: list[Node | str] = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        todo.append(item.rule.label)
        pieces: list[Node | list[str]] = []
        premises = iter(item.premises)
        for variable in item.rule.order:  # the mandatory hypotheses in their order, "" for a premise
            if variable:
                pieces.append(theory.builds(bindings.write(item.values[variable], default=True)))
            else:
                pieces.append(next(premises))
        for piece in reversed(pieces):
            if isinstance(piece, list):
                todo += reversed(piece)
            else:
                todo.append(piece)
        if len(out) + len(todo) > _MOST_WORK:
            raise BadProof("its full form is too long")
    return out


def instantiate(formula: Formula, values: Mapping[str, Formula]) -> Formula:
    """Substitute values for the variables of a rule's formula."""
    if isinstance(formula, tuple):
        return (formula[0], *(instantiate(part, values) for part in formula[1:]))
    return values[formula]
