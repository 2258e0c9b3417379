r"""math-duel-v0: a challenger asks, k solvers answer at once, and what most of them say counts as the answer.

After R-Zero (Huang et al. 2025, arXiv 2508.05004). The challenger is paid for a vote that is split; that many of a
batch ask the same costs it, which `roles.proposer.Challenger` sees. Private reasoning never reaches a game here, so the
format reward is for the box alone. Where the question is plain arithmetic its exact answer is known and the facts tell
how often the vote was right.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from games.dialogue import math_duel_texts as texts
from games.dialogue import rewards, sums, tags, votes
from games.dialogue.staged import Staged, listed, named, seats_of, share, whole
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.speech import quote

ID = "math-duel-v0"
CHALLENGER = texts.CHALLENGER
KEPT = (0.3, 0.8)
"""the shares of the majority between which a question is kept for training (R-Zero's script)"""
_LONGEST = 1000


class MathDuel(Staged):
    """`solvers`: k. size: above 0, questions are chosen among a + b with a and b up to `size`, for players that choose.

    threshold: above 0, the match is the challenger against the solvers, won by it where the exact answer is known and
    0 < p <= threshold of the solvers give it.
    """

    pools = True

    def __init__(self, solvers: int = 10, size: int = 0, threshold: float = 0.0) -> None:
        super().__init__()
        self.k = whole(ID, "solvers", solvers, 2, 64)
        self.size = whole(ID, "size", size, 0, 9)
        self.threshold = share(ID, "threshold", threshold)
        self.blocking = not self.size
        self.solvers = seats_of("solver", self.k)
        match = self.threshold > 0
        shown = {"solvers": (self.k, 10), "size": (self.size, 0), "threshold": (self.threshold, 0.0)}
        self.spec = GameSpec(
            id=named(ID, shown),
            seats={CHALLENGER: CHALLENGER} | dict.fromkeys(self.solvers, "solver"),
            payoff="zero_sum" if match else "general_sum",
            rules=texts.rules(self.k, self.size, self.threshold),
            max_turns=1 + self.k,
            returns_range=(-1.0, 1.0),
            teams=((CHALLENGER,), self.solvers),
            rated=match,
        )
        self._given = ""
        self._clear()

    _truth: Fraction | None

    def _clear(self) -> None:
        self._stage, self._due = "over", ()
        self._task, self._shown, self._verdict, self._truth = "", "", "", None
        self._own: str | None = None
        self._answers: dict[Seat, str | None] = {}
        self._forms: dict[Seat, float] = {}
        self._clusters: dict[Seat, int | None] = {}
        self._right: dict[Seat, bool] = {}
        """whether an answer is the exact one, where one is known"""

    def given(self, task: str) -> None:
        """Play on this question of a pool; "": the challenger asks."""
        if task and self.size and task not in sums.closed(self.size):
            raise InputError(f"{ID}: {task!r} is no question of a family of size {self.size}")
        self._given = task

    def reset(self, seed: int) -> None:
        """Nothing is drawn: all chance is in the players."""
        self._clear()
        if self._given:
            self._put(self._given)
            self._stage, self._due = "vote", self.solvers
        else:
            self._stage, self._due = "ask", (CHALLENGER,)

    def _put(self, question: str) -> None:
        self._shown = quote(question, _LONGEST)
        self._task = self._shown[1:-1]
        self._truth = sums.value(question)

    def _take(self, said: Mapping[Seat, str]) -> None:
        if self._stage == "ask":
            self._ask(said[CHALLENGER])
        else:
            self._solve(said)

    def _ask(self, text: str) -> None:
        question = tags.Tagged(text, 1.0) if self.size else tags.read(text, "question")
        box = tags.Tagged("", 1.0) if self.size else tags.boxed(text)
        self._forms[CHALLENGER] = min(question.form, box.form)
        if question.content is not None and box.content is not None:
            self._put(question.content)
            self._own = box.content or None
        if self._task:
            self._stage, self._due = "vote", self.solvers
        else:
            self._verdict, self._stage, self._due = "invalid", "over", ()

    def _solve(self, said: Mapping[Seat, str]) -> None:
        answers: dict[Seat, str | None] = {}
        forms = {}
        for seat, text in said.items():
            found = tags.Tagged(text, 1.0) if self.size else tags.boxed(text)
            answers[seat], forms[seat] = found.content, found.form
        self._clusters = votes.clusters(answers)
        if self._truth is not None:
            self._right = {seat: sums.right(answer, self._truth) for seat, answer in answers.items()}
        self._answers, self._forms = answers, self._forms | forms
        self._verdict, self._stage, self._due = "pass", "over", ()

    def _vote(self) -> tuple[int | None, float]:
        return votes.majority(list(self._clusters.values()))

    def _right_share(self) -> float | None:
        return sum(self._right.values()) / self.k if self._right else None

    def _reward(self, seat: Seat) -> float:
        """The published reward of a seat for this match; 0 for one that had nothing to do."""
        label, agreed = self._vote()
        if seat == CHALLENGER:
            if self._given or self._due:
                return 0.0
            return rewards.r_zero_challenger(agreed if self._verdict == "pass" else None)
        if seat not in self._clusters:
            return 0.0
        return rewards.r_zero_solver(label is not None and self._clusters[seat] == label, self._forms[seat])

    def returns(self) -> Mapping[Seat, float]:
        """The published rewards; with a threshold +1 and -1 for the sides, shared by the solvers."""
        if not self.threshold:
            return {seat: self._reward(seat) for seat in self.spec.seats}
        if self._due:
            return dict.fromkeys(self.spec.seats, 0.0)
        solved = self._right_share()
        sign = 1.0 if solved is not None and 0.0 < solved <= self.threshold else -1.0
        return {CHALLENGER: sign} | dict.fromkeys(self.solvers, -sign / self.k)

    def facts(self) -> Mapping[str, Any]:
        """The question, the vote, whether it was right where that is known, and the rewards."""
        label, agreed = self._vote()
        asked = bool(self._clusters)
        voter = next((s for s, c in self._clusters.items() if c == label and label is not None), None)
        proposal = {"base": 0.0, "weight": 1.0, "rate": agreed, "paid": rewards.r_zero_challenger(agreed)}
        if self._verdict != "pass":
            proposal = {"base": -1.0, "weight": 0.0, "rate": 0.0, "paid": 0.0}
        return {
            "task": self._task,
            "pooled": bool(self._given),
            "verdict": self._verdict,
            "solve_rate": agreed if asked else None,
            "kept": asked and KEPT[0] <= agreed <= KEPT[1],
            "label": None if voter is None else quote(self._answers[voter] or "")[1:-1],
            "label_right": None if voter is None else self._right.get(voter),
            "own_answer": None if self._own is None else quote(self._own)[1:-1],
            "truth": None if self._truth is None else sums.written(self._truth),
            "right_share": self._right_share(),
            "form": dict(self._forms),
            "answers": {s: None if a is None else quote(a)[1:-1] for s, a in self._answers.items()},
            "clusters": dict(self._clusters),
            "proposal": proposal,
            "rewards": {s: self._reward(s) for s in self.spec.seats},
            "idle": [CHALLENGER] if self._given else [] if asked else list(self.solvers),
        }

    def phase(self, seat: Seat) -> str:
        """ask, vote or over."""
        return self._stage

    def observe(self, seat: Seat) -> Observation:
        """The question and what this seat has to do; at the end the vote."""
        asked = f"The question: {self._shown}" if self._task else ""
        if self._stage == "over":
            return Observation(listed([asked, self._outcome(seat)]), "over")
        if seat not in self._due:
            who = "challenger" if self._stage == "ask" else "solvers"
            return Observation(listed([asked, f"It is the turn of the {who}."]), self._stage)
        duty = (texts.CHOICE if self.size else texts.DUTY)[self._stage]
        return Observation(listed([asked, duty]), self._stage)

    def _outcome(self, seat: Seat) -> str:
        if self._verdict != "pass":
            return "The match is over: no question with an answer could be read."
        label, agreed = self._vote()
        said = "nobody gave a readable answer" if label is None else f"{agreed:.0%} of the solvers agree"
        return f"The match is over: {said}. Your reward is {self.returns()[seat]:.2f}."

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        if not self.size:
            return None
        return sums.closed(self.size) if self._stage == "ask" else sums.closed_answers(self.size)

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """A solver's own answer, and the challenger's."""
        own = self._own if seat == CHALLENGER else self._answers.get(seat)
        return (own,) if own else ()

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Questions with an answer and without, answers that agree, differ, or cannot be read."""
        if seat not in self._due:
            return ()
        if self.size:
            return self._options(seat) or ()
        return texts.QUESTIONS if self._stage == "ask" else texts.ANSWERS

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand."""
        return texts.KNOWN.get(self.spec.id, ())
