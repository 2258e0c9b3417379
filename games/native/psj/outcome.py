"""The outcome of a match of psj-v0, and the reward of each seat in Multi-Agent Evolve."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from games.game import Seat
from games.native.common import rewards, tags
from games.native.common.messages import shown
from games.native.common.posing import TaskSetter, identity
from games.tasks import SourceTask
from games.verifiers import arithmetic

GOOD, BAD = 8, 3
"""a score of at least 8 means right, of at most 3 wrong (the bands of MAE's rubric); scores between are undecided"""


class RewardRules(NamedTuple):
    """The parameters of the same names; see `games.native.psj.PSJGame`."""

    calibrate: bool
    zero_at_zero: bool
    balanced: bool
    form: float


class PsjOutcome:
    """`by_truth`: the exact value scores answers, not the judges. `setter`: the verifier of its source decides."""

    def __init__(self, by_truth: bool, rules: RewardRules, setter: TaskSetter | None = None) -> None:
        self.by_truth, self.rules, self._setter = by_truth, rules, setter
        self.task, self.shown = "", ""
        """the question, plain and quoted"""
        self.truth: Fraction | str | None = None
        """the exact value, or a reference answer of the task source"""
        self.posed: SourceTask | None = None
        self.verdict = ""
        self.quality: float | None = None
        self.answers: dict[Seat, str | None] = {}
        self.forms: dict[Seat, float] = {}
        """the format rewards of the proposer and the solvers"""
        self.marks: dict[str, dict[str, Any]] = {}
        """judge and judged seat -> the score, and whether it is right if that is known"""
        self.judge_forms: dict[Seat, list[float]] = {}

    def put(self, question: str) -> None:
        """Set the question and its exact answer, if it has one."""
        self.shown = shown(question)
        self.task = self.shown[1:-1]
        self.truth = arithmetic.value(question)

    def pose(self, task: SourceTask) -> None:
        """Set a task of the source. Only a question that a player wrote is quoted."""
        self.posed, self.task, self.truth = task, identity(task), task.answer
        self.shown = task.question if task.id else shown(task.question)

    def answer(self, seat: Seat, found: tags.TaggedText) -> None:
        """Set the answer of a solver."""
        self.forms[seat], self.answers[seat] = found.form, found.content

    def mark(self, judge: Seat, found: tags.TaggedText, of: str) -> int | None:
        """Record a judge's message and return its score; None if it is unreadable."""
        self.judge_forms.setdefault(judge, []).append(found.form)
        score = None if found.content is None else int(found.content)
        agrees: bool | None = None
        if of != "question" and self.truth is not None:
            agrees = score is not None and (score >= GOOD if self.right(of) else score <= BAD)
        self.marks[f"{judge}:{of}"] = {"judge": judge, "of": of, "score": score, "agrees": agrees}
        return score

    def right(self, solver: Seat) -> bool | None:
        """Whether an answer is the exact one; None if that is unknown."""
        if self.posed is not None and self._setter is not None:
            return self._setter.right(self.posed, self.answers.get(solver))
        if not isinstance(self.truth, Fraction):
            return None
        return arithmetic.right(self.answers.get(solver), self.truth)

    def score(self, solver: Seat) -> float | None:
        """The score of an answer from 0 to 1; None if it was not judged."""
        if self.answers.get(solver) is None:
            return 0.0
        if self.by_truth:
            return float(bool(self.right(solver)))
        scores = [m["score"] for m in self.marks.values() if m["of"] == solver]
        return rewards.mean([rewards.judged(s) for s in scores if s is not None])

    def rate(self) -> float | None:
        """p: the mean score of the judged answers."""
        return rewards.mean([s for s in map(self.score, self.answers) if s is not None])

    def proposer(self, seat: Seat, given: bool) -> float:
        """The proposer's reward; 0 if the question was given or is missing."""
        if given or not self.task:
            return 0.0
        return rewards.mae_proposer(self.quality or 0.0, self._paying(self.rate()), self.forms[seat])

    def _paying(self, rate: float | None) -> float | None:
        """The solve rate, or None if it pays nothing because no answer is right."""
        return None if rate == 0 and self.rules.zero_at_zero else rate

    def other(self, seat: Seat) -> float:
        """A solver's or a judge's reward; 0 for an idle one."""
        if seat in self.answers:
            return rewards.mae_solver(self.score(seat) or 0.0, self.forms[seat], self.rules.form)
        forms = self.judge_forms.get(seat)
        if not forms:
            return 0.0
        known = [m for m in self.marks.values() if m["judge"] == seat and m["agrees"] is not None]
        agreement = rewards.mean([self._agreement(m) for m in known])
        return rewards.mae_judge(sum(forms) / len(forms), agreement if self.rules.calibrate else None)

    def _agreement(self, mark: dict[str, Any]) -> float:
        """How much a judgement agrees with the exact answer."""
        if not self.rules.balanced:
            return float(mark["agrees"])
        kinds = [self.right(m["of"]) for m in self.marks.values() if m["agrees"] is not None]
        return rewards.balanced(mark["agrees"], self.right(mark["of"]), kinds)

    def proposal(self, seat: Seat, given: bool) -> dict[str, float]:
        """The proposer's reward as base + weight * paid, for roles with a different difficulty."""
        rate = self.rate()
        if rate is None or (self.quality or 0.0) < rewards.QUALITY:
            return {"base": self.proposer(seat, given), "weight": 0.0, "rate": 0.0, "paid": 0.0}
        base = rewards.mae_proposer(self.quality or 0.0, None, self.forms.get(seat, 0.0))
        paying = self._paying(rate)
        return {"base": base, "weight": 1 / 3, "rate": rate, "paid": 0.0 if paying is None else 1.0 - rate}

    def idle(self, solvers: Sequence[Seat], judges: Sequence[Seat]) -> list[Seat]:
        """The idle judges and solvers."""
        return [s for s in judges if s not in self.judge_forms] + [s for s in solvers if s not in self.answers]

    def facts(self) -> dict[str, Any]:
        """The question, the answers, the scores and the solve rate."""
        return {
            "task": self.task,
            **({} if self.posed is None else {"kind": str(self.posed.kind), "question": self.posed.question}),
            "verdict": self.verdict,
            "quality": self.quality,
            "solve_rate": self.rate(),
            "truth": None if self.truth is None else str(self.truth),
            "form": dict(self.forms),
            "answers": {s: None if a is None else shown(a)[1:-1] for s, a in self.answers.items()},
            "judge_forms": dict(self.judge_forms),
            "scores": {s: self.score(s) for s in self.answers},
            "right": {s: self.right(s) for s in self.answers},
            "marks": list(self.marks.values()),
        }
