"""The outcome of a conjecture: who proved it, whether it is new, and the input of filters and quality scores."""

from __future__ import annotations

from typing import Any

from games.game import Seat
from games.native.conjecture.quality import guide, needless
from games.proofs.formula import Formula, instance, parse, renamed, show, size
from games.proofs.judge import Judged
from games.proofs.theory import propositional
from games.quoting import quote


class ConjectureOutcome:
    """`closed`: statements are chosen from a list, so novelty does not matter. `strict`: redundant ones earn 0."""

    def __init__(self, closed: bool, strict: bool = False) -> None:
        self.closed, self.strict = closed, strict
        self.target, self.lemma = "", ""
        self.statement: Formula | None = None
        self.verdict, self.reason = "", ""
        self.tried: dict[Seat, Judged] = {}
        """proofs of the conjecture"""
        self.on_target: dict[Seat, Judged] = {}

    @property
    def rate(self) -> float | None:
        """The share of the provers that proved the conjecture; None if they were not asked."""
        return _share(self.tried)

    def uses_lemma(self) -> bool:
        """Whether a proof of the conjecture uses the lemma, or no lemma is prescribed."""
        return not self.lemma or any(j.verdict.ok and self.lemma in j.labels for j in self.tried.values())

    def known(self) -> bool:
        """Whether the conjecture is the target, or an instance of an axiom or a lemma."""
        if self.closed:
            return False
        rules = propositional().rules.values()
        same = renamed(self.statement) == renamed(parse(self.target))
        return same or any(instance(self.statement, r.conclusion) for r in rules if not r.premises)

    def barely(self, threshold: float) -> bool:
        """Whether it is new, and was proved with the lemma, at a rate below the threshold."""
        if self.rate is None or not 0 < self.rate < threshold or self.known():
            return False
        return self.uses_lemma() and not (self.strict and needless(self.statement))

    def facts(self) -> dict[str, Any]:
        """The facts of the match, for JSON."""
        true = self.verdict == "pass"
        lengths = [len(" ".join(j.labels)) for j in self.tried.values() if j.verdict.ok]
        task = show(self.statement) if self.statement is not None else ""
        return {
            "task": task,
            "target": self.target,
            "lemma": self.lemma,
            "verdict": self.verdict,
            "reason": self.reason,
            "solve_rate": self.rate,
            "target_rate": _share(self.on_target),
            "attempts": {seat: _record(j) for seat, j in self.tried.items()},
            "target_attempts": {seat: _record(j) for seat, j in self.on_target.items()},
            "uses_lemma": self.uses_lemma() if true else None,
            "known": self.known() if true else None,
            "elegance": min(lengths) / len(task) if lengths else None,
            "guide": guide(self.statement, parse(self.target), self.known()) if true else None,
            "size": size(self.statement) if self.statement is not None else None,
        }


def quoted(text: str) -> str:
    """A text that may come from a seat, quoted so that it cannot imitate the game; arrows stay arrows."""
    return quote(text)[1:-1].replace("-›", "->")


def _share(tried: dict[Seat, Judged]) -> float | None:
    return sum(j.verdict.ok for j in tried.values()) / len(tried) if tried else None


def _record(judged: Judged) -> dict[str, Any]:
    return {
        "kind": judged.verdict.kind,
        "reason": quoted(judged.verdict.reason),
        "proof": quoted(" ".join(judged.labels)),
        "labels": len(judged.labels),
        "steps": judged.steps,
    }
