"""Search for proofs (backwards from a statement) and theorems (forwards from a lemma)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.proofs.condensed import Bindings, conclusion, instantiate
from games.proofs.formula import VARIABLES, Formula, names, renamed, size
from games.proofs.kernel import BadProof
from games.proofs.theory import Rule
from games.randomness import RandomStream


class _Spent(Exception):
    """The search used up its effort."""


class _Search:
    """Iterative deepening by number of labels; tries `effort` rules in total."""

    def __init__(self, rules: Sequence[Rule], effort: int) -> None:
        self.rules, self.left = rules, effort
        self.bindings = Bindings()

    def proofs(self, goal: Formula, most: int) -> Iterator[list[str]]:
        """Yields short proofs with at most `most` labels; the current bindings belong to the proof just yielded."""
        for rule in self.rules:
            if len(rule.premises) >= most:
                continue
            self.left -= 1
            if self.left < 0:
                raise _Spent
            mark = self.bindings.mark()
            values = self.bindings.fresh(rule)
            if self.bindings.unify(instantiate(rule.conclusion, values), goal):
                premises = [instantiate(p, values) for p in rule.premises]
                for labels in self._all(premises, most - 1):
                    yield [*labels, rule.label]
            self.bindings.undo(mark)

    def _all(self, goals: Sequence[Formula], most: int) -> Iterator[list[str]]:
        """Yields proofs of several formulas. Starts with the last premise, which constrains the unknowns most."""
        if not goals:
            yield []
            return
        *rest, last = goals
        for tail in self.proofs(last, most - len(rest)):
            for head in self._all(rest, most - len(tail)):
                yield head + tail


def prove(
    rules: Mapping[str, Rule], statement: Formula, effort: int, stream: RandomStream, longest: int = 12
) -> list[str]:
    """Returns a short proof of a statement, or [] if `effort` tries in random order find none."""
    search = _Search(stream.shuffled(list(rules.values())), effort)
    try:
        for most in range(1, longest + 1):
            for labels in search.proofs(statement, most):
                return labels
    except (_Spent, BadProof):
        return []
    return []


def discover(
    rules: Mapping[str, Rule], lemma: str, steps: int, largest: int, stream: RandomStream
) -> tuple[Formula, list[str]] | None:
    """Returns the most general theorem of a random short proof of about `steps` rules that uses the lemma, and its
    labels. Returns None if 200 tries find none, with few enough names and a size of at most `largest`.
    """
    closed = [r.label for r in rules.values() if not r.premises]
    unary = [r.label for r in rules.values() if len(r.premises) == 1]
    binary = [r.label for r in rules.values() if len(r.premises) == 2]
    for _ in range(200 if closed and unary and binary else 0):
        labels = [lemma or stream.choice(closed)]
        for _ in range(steps):
            if stream.random() < 0.4:
                labels.append(stream.choice(unary))
            else:
                labels += [stream.choice(closed), stream.choice(binary)]
        try:
            theorem = renamed(conclusion(rules, labels))
        except BadProof:
            continue
        if size(theorem) <= largest and set(names(theorem)) <= set(VARIABLES):
            return theorem, labels
    return None
