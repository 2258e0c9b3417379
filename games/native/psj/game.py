"""psj-v1: a proposer writes a question, k solvers answer it at once, judges score the question and the answers.

After Multi-Agent Evolve (Chen et al. 2025, arXiv 2510.23595), whose rewards are in `games.native.common.rewards`. Three
things differ: an unreadable score counts as missing (there as a neutral 0.5); tags are read only in the seat's own
text; and the exact answer of an arithmetic question is known, so that judges can be compared with it.

psj-v0 pays as published. Judges that always say 10 then pay for any question and any answer, and a question that nobody
solves pays most. Half of a solver's reward is for its format, so SmolLM2 learns to answer in form and at once, and
stops writing "7 + 7 = 14" before it (scripts/bench/RESULTS.md). psj-v1 changes four defaults: grade=truth,
zero_at_zero, balanced and form=0.1, the share of R-Zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from annotated_types import Interval

from games.errors import InputError
from games.game import KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common import rewards, tags
from games.native.common.messages import SHOWN, shown
from games.native.common.posing import PosingGame, Setting, TaskSetter
from games.native.common.stages import Share, game_id, joined
from games.native.psj import rules as texts
from games.native.psj.outcome import PsjOutcome, RewardRules
from games.native.psj.settings import ID, PROPOSER, PsjSettings
from games.randomness import RandomStream, derive
from games.verifiers import arithmetic


class PSJGame(PosingGame):
    r"""A proposer writes a question, solvers answer it, judges score both (Multi-Agent Evolve).

    solvers: how many answer. votes: judges of each question and each answer. grade: `judge` scores answers by the
    judges, `truth` by the exact value; with `truth` and without tasks only arithmetic questions are valid, the judges
    decide nothing, and votes=0 leaves them out. size: above 0, questions are chosen among a + b with a and b up to
    `size`, answers among numbers, scores among 1 to 10; implies truth. threshold: above 0, the proposer plays against
    the solvers and wins if 0 < p <= threshold; implies truth and votes=0. references: the share of matches in which the
    proposer is shown an example. calibrate: half of a judge's reward is agreement with the exact answer if it is known;
    false: the format alone, as published. zero_at_zero: a question that no answer solves pays its proposer nothing for
    its difficulty (Absolute Zero). balanced: right and wrong answers of a match weigh the same in a judge's agreement,
    so that a constant score agrees by half; without both kinds it counts as half. repeats: the credit of a proposer
    loses this times the share of the batch that asks the same. form: the share of a solver's reward that is for the
    format, half of it as published.

    tasks: the id of a task source (`games.tasks`), whose verifier grades the answers; implies truth and repeats=0.
    proposes: with tasks, `choose` lets the proposer choose a kind of task, a family and a difficulty, of which one
    is drawn from the seed; with `write` it names a kind in its tag or writes a question of its own, which the
    source must be able to answer: of the built-in sources arithmetic can. Without tasks proposes has no effect.
    """

    version = 1
    pools = True
    poser = PROPOSER

    def __init__(
        self,
        solvers: Annotated[int, Interval(ge=1, le=64)] = 4,
        votes: Annotated[int, Interval(ge=0, le=16)] | None = None,
        grade: Literal["judge", "truth"] | None = None,
        size: Annotated[int, Interval(ge=0, le=9)] = 0,
        threshold: Share = 0.0,
        references: Share = 0.0,
        calibrate: bool = True,
        zero_at_zero: bool | None = None,
        balanced: bool | None = None,
        repeats: Annotated[float, Interval(ge=0, le=10)] | None = None,
        form: Share | None = None,
        tasks: str = "",
        proposes: Setting = "choose",
    ) -> None:
        super().__init__()
        strict = self.version > 0
        self._setter = TaskSetter(tasks, proposes) if tasks else None
        known = strict or size or threshold or tasks
        usual_votes, usual_grade = 0 if threshold else 1, "truth" if known else "judge"
        usual: dict[str, Value] = {
            "votes": usual_votes,
            "grade": usual_grade,
            "zero_at_zero": strict,
            "balanced": strict,
            "form": 0.1 if strict else rewards.MAE_FORM,
        }
        usual["repeats"] = float(strict and not tasks)  # a proposer that chooses kinds does not choose the question
        votes = usual_votes if votes is None else votes
        params: dict[str, Value] = {"solvers": solvers, "votes": votes, "grade": grade or usual_grade, "size": size}
        params |= {"threshold": threshold, "references": references, "calibrate": calibrate}
        given: dict[str, Value | None] = {"zero_at_zero": zero_at_zero, "balanced": balanced, "repeats": repeats}
        given["form"] = form
        params |= {key: usual[key] if value is None else value for key, value in given.items()}
        if self._setter is not None:
            params |= {"tasks": self._setter.source.id, "proposes": proposes}
            self.task_source, self.blocking = self._setter.source, self._setter.source.blocking
        id = game_id(f"psj-v{self.version}", PSJGame, params, usual)
        self._rules = RewardRules(
            calibrate, bool(params["zero_at_zero"]), bool(params["balanced"]), float(params["form"])
        )
        self._repeats = float(params["repeats"])
        self._set = PsjSettings(
            solvers, votes, grade or usual_grade, size, threshold, references, self._rules, self._setter
        )
        self.closed = size > 0
        self.spec = self._set.spec(id)
        self._given = ""
        self._clear()

    def _clear(self) -> None:
        self._stage = "over"
        self._due = ()
        self._example = ""
        self._task_seed = 0
        self._out = PsjOutcome(self._set.grade == "truth", self._rules, self._setter)

    def load_task(self, task: str) -> None:
        """Play on this question from a pool; "": the proposer writes one."""
        if task and self._set.size and task not in arithmetic.closed(self._set.size):
            raise InputError(f"{ID}: {task!r} is not a question of size {self._set.size}; write a sum such as 0 + 1")
        if task and self._setter is not None:
            self._setter.load(task)
        self._given = task

    def reset(self, seed: int) -> None:
        """Start with the proposer, or with the solvers if a question from a pool is given."""
        self._clear()
        self._start()
        stream = RandomStream(derive(seed, ID))
        if self._set.references and stream.random() < self._set.references and not self._set.size:
            self._example = arithmetic.question(stream)
        self._task_seed = derive(seed, ID, "task")
        if self._given:
            self._put(self._given)
            self._out.quality = 1.0
            self._solve()
        else:
            self._stage, self._due = "propose", (PROPOSER,)

    def _put(self, question: str) -> None:
        if self._setter is None:
            self._out.put(question)
        else:
            self._out.pose(self._setter.load(question))

    def _take(self, said: Mapping[Seat, str]) -> None:
        {"propose": self._propose, "question": self._judge_question, "solve": self._answer, "answer": self._judge}[
            self._stage
        ](said)

    def _propose(self, said: Mapping[Seat, str]) -> None:
        text = said[PROPOSER]
        found = tags.TaggedText(text, 1.0) if self._set.size or self._chooses() else tags.read(text, "question")
        self._out.forms[PROPOSER] = found.form
        if found.content is None:
            self._miss(PROPOSER, "no <question>...</question>")
            self._end("invalid")
            return
        self._count_cut(PROPOSER, found.content, SHOWN)
        if self._setter is None:
            self._out.put(found.content)
        elif (task := self._setter.set(found.content, self._task_seed)) is not None:
            self._out.pose(task)
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
            found, why = (tags.TaggedText(text, 1.0), "") if self._set.size else tags.answer(text)
            self._miss(seat, why)
            self._count_cut(seat, found.content or "", SHOWN)
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
        found, why = (tags.TaggedText(text, 1.0), "") if self._set.size else tags.score(text)
        self._miss(judge, why)
        return self._out.mark(judge, found, of)

    def _judged_by(self, judge: Seat) -> Seat:
        return self._set.solvers[int(judge.rpartition("_")[2]) // self._set.votes]

    def _end(self, verdict: str) -> None:
        self._out.verdict, self._stage, self._due = verdict, "over", ()

    def _reward(self, seat: Seat) -> float:
        """The published reward of a seat; 0 for an idle one."""
        return self._out.proposer(seat, bool(self._given)) if seat == PROPOSER else self._out.other(seat)

    def returns(self) -> Mapping[Seat, float]:
        """The published rewards; with a threshold 1 and -1 for the two sides, shared among the solvers."""
        if not self._set.threshold:
            return {seat: self._reward(seat) for seat in self.spec.seats}
        if self._due:
            return dict.fromkeys(self.spec.seats, 0.0)
        rate = self._out.rate() if self._out.verdict == "pass" else None
        return rewards.sides(PROPOSER, self._set.solvers, rate, self._set.threshold)

    def facts(self) -> Mapping[str, Any]:
        """The task, its verdict, its solve rate, the answers and scores, and the rewards."""
        given = bool(self._given)
        idle = self._out.idle(self._set.solvers, self._set.judges)
        return (
            self._out.facts()
            | self._heard()
            | {
                "pooled": given,
                "proposal": self._out.proposal(PROPOSER, given),
                "rewards": {s: self._reward(s) for s in self.spec.seats},
                "idle": [*idle, PROPOSER] if given else idle,
            }
            | ({"repeat_cost": self._repeats} if self._repeats else {})
        )

    def phase(self, seat: Seat) -> str:
        """propose, question, solve or answer; over. With tasks `solve` is followed by the kind of the task."""
        return f"solve {self._out.posed.kind}" if self._stage == "solve" and self._out.posed else self._stage

    def observe(self, seat: Seat) -> Observation:
        """The question, the instruction of the seat, its own answer, and at the end its result."""
        asked = f"The question: {self._out.shown}" if self._out.task else ""
        if self._stage == "over":
            return Observation(joined([asked, self._outcome(seat)]), "over")
        duty = self._duty(seat) if seat in self._due else f"Waiting for {texts.WHO[self._stage]}."
        own = self._out.answers.get(seat)
        said = f"Your answer: {shown(own)}" if own else ""
        return Observation(joined([asked, said, duty]), self.phase(seat))

    def _duty(self, seat: Seat) -> str:
        answer = shown(self._out.answers[self._judged_by(seat)] or "") if self._stage == "answer" else ""
        if self._chooses():
            return texts.CHOOSE
        if self._set.size:
            return texts.CHOICE[self._stage].format(answer=answer)
        if self._stage == "propose" and self._setter is not None:
            return f"{texts.DUTY['propose']}\nKinds: {', '.join(self._setter.kinds)}"
        example = f"Example: {self._example}\n" if self._example and self._stage == "propose" else ""
        return example + texts.DUTY[self._stage].format(answer=answer)

    def _outcome(self, seat: Seat) -> str:
        if self._out.verdict != "pass":
            why = "no question could be read" if not self._out.task else "the question was not good enough"
            return f"The match is over: {why}."
        rate = self._out.rate()
        solved = "no answer could be judged" if rate is None else f"the answers scored {rate:.2f} on average"
        return f"The match is over: {solved}. Your reward is {self.returns()[seat]:.2f}."

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self.closed:
            answers = arithmetic.closed_answers(self._set.size)
            closed = {"propose": arithmetic.closed(self._set.size), "solve": answers}
            return closed.get(self._stage, texts.SCORES)
        if self._stage == "propose" and self._setter is not None:
            kinds = self._setter.kinds
            return (
                (*(f"<question>{kind}</question>" for kind in kinds), *texts.QUESTIONS)
                if self._setter.writes
                else kinds
            )
        if self._stage == "propose":
            return texts.QUESTIONS
        if self._stage == "solve":
            known = [f"<answer>{self._out.truth!s}</answer>"] if self._out.truth is not None else []
            return (*known, *texts.ANSWERS)
        return texts.SCORED

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """A solver's own answer, which the judge of the answer reads too."""
        judged = self._judged_by(seat) if self._stage == "answer" and seat in self._due else seat
        answer = self._out.answers.get(judged)
        return (answer,) if answer and judged in self._set.solvers else ()

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches with some of the parameters."""
        return texts.KNOWN.get(self.spec.id, ())


class PublishedPSJGame(PSJGame):
    """psj-v0: judges grade, and the proposer is paid most for a question that nobody solves."""

    version = 0
