"""psj-v0: a proposer writes a question, k solvers answer it at once, judges score question and answers.

After Multi-Agent Evolve (Chen et al. 2025, arXiv 2510.23595), whose rewards are in `games.dialogue.rewards`. Three
things are different: a judge whose score cannot be read has given none (there it counts as a neutral 0.5), tags are
read in the seat's own text only, and where a question is plain arithmetic its exact answer is known, so that judges can
be held against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.dialogue import psj_texts as texts
from games.dialogue import rewards, sums, tags
from games.dialogue.psj_outcome import Outcome
from games.dialogue.psj_settings import ID, PROPOSER, Settings
from games.dialogue.staged import Staged, listed
from games.errors import InputError
from games.game import KnownOutcome, Observation, Seat
from games.randomness import Stream, derive
from games.speech import quote


class PSJ(Staged):
    r"""`solvers`: k. `votes`: judges of each question and each answer.

    grade: `judge` scores answers by the judges, `truth` by the exact value (only arithmetic questions are valid then,
    and the judges decide nothing; votes=0 leaves them out). size: above 0, questions are chosen among a + b with a and
    b up to `size`, answers among the sums, scores among 1 to 10, for players that choose; implies truth. threshold:
    above 0, the match is the proposer against the solvers, won by it where 0 < p <= threshold; implies truth, votes=0.
    references: share of matches in which the proposer is shown an example. calibrate: half a judge's reward is
    agreement with the truth where it is known; false: the format alone, as published.
    """

    pools = True

    def __init__(
        self,
        solvers: int = 4,
        votes: int | None = None,
        grade: str | None = None,
        size: int = 0,
        threshold: float = 0.0,
        references: float = 0.0,
        calibrate: bool = True,
    ) -> None:
        super().__init__()
        self._set = Settings(solvers, votes, grade, size, threshold, references, calibrate)
        self.spec = self._set.spec()
        self._given = ""
        self._clear()

    def _clear(self) -> None:
        self._stage = "over"
        self._due = ()
        self._example = ""
        self._out = Outcome(self._set.grade == "truth", self._set.calibrate)

    def given(self, task: str) -> None:
        """Play on this question of a pool; "": the proposer writes one."""
        if task and self._set.size and task not in sums.closed(self._set.size):
            raise InputError(f"{ID}: {task!r} is no question of a family of size {self._set.size}")
        self._given = task

    def reset(self, seed: int) -> None:
        """Begin with the proposer, or with the solvers where a question of the pool is given."""
        self._clear()
        stream = Stream(derive(seed, ID))
        if self._set.references and stream.random() < self._set.references and not self._set.size:
            self._example = sums.question(stream)
        if self._given:
            self._out.put(self._given)
            self._out.quality = 1.0
            self._solve()
        else:
            self._stage, self._due = "propose", (PROPOSER,)

    def _take(self, said: Mapping[Seat, str]) -> None:
        {"propose": self._propose, "question": self._judge_question, "solve": self._answer, "answer": self._judge}[
            self._stage
        ](said)

    def _propose(self, said: Mapping[Seat, str]) -> None:
        text = said[PROPOSER]
        found = tags.Tagged(text, 1.0) if self._set.size else tags.read(text, "question")
        self._out.forms[PROPOSER] = found.form
        if found.content is None:
            self._end("invalid")
            return
        self._out.put(found.content)
        if not self._out.task:
            self._end("invalid")
        elif self._set.grade == "truth":
            self._out.quality = float(self._out.truth is not None)
            self._gate()
        else:
            self._stage, self._due = "question", self._set.judges[: self._set.votes]

    def _judge_question(self, said: Mapping[Seat, str]) -> None:
        scores = [self._mark(judge, text, "question") for judge, text in said.items()]
        self._out.quality = rewards.mean([rewards.judged(s) for s in scores if s is not None])
        self._gate()

    def _gate(self) -> None:
        if self._out.quality is None or self._out.quality < rewards.QUALITY:
            self._end("invalid" if self._out.quality is None or self._set.grade == "truth" else "fail")
        else:
            self._solve()

    def _solve(self) -> None:
        self._out.verdict = "pass"
        self._stage, self._due = "solve", self._set.solvers

    def _answer(self, said: Mapping[Seat, str]) -> None:
        for seat, text in said.items():
            found = tags.Tagged(text, 1.0) if self._set.size else tags.read(text, "answer")
            self._out.answer(seat, found)
        due = tuple(j for j in self._set.judges if self._out.answers[self._judged_by(j)] is not None)
        if due:
            self._stage, self._due = "answer", due
        else:
            self._end("pass")

    def _judge(self, said: Mapping[Seat, str]) -> None:
        for judge, text in said.items():
            self._mark(judge, text, self._judged_by(judge))
        self._end("pass")

    def _mark(self, judge: Seat, text: str, of: str) -> int | None:
        return self._out.mark(judge, tags.Tagged(text, 1.0) if self._set.size else tags.score(text), of)

    def _judged_by(self, judge: Seat) -> Seat:
        return self._set.solvers[int(judge.rpartition("_")[2]) // self._set.votes]

    def _end(self, verdict: str) -> None:
        self._out.verdict, self._stage, self._due = verdict, "over", ()

    def _reward(self, seat: Seat) -> float:
        """The published reward of a seat; 0 for one that had nothing to do."""
        return self._out.proposer(seat, bool(self._given)) if seat == PROPOSER else self._out.other(seat)

    def _won(self) -> bool:
        rate = self._out.rate()
        return self._out.verdict == "pass" and rate is not None and 0.0 < rate <= self._set.threshold

    def returns(self) -> Mapping[Seat, float]:
        """The published rewards; with a threshold +1 and -1 for the sides, shared by the solvers."""
        if not self._set.threshold:
            return {seat: self._reward(seat) for seat in self.spec.seats}
        if self._due:
            return dict.fromkeys(self.spec.seats, 0.0)
        sign = 1.0 if self._won() else -1.0
        return {PROPOSER: sign} | dict.fromkeys(self._set.solvers, -sign / self._set.k)

    def facts(self) -> Mapping[str, Any]:
        """The task, its verdict, how often it was solved, what everybody said of it, and the rewards."""
        given = bool(self._given)
        idle = self._out.idle(self._set.solvers, self._set.judges)
        return self._out.facts() | {
            "pooled": given,
            "proposal": self._out.proposal(PROPOSER, given),
            "rewards": {s: self._reward(s) for s in self.spec.seats},
            "idle": [*idle, PROPOSER] if given else idle,
        }

    def phase(self, seat: Seat) -> str:
        """propose, question, solve or answer; over."""
        return self._stage

    def observe(self, seat: Seat) -> Observation:
        """The question, what this seat has to do with it, and its own part of what came of it."""
        asked = f"The question: {self._out.shown}" if self._out.task else ""
        if self._stage == "over":
            return Observation(listed([asked, self._outcome(seat)]), "over")
        duty = self._duty(seat) if seat in self._due else f"It is the turn of {texts.WHO[self._stage]}."
        own = self._out.answers.get(seat)
        said = f"Your answer: {quote(own)}" if own else ""
        return Observation(listed([asked, said, duty]), self._stage)

    def _duty(self, seat: Seat) -> str:
        shown = quote(self._out.answers[self._judged_by(seat)] or "") if self._stage == "answer" else ""
        if self._set.size:
            return texts.CHOICE[self._stage].format(answer=shown)
        example = f"An example: {self._example}\n" if self._example and self._stage == "propose" else ""
        return example + texts.DUTY[self._stage].format(answer=shown)

    def _outcome(self, seat: Seat) -> str:
        if self._out.verdict != "pass":
            why = "no question could be read" if not self._out.task else "the question was not good enough"
            return f"The match is over: {why}."
        rate = self._out.rate()
        solved = "no answer could be judged" if rate is None else f"the answers scored {rate:.2f} on average"
        return f"The match is over: {solved}. Your reward is {self.returns()[seat]:.2f}."

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        if not self._set.size:
            return None
        if self._stage == "propose":
            return sums.closed(self._set.size)
        return sums.closed_answers(self._set.size) if self._stage == "solve" else texts.SCORES

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Sensible messages, right and wrong ones, and one that cannot be read."""
        if seat not in self._due:
            return ()
        if self._set.size:
            return self._options(seat) or ()
        if self._stage == "propose":
            return texts.QUESTIONS
        if self._stage == "solve":
            known = [f"<answer>{sums.written(self._out.truth)}</answer>"] if self._out.truth is not None else []
            return (*known, *texts.ANSWERS)
        return texts.SCORED

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """A solver's own answer: no other solver may see it."""
        own = self._out.answers.get(seat)
        return (own,) if own and seat in self._set.solvers else ()

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand."""
        return texts.KNOWN.get(self.spec.id, ())
