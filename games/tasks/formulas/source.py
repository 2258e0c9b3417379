"""The task source `formulas`: prove this theorem of set.mm with the listed rules.

The theorems are those of the propositional and first-order part of set.mm whose short proofs there the kernel accepts.
Debian's package metamath-databases holds the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from annotated_types import Interval

from games.naming import Name
from games.parameters import canonical
from games.proofs import setmm
from games.proofs.canonical import canonical_formula
from games.proofs.first_order import propositional_only
from games.proofs.formula import Formula, instance, renamed, show, size
from games.proofs.judge import judge
from games.proofs.theory import Theory
from games.randomness import RandomStream, derive
from games.tasks.source import SourceTask, Split, TaskKind, TaskSource
from games.verifiers.verdict import Verdict

PARTS = ("propositional", "first-order")
LENGTHS: Mapping[str, tuple[int, int]] = {"small": (2, 2), "medium": (3, 4), "large": (5, 12)}
"""difficulty -> the fewest and the most labels of the proof in set.mm"""
HOW = (
    "A proof is a list of labels, applied from left to right. Each label removes the last proved formulas, one for "
    "each of its premises, and adds its conclusion; its letters are matched with formulas for you. Exactly one formula "
    "must be left at the end: the statement."
)
_UNUSUAL = ("OLD", "ALT", "dummylink", "idi")
"""endings of labels that mark rules which set.mm does not use in proofs"""
_LARGEST_RULE = 24
"""most names and signs of a listed rule that the proof does not use"""


@dataclass(frozen=True, slots=True)
class PosedFormula:
    """A theorem, a theory with only the listed rules, and the proof in set.mm."""

    statement: Formula
    theory: Theory
    proof: tuple[str, ...]

    @property
    def labels(self) -> str:
        """The listed rules, one in a line."""
        return "\n".join(rule.line() for rule in self.theory.rules.values())


class FormulaSource(TaskSource):
    """Theorems of set.mm to prove with listed rules (`apt-get install metamath-databases`).

    part: propositional, first-order or all. difficulty: small (2 labels in set.mm's proof), medium (3 or 4), large (5
    to 12) or all. rules: how many rules are listed, or more if the proof needs more.
    """

    name = "formulas"

    def __init__(
        self,
        part: Literal["all", "propositional", "first-order"] = "all",
        difficulty: Literal["all", "small", "medium", "large"] = "all",
        rules: Annotated[int, Interval(ge=2, le=40)] = 12,
        split: Split = "train",
    ) -> None:
        params = {"part": part, "difficulty": difficulty, "rules": rules, "split": split}
        self.rules = rules
        kinds = [TaskKind(p, d) for p in PARTS for d in LENGTHS if part in ("all", p) and difficulty in ("all", d)]
        setmm.theory()  # raises InputError without set.mm
        super().__init__(str(Name(self.name, canonical(FormulaSource, params))), kinds, split)

    def posed(self, task: SourceTask) -> PosedFormula:
        """Returns the theorem of a task."""
        return _posed(task.kind, int(task.id.split("/")[-2], 16), self.rules)

    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Returns whether the answer is a proof with the listed labels, which the kernel accepts."""
        posed = self.posed(task)
        return judge(posed.statement, answer, posed.theory).verdict

    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the theorem that the number draws, with the labels of its proof."""
        posed = _posed(kind, number, self.rules)
        return f"Prove: {show(posed.statement)}\n{HOW}\nThe labels:\n{posed.labels}", " ".join(posed.proof)

    def canonical(self, task: SourceTask) -> str:
        """Returns the form of the theorem, without the labels."""
        return canonical_formula(self.posed(task).statement)


@lru_cache(1024)
def _posed(kind: TaskKind, number: int, rules: int) -> PosedFormula:
    """Returns a theorem of a kind, and its rules in the order of set.mm: those of its proof and earlier ones."""
    stream = RandomStream(derive(number, "formulas", str(kind)))
    theory = setmm.theory()
    theorem = stream.choice(_of(kind))
    statement = theorem.rule.conclusion
    listed = set(theorem.proof)
    position = theory.database.assertions[theorem.label].position
    while len(listed) < rules:
        rule = theory.rules[stream.choice(_common(propositional_only(statement)))]
        earlier = theory.database.assertions[rule.label].position < position
        trivial = not rule.premises and instance(statement, rule.conclusion)
        if (earlier or rule.label.startswith("ax-")) and not trivial:
            listed.add(rule.label)
    chosen = {label: rule for label, rule in theory.rules.items() if label in listed}
    return PosedFormula(statement, Theory(theory.database, chosen, theory.symbols, closed=True), theorem.proof)


@lru_cache(16)
def _of(kind: TaskKind) -> tuple[setmm.Proved, ...]:
    """Returns the theorems of a kind, without repetitions up to the names of letters."""
    low, high = LENGTHS[kind.difficulty]
    longest = max(high for _, high in LENGTHS.values())
    fitting = [p for p in setmm.proved(longest) if low <= len(p.proof) <= high]
    theorems = [p for p in fitting if propositional_only(p.rule.conclusion) == (kind.family == PARTS[0])]
    return tuple({renamed(p.rule.conclusion): p for p in reversed(theorems)}.values())[::-1]


@lru_cache(2)
def _common(propositional: bool) -> tuple[str, ...]:
    """Returns the labels of rules that may be listed beside those of a proof."""
    rules = setmm.theory().rules.values()
    short = [r for r in rules if sum(map(size, (r.conclusion, *r.premises))) <= _LARGEST_RULE]
    usual = [r for r in short if not r.label.endswith(_UNUSUAL)]
    return tuple(r.label for r in usual if not propositional or propositional_only(r.conclusion))
