"""The outcome of a conjecture: who proved it, whether it is new, and the input of filters and quality scores."""

from __future__ import annotations

from typing import Any

from games.game import Seat
from games.native.conjecture.quality import guide, needless, redundant
from games.native.conjecture.targets import ConjectureTarget
from games.proofs.canonical import canonical_formula
from games.proofs.first_order import parse_any
from games.proofs.formula import Formula, instance, show, size
from games.proofs.judge import Judged
from games.proofs.theory import LEMMA
from games.quoting import quote

LARGEST = 200
"""names and signs of a target, at most"""
PROVES = " |- "
"""stands between the origin of a statement and the statement in the text of a pooled task"""


class ConjectureOutcome:
    """What is known of a match. `closed`: statements are chosen from a list, so novelty does not matter.

    `strict`: redundant statements earn 0.
    """

    def __init__(self, about: ConjectureTarget, closed: bool, strict: bool) -> None:
        self.closed, self.strict, self.theory = closed, strict, about.theory
        self.origin, self.target, self.lemma = about.origin, about.text, about.lemma
        self.drawn = about.lemma == LEMMA
        self.source_task = "" if self.drawn else about.origin
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
        rules = self.theory.rules.values()
        same = canonical_formula(self.statement) == canonical_formula(parse_any(self.target, LARGEST))
        return same or any(instance(self.statement, r.conclusion) for r in rules if not r.premises)

    def says_less(self) -> bool:
        """Whether the conjecture is redundant: by the wider test of `quality.redundant` for targets of a source, and
        where players write statements. Listed statements say nothing twice.
        """
        wider = self.source_task or (self.strict and not self.closed)
        return redundant(self.statement) if wider else needless(self.statement)

    def barely(self, threshold: float) -> bool:
        """Whether it is new, and was proved with the lemma, at a rate below the threshold."""
        if self.rate is None or not 0 < self.rate < threshold or self.known():
            return False
        return self.uses_lemma() and not (self.strict and self.says_less())

    def facts(self) -> dict[str, Any]:
        """The facts of the match, for JSON."""
        true = self.verdict == "pass"
        lengths = [len(" ".join(j.labels)) for j in self.tried.values() if j.verdict.ok]
        stated = show(self.statement) if self.statement is not None else ""
        sourced = {"statement": stated, "source_task": self.source_task} if self.source_task else {}
        return (
            self._derivation()
            | {
                "task": f"{self.origin}{PROVES}{stated}" if stated and self.origin else stated,
                "canonical": canonical_formula(self.statement) if stated else "",
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
                "elegance": min(lengths) / len(stated) if lengths else None,
                "guide": self._guide() if true else None,
                "size": size(self.statement) if self.statement is not None else None,
            }
            | sourced
        )

    def _derivation(self) -> dict[str, str]:
        """Returns the shortest proof with the lemma; with other lemmas it derives other statements in the same way."""
        proofs = [" ".join(j.labels) for j in self.tried.values() if j.verdict.ok and self.lemma in j.labels]
        return {"derivation": min(proofs, key=lambda text: (len(text), text), default="")} if self.drawn else {}

    def _guide(self) -> dict[str, int]:
        return guide(self.statement, parse_any(self.target, LARGEST), self.known() or self.says_less())


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
