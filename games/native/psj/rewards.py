"""What the seats of psj earn: the rewards of Multi-Agent Evolve, from what was asked, answered and judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.game import Seat
from games.native.common import rewards
from games.native.common.controls import Controls
from games.native.common.posed_question import PosedQuestion
from games.native.common.repetition import repeats, result
from games.native.common.tags import TaggedText
from games.verifiers.arithmetic import plausible

GOOD, BAD = 8, 3
"""a score of at least 8 means right, of at most 3 wrong (the bands of MAE's rubric); scores between are undecided"""
FORM = 0.1
"""the share of a solver's or a judge's reward that is for the format, as in R-Zero; MAE's is a half"""


@dataclass
class Grades:
    """What was asked, answered and judged in a match.

    `published`: judges grade answers, not the truth. `drawn`: questions are chosen, so answers may be of one digit.
    `controlled`: some solvers read an easy question in place of the posed one.
    """

    published: bool
    pooled: bool
    drawn: bool = False
    controlled: bool = False
    question: PosedQuestion | None = None
    controls: Controls = field(default_factory=Controls)
    """the easy question of other solvers"""
    form: float = 0.0
    """the format reward of the proposal"""
    quality: float | None = None
    answers: dict[Seat, TaggedText | None] = field(default_factory=dict)
    right: dict[Seat, bool | None] = field(default_factory=dict)
    """whether an answer is the exact one; None if that is unknown"""
    marks: list[dict[str, Any]] = field(default_factory=list)
    """judge, what it judged, its score, and whether the exact answer agrees with it if that is known"""
    judge_forms: dict[Seat, list[float]] = field(default_factory=dict)

    def mark(self, judge: Seat, answer: TaggedText | None, of: str) -> None:
        """Records a judge's message."""
        self.judge_forms.setdefault(judge, []).append(answer.form if answer else 0.0)
        score = int(answer.content) if answer and answer.content else None
        right = self.right.get(of)
        agrees = None if right is None else score is not None and (score >= GOOD if right else score <= BAD)
        self.marks.append({"judge": judge, "of": of, "score": score, "agrees": agrees})

    def judged(self, of: str) -> float | None:
        """Returns the mean score of the question or an answer, from 0 to 1; None without a readable one."""
        scores = [m["score"] for m in self.marks if m["of"] == of and m["score"] is not None]
        return rewards.mean([rewards.judged(score) for score in scores])

    def text(self, solver: Seat) -> str:
        """Returns an answer; "" without one."""
        answer = self.answers[solver]
        return answer.text if answer else ""

    @property
    def every(self) -> dict[Seat, TaggedText | None]:
        """Returns the answers of all solvers."""
        return {**self.answers, **self.controls.answers}

    def scores(self) -> dict[Seat, float | None]:
        """Returns the score of each answer; None for one that was not judged."""
        return {seat: self._score(seat) for seat in self.answers}

    def _score(self, solver: Seat) -> float | None:
        if self.answers[solver] is None:
            return 0.0
        return self.judged(solver) if self.published else float(bool(self.right[solver]))

    def rate(self) -> float | None:
        """Returns the mean score of the judged answers."""
        return rewards.mean([score for score in self.scores().values() if score is not None])

    def proposal(self) -> dict[str, float]:
        """Returns the proposer's reward as base + weight * paid, for roles with a different difficulty."""
        rate = self.rate()
        if rate is None or (self.quality or 0.0) < rewards.QUALITY:
            return {"base": self.proposer(), "weight": 0.0, "rate": 0.0, "paid": 0.0}
        if self.published:
            base = rewards.mae_proposer(self.quality or 0.0, None, self.form)
            return {"base": base, "weight": 1 / 3, "rate": rate, "paid": 1.0 - rate}
        counted = rate if self.repeats() else 0.0
        return {"base": 0.0, "weight": self.form, "rate": counted, "paid": 1.0 - counted if counted else 0.0}

    def repeats(self) -> bool:
        """Returns whether right answers agree more than wrong ones do."""
        wrong = [result(answer.text) for seat, answer in self.answers.items() if answer and not self.right[seat]]
        return repeats(sum(map(bool, self.right.values())), wrong, len(self.answers))

    def proposer(self) -> float:
        """Returns the proposer's reward; 0 if the question is from a pool or missing.

        In ours it is for the difficulty alone: what any question earns pays nobody to ask a better one.
        """
        if self.pooled or self.question is None:
            return 0.0
        rate = self.rate()
        if self.published:
            return rewards.mae_proposer(self.quality or 0.0, rate, self.form)
        if not self.quality or not rate or not self.repeats():
            return 0.0
        return self.form * (1.0 - rate) * self.controls.factor

    def solver(self, seat: Seat, score: float | None) -> float:
        """Returns a solver's reward."""
        answer = self.every[seat]
        share = rewards.MAE_FORM if self.published else FORM
        return rewards.mae_solver(score or 0.0, answer.form if answer else 0.0, share)

    def _near(self, solver: Seat) -> bool:
        answer = self.answers[solver]
        truth = self.question.truth if self.question else None
        return self.drawn or truth is None or (answer is not None and plausible(answer.text, truth))

    def judge(self, seat: Seat) -> float:
        """Returns a judge's reward: for the format, and in ours for agreement with exact answers beyond chance.

        An answer that its sign, its length or its last digit rejects pays nobody: who looks at these alone then earns
        what a constant mark does.
        """
        forms = self.judge_forms[seat]
        known = [m for m in self.marks if m["agrees"] is not None]
        kinds = [self.right[m["of"]] for m in known if self._near(m["of"])]
        agree = [
            rewards.balanced(m["agrees"], right := self.right[m["of"]], kinds if self._near(m["of"]) else [right])
            for m in known
            if m["judge"] == seat
        ]
        return rewards.mae_judge(sum(forms) / len(forms), None if self.published else rewards.mean(agree), FORM)
