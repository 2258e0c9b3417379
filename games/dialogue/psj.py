"""psj-v0: a proposer writes a question, k solvers answer it at once, judges score question and answers.

After Multi-Agent Evolve (Chen et al. 2025, arXiv 2510.23595), whose rewards are in `games.dialogue.rewards`. Three
things are different: a judge whose score cannot be read has given none (there it counts as a neutral 0.5), tags are
read in the seat's own text only, and where a question is plain arithmetic its exact answer is known, so that judges can
be held against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from games.dialogue import psj_texts as texts
from games.dialogue import rewards, sums, tags
from games.dialogue.staged import Staged, listed, named, seats_of, share, whole
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.randomness import Stream, derive
from games.speech import quote

ID = "psj-v0"
PROPOSER = "proposer"
GOOD, BAD = 8, 3
"""a judge says right from 8 on and wrong up to 3 (the bands of MAE's rubric); between is undecided"""
_LONGEST = 1000


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
        self.k = whole(ID, "solvers", solvers, 1, 64)
        self.size = whole(ID, "size", size, 0, 9)
        self.threshold, self.references = share(ID, "threshold", threshold), share(ID, "references", references)
        usual_grade = "truth" if self.size or self.threshold else "judge"
        usual_votes = 0 if self.threshold else 1
        self.grade = grade or usual_grade
        self.votes = usual_votes if votes is None else whole(ID, "votes", votes, 0, 16)
        self._check(calibrate)
        self.solvers = seats_of("solver", self.k)
        self.judges = seats_of("judge", self.k * self.votes)
        self.calibrate = calibrate
        shown = {
            "solvers": (self.k, 4),
            "votes": (self.votes, usual_votes),
            "grade": (self.grade, usual_grade),
            "size": (self.size, 0),
            "threshold": (self.threshold, 0.0),
            "references": (self.references, 0.0),
            "calibrate": (calibrate, True),
        }
        self.spec = self._spec(named(ID, shown))
        self._given = ""
        self._clear()

    def _check(self, calibrate: object) -> None:
        if self.grade not in ("judge", "truth"):
            raise InputError(f"{ID}: grade is judge or truth, not {self.grade!r}")
        if not isinstance(calibrate, bool):
            raise InputError(f"{ID}: calibrate is true or false, not {calibrate!r}")
        if self.grade == "judge" and (self.size or self.threshold):
            raise InputError(f"{ID}: size and threshold go by the exact answer; leave grade out or write grade=truth")
        if self.grade == "judge" and not self.votes:
            raise InputError(f"{ID}: without judges (votes=0) write grade=truth")
        if self.threshold and self.votes:
            raise InputError(f"{ID}: with a threshold the proposer meets the solvers alone; write votes=0")

    def _spec(self, id: str) -> GameSpec:
        roles = {PROPOSER: PROPOSER} | dict.fromkeys(self.solvers, "solver") | dict.fromkeys(self.judges, "judge")
        match = self.threshold > 0
        question_votes = self.votes if self.grade == "judge" else 0
        return GameSpec(
            id=id,
            seats=roles,
            payoff="zero_sum" if match else "general_sum",
            rules=texts.rules(self),
            max_turns=1 + question_votes + self.k + len(self.judges),
            returns_range=(-1.0, 1.0) if match else (0.0, 1.0),
            teams=tuple(side for side in ((PROPOSER,), self.solvers, self.judges) if side),
            rated=match,
        )

    def _clear(self) -> None:
        self._stage = "over"
        self._due = ()
        self._task, self._shown, self._truth = "", "", None
        self._verdict, self._quality = "", None
        self._forms: dict[Seat, float] = {}
        self._answers: dict[Seat, str | None] = {}
        self._marks: dict[Seat, dict[str, Any]] = {}
        """judge -> what it judged, its score, whether it is right where that is known"""
        self._forms_of_judges: dict[Seat, list[float]] = {}
        self._example = ""

    _truth: Fraction | None
    _quality: float | None

    def given(self, task: str) -> None:
        """Play on this question of a pool; "": the proposer writes one."""
        if task and self.size and task not in sums.closed(self.size):
            raise InputError(f"{ID}: {task!r} is no question of a family of size {self.size}")
        self._given = task

    def reset(self, seed: int) -> None:
        """Begin with the proposer, or with the solvers where a question of the pool is given."""
        self._clear()
        stream = Stream(derive(seed, ID))
        if self.references and stream.random() < self.references and not self.size:
            self._example = sums.question(stream)
        if self._given:
            self._put(self._given)
            self._quality = 1.0
            self._solve()
        else:
            self._stage, self._due = "propose", (PROPOSER,)

    def _put(self, question: str) -> None:
        """Take a question in: as it is shown, and its exact answer where it has one."""
        self._shown = quote(question, _LONGEST)
        self._task = self._shown[1:-1]
        self._truth = sums.value(question)

    def _take(self, said: Mapping[Seat, str]) -> None:
        {"propose": self._propose, "question": self._judge_question, "solve": self._answer, "answer": self._judge}[
            self._stage
        ](said)

    def _propose(self, said: Mapping[Seat, str]) -> None:
        text = said[PROPOSER]
        found = tags.Tagged(text, 1.0) if self.size else tags.read(text, "question")
        self._forms[PROPOSER] = found.form
        if found.content is None:
            self._end("invalid")
            return
        self._put(found.content)
        if not self._task:
            self._end("invalid")
        elif self.grade == "truth":
            self._quality = float(self._truth is not None)
            self._gate()
        else:
            self._stage, self._due = "question", self.judges[: self.votes]

    def _judge_question(self, said: Mapping[Seat, str]) -> None:
        scores = [self._mark(judge, text, "question") for judge, text in said.items()]
        self._quality = rewards.mean([rewards.judged(s) for s in scores if s is not None])
        self._gate()

    def _gate(self) -> None:
        if self._quality is None or self._quality < rewards.QUALITY:
            self._end("invalid" if self._quality is None or self.grade == "truth" else "fail")
        else:
            self._solve()

    def _solve(self) -> None:
        self._verdict = "pass"
        self._stage, self._due = "solve", self.solvers

    def _answer(self, said: Mapping[Seat, str]) -> None:
        for seat, text in said.items():
            found = tags.Tagged(text, 1.0) if self.size else tags.read(text, "answer")
            self._forms[seat] = found.form
            self._answers[seat] = found.content
        due = tuple(j for j in self.judges if self._answers[self._judged_by(j)] is not None)
        if due:
            self._stage, self._due = "answer", due
        else:
            self._end("pass")

    def _judge(self, said: Mapping[Seat, str]) -> None:
        for judge, text in said.items():
            self._mark(judge, text, self._judged_by(judge))
        self._end("pass")

    def _mark(self, judge: Seat, text: str, of: str) -> int | None:
        """Take a judge's message; its score, or None where none can be read."""
        found = tags.Tagged(text, 1.0) if self.size else tags.score(text)
        self._forms_of_judges.setdefault(judge, []).append(found.form)
        score = None if found.content is None else int(found.content)
        agrees: bool | None = None
        if of != "question" and self._truth is not None:
            agrees = score is not None and (score >= GOOD if self._right(of) else score <= BAD)
        self._marks[f"{judge}:{of}"] = {"judge": judge, "of": of, "score": score, "agrees": agrees}
        return score

    def _judged_by(self, judge: Seat) -> Seat:
        return self.solvers[int(judge.rpartition("_")[2]) // self.votes]

    def _right(self, solver: Seat) -> bool | None:
        """Whether an answer is the exact one; None where no exact one is known."""
        if self._truth is None:
            return None
        answer = self._answers.get(solver)
        return answer is not None and sums.number(answer) == self._truth

    def _score(self, solver: Seat) -> float | None:
        """An answer's score from 0 to 1; None where nobody could judge it."""
        if self._answers.get(solver) is None:
            return 0.0
        if self.grade == "truth":
            return float(bool(self._right(solver)))
        scores = [m["score"] for m in self._marks.values() if m["of"] == solver]
        return rewards.mean([rewards.judged(s) for s in scores if s is not None])

    def _rate(self) -> float | None:
        """p: the mean score of the answers that were judged."""
        if not self._answers:
            return None
        return rewards.mean([s for s in map(self._score, self.solvers) if s is not None])

    def _end(self, verdict: str) -> None:
        self._verdict, self._stage, self._due = verdict, "over", ()

    def _reward(self, seat: Seat) -> float:
        """The published reward of a seat; 0 for one that had nothing to do."""
        if seat == PROPOSER:
            if self._given or not self._task:
                return 0.0
            return rewards.mae_proposer(self._quality or 0.0, self._rate(), self._forms[PROPOSER])
        if seat in self._answers:
            return rewards.mae_solver(self._score(seat) or 0.0, self._forms[seat])
        forms = self._forms_of_judges.get(seat)
        if not forms:
            return 0.0
        known = [m["agrees"] for m in self._marks.values() if m["judge"] == seat and m["agrees"] is not None]
        return rewards.mae_judge(sum(forms) / len(forms), rewards.mean(known) if known and self.calibrate else None)

    def _proposal(self) -> dict[str, float]:
        """The proposer's reward as base + weight * paid, for roles that pay another difficulty for the rate."""
        rate, gated = self._rate(), (self._quality or 0.0) < rewards.QUALITY
        if gated or rate is None:
            return {"base": self._reward(PROPOSER), "weight": 0.0, "rate": 0.0, "paid": 0.0}
        base = rewards.mae_proposer(self._quality or 0.0, None, self._forms.get(PROPOSER, 0.0))
        return {"base": base, "weight": 1 / 3, "rate": rate, "paid": 1.0 - rate}

    def _won(self) -> bool:
        rate = self._rate()
        return self._verdict == "pass" and rate is not None and 0.0 < rate <= self.threshold

    def returns(self) -> Mapping[Seat, float]:
        """The published rewards; with a threshold +1 and -1 for the sides, shared by the solvers."""
        if not self.threshold:
            return {seat: self._reward(seat) for seat in self.spec.seats}
        if self._due:
            return dict.fromkeys(self.spec.seats, 0.0)
        sign = 1.0 if self._won() else -1.0
        return {PROPOSER: sign} | dict.fromkeys(self.solvers, -sign / self.k)

    def facts(self) -> Mapping[str, Any]:
        """The task, its verdict, how often it was solved, what everybody said of it, and the rewards."""
        idle = [s for s in self.judges if s not in self._forms_of_judges]
        idle += [s for s in self.solvers if s not in self._answers]
        return {
            "task": self._task,
            "pooled": bool(self._given),
            "verdict": self._verdict,
            "quality": self._quality,
            "solve_rate": self._rate(),
            "truth": None if self._truth is None else sums.written(self._truth),
            "form": dict(self._forms),
            "answers": {s: None if a is None else quote(a)[1:-1] for s, a in self._answers.items()},
            "proposal": self._proposal(),
            "judge_forms": dict(self._forms_of_judges),
            "scores": {s: self._score(s) for s in self._answers},
            "right": {s: self._right(s) for s in self._answers},
            "marks": list(self._marks.values()),
            "rewards": {s: self._reward(s) for s in self.spec.seats},
            "idle": [*idle, PROPOSER] if self._given else idle,
        }

    def phase(self, seat: Seat) -> str:
        """propose, question, solve or answer; over."""
        return self._stage

    def observe(self, seat: Seat) -> Observation:
        """The question, what this seat has to do with it, and its own part of what came of it."""
        asked = f"The question: {self._shown}" if self._task else ""
        if self._stage == "over":
            return Observation(listed([asked, self._outcome(seat)]), "over")
        duty = self._duty(seat) if seat in self._due else f"It is the turn of {texts.WHO[self._stage]}."
        own = self._answers.get(seat)
        said = f"Your answer: {quote(own)}" if own else ""
        return Observation(listed([asked, said, duty]), self._stage)

    def _duty(self, seat: Seat) -> str:
        shown = quote(self._answers[self._judged_by(seat)] or "") if self._stage == "answer" else ""
        if self.size:
            return texts.CHOICE[self._stage].format(answer=shown)
        example = f"An example: {self._example}\n" if self._example and self._stage == "propose" else ""
        return example + texts.DUTY[self._stage].format(answer=shown)

    def _outcome(self, seat: Seat) -> str:
        if self._verdict != "pass":
            why = "no question could be read" if not self._task else "the question was not good enough"
            return f"The match is over: {why}."
        rate = self._rate()
        solved = "no answer could be judged" if rate is None else f"the answers scored {rate:.2f} on average"
        return f"The match is over: {solved}. Your reward is {self.returns()[seat]:.2f}."

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        if not self.size:
            return None
        if self._stage == "propose":
            return sums.closed(self.size)
        return sums.closed_answers(self.size) if self._stage == "solve" else texts.SCORES

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Sensible messages, right and wrong ones, and one that cannot be read."""
        if seat not in self._due:
            return ()
        if self.size:
            return self._options(seat) or ()
        if self._stage == "propose":
            return texts.QUESTIONS
        if self._stage == "solve":
            known = [f"<answer>{sums.written(self._truth)}</answer>"] if self._truth is not None else []
            return (*known, *texts.ANSWERS)
        return texts.SCORED

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """A solver's own answer: no other solver may see it."""
        own = self._answers.get(seat)
        return (own,) if own and seat in self.solvers else ()

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand."""
        return texts.KNOWN.get(self.spec.id, ())
