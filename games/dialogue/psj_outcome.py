"""What a match of psj-v0 has established, and what it is worth to each seat by the rewards of Multi-Agent Evolve."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from games.dialogue import rewards, sums, tags
from games.game import Seat
from games.speech import quote

GOOD, BAD = 8, 3
"""a judge says right from 8 on and wrong up to 3 (the bands of MAE's rubric); between is undecided"""
_LONGEST = 1000


class Outcome:
    """`by_truth`: answers are scored by the exact value and not by judges. `calibrate`: so are judges, in part."""

    def __init__(self, by_truth: bool, calibrate: bool) -> None:
        self.by_truth, self.calibrate = by_truth, calibrate
        self.task, self.shown = "", ""
        """the question, and as a quotation"""
        self.truth: Fraction | None = None
        self.verdict = ""
        self.quality: float | None = None
        self.answers: dict[Seat, str | None] = {}
        self.forms: dict[Seat, float] = {}
        """of the proposer and the solvers"""
        self.marks: dict[str, dict[str, Any]] = {}
        """judge and what it judged -> its score, whether it is right where that is known"""
        self.judge_forms: dict[Seat, list[float]] = {}

    def put(self, question: str) -> None:
        """Take a question in: as it is shown, and its exact answer where it has one."""
        self.shown = quote(question, _LONGEST)
        self.task = self.shown[1:-1]
        self.truth = sums.value(question)

    def answer(self, seat: Seat, found: tags.Tagged) -> None:
        """Take a solver's message."""
        self.forms[seat], self.answers[seat] = found.form, found.content

    def mark(self, judge: Seat, found: tags.Tagged, of: str) -> int | None:
        """Take a judge's message; its score, or None where none can be read."""
        self.judge_forms.setdefault(judge, []).append(found.form)
        score = None if found.content is None else int(found.content)
        agrees: bool | None = None
        if of != "question" and self.truth is not None:
            agrees = score is not None and (score >= GOOD if self.right(of) else score <= BAD)
        self.marks[f"{judge}:{of}"] = {"judge": judge, "of": of, "score": score, "agrees": agrees}
        return score

    def right(self, solver: Seat) -> bool | None:
        """Whether an answer is the exact one; None where no exact one is known."""
        if self.truth is None:
            return None
        return sums.right(self.answers.get(solver), self.truth)

    def score(self, solver: Seat) -> float | None:
        """An answer's score from 0 to 1; None where nobody could judge it."""
        if self.answers.get(solver) is None:
            return 0.0
        if self.by_truth:
            return float(bool(self.right(solver)))
        scores = [m["score"] for m in self.marks.values() if m["of"] == solver]
        return rewards.mean([rewards.judged(s) for s in scores if s is not None])

    def rate(self) -> float | None:
        """p: the mean score of the answers that were judged."""
        return rewards.mean([s for s in map(self.score, self.answers) if s is not None])

    def proposer(self, seat: Seat, given: bool) -> float:
        """The proposer's reward; 0 where the question was given or there is none."""
        if given or not self.task:
            return 0.0
        return rewards.mae_proposer(self.quality or 0.0, self.rate(), self.forms[seat])

    def other(self, seat: Seat) -> float:
        """A solver's or a judge's reward; 0 for one that had nothing to do."""
        if seat in self.answers:
            return rewards.mae_solver(self.score(seat) or 0.0, self.forms[seat])
        forms = self.judge_forms.get(seat)
        if not forms:
            return 0.0
        known = [m["agrees"] for m in self.marks.values() if m["judge"] == seat and m["agrees"] is not None]
        return rewards.mae_judge(sum(forms) / len(forms), rewards.mean(known) if known and self.calibrate else None)

    def proposal(self, seat: Seat, given: bool) -> dict[str, float]:
        """The proposer's reward as base + weight * paid, for roles that pay another difficulty for the rate."""
        rate = self.rate()
        if rate is None or (self.quality or 0.0) < rewards.QUALITY:
            return {"base": self.proposer(seat, given), "weight": 0.0, "rate": 0.0, "paid": 0.0}
        base = rewards.mae_proposer(self.quality or 0.0, None, self.forms.get(seat, 0.0))
        return {"base": base, "weight": 1 / 3, "rate": rate, "paid": 1.0 - rate}

    def idle(self, solvers: Sequence[Seat], judges: Sequence[Seat]) -> list[Seat]:
        """The judges and solvers that had nothing to do."""
        return [s for s in judges if s not in self.judge_forms] + [s for s in solvers if s not in self.answers]

    def facts(self) -> dict[str, Any]:
        """The question, what everybody said of it, how often it was solved."""
        return {
            "task": self.task,
            "verdict": self.verdict,
            "quality": self.quality,
            "solve_rate": self.rate(),
            "truth": None if self.truth is None else sums.written(self.truth),
            "form": dict(self.forms),
            "answers": {s: None if a is None else quote(a)[1:-1] for s, a in self.answers.items()},
            "judge_forms": dict(self.judge_forms),
            "scores": {s: self.score(s) for s in self.answers},
            "right": {s: self.right(s) for s in self.answers},
            "marks": list(self.marks.values()),
        }
