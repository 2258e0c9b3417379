"""search-v0: a proposer with a search tool writes a question for a given answer; solvers with the tool answer it.

After Search Self-play (Lu et al. 2025, arXiv 2510.18821). A question counts only if a reader, without the tool, finds
the answer in the documents that the proposer found, mixed with documents of others (the RAG check). Three things
differ: foreign documents are drawn from the collection instead of other questions of the batch; the reader is a seat
that is paid like a solver, if a solver is right too, instead of an outside model; and by default a question that no
solver answers pays nothing, because reader and proposer could agree on a code (`difficulty=one_minus`: as published).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from annotated_types import Interval

from games.dialogue.messages import SHOWN, shown
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common import tags
from games.native.common.stages import StagedGame, game_id, joined, seats_of
from games.native.search import closed as lists
from games.native.search import rules as texts
from games.native.search.documents import AskedAbout, documents, listed, subjects
from games.native.search.index import LONGEST_QUERY, find, package
from games.native.search.validity import LONGEST, defect, matches, normalised, solver_reward
from games.randomness import RandomStream, derive
from games.tasks.source import Split

ID = "search-v0"
PROPOSER, READER, SOLVER = "proposer", "reader", "solver"
Paid = Literal["zero_at_zero", "one_minus", "parabola"]


class SearchStep(NamedTuple):
    """One use of the tool: the query, and the numbers of the documents found."""

    query: str
    found: tuple[int, ...]


class SearchGame(StagedGame):
    """A proposer with a search tool asks, solvers with the tool answer (Search Self-play, 2510.18821).

    solvers: k. turns: of the proposer and of each solver; the last one cannot search. results: documents of a search.
    queries: different searches that a question needs. noise: the number of unrelated documents that the reader also
    gets. difficulty: what a proposer earns, `one_minus` (published), `zero_at_zero` or `parabola` (an option of the
    published code). size: above 0 everything is chosen from lists about the first `size` countries of the split, for
    models too small to write.
    split: the countries and elements that are asked about.
    """

    pools = True

    def __init__(
        self,
        solvers: Annotated[int, Interval(ge=1, le=64)] = 4,
        turns: Annotated[int, Interval(ge=2, le=10)] = 4,
        results: Annotated[int, Interval(ge=1, le=10)] = 3,
        queries: Annotated[int, Interval(ge=0, le=9)] = 2,
        noise: Annotated[int, Interval(ge=0, le=20)] = 4,
        difficulty: Paid = "zero_at_zero",
        size: Annotated[int, Interval(ge=0, le=8)] = 0,
        split: Split = "train",
    ) -> None:
        super().__init__()
        package()
        params: dict[str, Value] = {"solvers": solvers, "turns": turns, "results": results, "queries": queries}
        params |= {"noise": noise, "difficulty": difficulty, "size": size, "split": split}
        id = game_id(ID, SearchGame, params)
        if queries >= turns:
            raise InputError(
                f"{ID}: a question needs {queries} searches and a turn of its own; write turns={queries + 1}"
            )
        self.k, self.turns, self.results, self.queries, self.noise = solvers, turns, results, queries, noise
        self.difficulty, self.closed = difficulty, size > 0
        self._lists = lists.closed_lists(size, split) if size else None
        self._subjects = self._lists.subjects if self._lists else subjects(split)
        self.solvers = seats_of(SOLVER, solvers)
        self.spec = GameSpec(
            id=id,
            seats={PROPOSER: PROPOSER, READER: READER} | dict.fromkeys(self.solvers, SOLVER),
            payoff="general_sum",
            rules=texts.rules(solvers, turns, queries, noise, difficulty, self.closed),
            max_turns=turns * (solvers + 1) + 1,
            returns_range=(0.0, 1.0),
            teams=((PROPOSER,), (READER,), self.solvers),
            rated=False,
            demonstrations=texts.DEMONSTRATIONS,
        )
        self._given: tuple[str, AskedAbout] | None = None
        self._clear()

    def _clear(self) -> None:
        self._due = ()
        self._stage, self._verdict, self._defect = "over", "", ""
        self._subject = self._subjects[0]
        self._question = ""
        self._steps: dict[Seat, list[SearchStep]] = {}
        self._used: dict[Seat, int] = {}
        self._answers: dict[Seat, str | None] = {}
        self._tags: dict[Seat, int] = {}
        self._shuffle = RandomStream(0)
        self._reads: tuple[int, ...] = ()

    def load_task(self, task: str) -> None:
        """Pose a question of a pool, JSON with `question` and `answer`; "": the proposer writes one. Untrusted text."""
        self._given = self._posed(task) if task else None

    def _posed(self, task: str) -> tuple[str, AskedAbout]:
        try:
            found = json.loads(task[: 4 * LONGEST])
            question, answer = found["question"], found["answer"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise InputError(
                f'{ID}: {task[:80]!r} is not a task; write {{"question": "...", "answer": "..."}}'
            ) from None
        subject = next((s for s in self._subjects if s.answer == answer), None)
        if subject is None or not isinstance(question, str) or len(question) > LONGEST:
            raise InputError(
                f"{ID}: {task[:80]!r} asks for something that cannot be answered in this game, or is too long"
            )
        if self._lists and question not in self._lists.questions:
            raise InputError(f"{ID}: {question[:80]!r} is not a question of this game's list")
        return question, subject

    def reset(self, seed: int) -> None:
        """Draw the answer, which the proposer is shown; or start with the solvers if a question is given."""
        self._clear()
        self._start()
        stream = RandomStream(derive(seed, ID))
        self._subject = stream.choice(self._subjects)
        self._shuffle = RandomStream(derive(seed, ID, "noise"))
        if self._given:
            self._question, self._subject = self._given
            self._solve()
        else:
            self._stage, self._due = "propose", (PROPOSER,)

    def _take(self, said: Mapping[Seat, str]) -> None:
        for seat, text in said.items():
            self._used[seat] = self._used.get(seat, 0) + 1
            kind, content = self._parts(seat, text)
            if kind == "search" and self._left(seat):
                self._steps.setdefault(seat, []).append(SearchStep(content, find(content, self.results)))
            elif kind == "end" or not self._left(seat):
                self._finish(seat, content if kind == "end" else None, text)
        if self._stage == "solve":
            self._due = tuple(s for s in self.solvers if s not in self._answers)
            if not self._due:
                self._stage = "over"

    def _left(self, seat: Seat) -> int:
        """The turns that a seat has after this one; the reader has none."""
        return 0 if self._stage == "read" else self.turns - self._used.get(seat, 0)

    def _parts(self, seat: Seat, text: str) -> tuple[str, str]:
        """What a message is, `search`, `end` or "", and its content. If there are both, the later one counts."""
        if self._lists is not None:
            kind, _, content = text.partition(": ")
            return "search" if kind == "search" else "end", content if kind == "search" else text
        searched = tags.read(text, "search").content if self._stage != "read" else None
        if self._stage == "propose":
            ended, why = tags.read(text, "question").content, "no <question>...</question>"
            later = text.rfind("</question>") > text.rfind("</search>")
        else:
            found, why = tags.answer(text)
            ended, later = found.content, text.rfind("</answer>") > text.rfind("</search>")
        if searched is not None and not later:
            return "search", searched[:LONGEST_QUERY]
        if ended is None:
            self._miss(seat, why)
            return "", ""
        return "end", ended

    def _finish(self, seat: Seat, content: str | None, text: str) -> None:
        if self._stage == "propose":
            self._ask(content)
            return
        self._answers[seat], self._tags[seat] = content, text.count("<answer>")
        if self._stage == "read":
            if matches(content, self._subject.answer):
                self._solve()
            else:
                self._end("fail", "the reader did not find the answer in the documents")

    def _ask(self, question: str | None) -> None:
        if question is None:
            self._end("invalid", "no question could be read")
            return
        self._count_cut(PROPOSER, question, SHOWN)
        self._question = question
        queries = [step.query for step in self._steps.get(PROPOSER, ())]
        if why := defect(question, self._subject.answer, queries, self.queries):
            self._end("invalid", why)
            return
        own = dict.fromkeys(i for step in self._steps.get(PROPOSER, ()) for i in step.found)
        others = self._shuffle.shuffled([i for i in range(len(documents())) if i not in own])
        self._reads = tuple(self._shuffle.shuffled([*own, *others[: self.noise]]))
        self._stage, self._due = "read", (READER,)

    def _solve(self) -> None:
        self._verdict, self._stage, self._due = "pass", "solve", self.solvers

    def _end(self, verdict: str, why: str) -> None:
        self._verdict, self._defect, self._stage, self._due = verdict, why, "over", ()

    def _right(self, seat: Seat) -> bool:
        return matches(self._answers.get(seat), self._subject.answer)

    def _rate(self) -> float | None:
        """p: the share of the solvers that are right; None before all have answered."""
        if self._stage != "over" or self._verdict != "pass":
            return None
        return sum(map(self._right, self.solvers)) / self.k

    def _paid(self, rate: float) -> float:
        if self.difficulty == "parabola":
            return 4.0 * rate * (1.0 - rate)
        return 0.0 if rate == 0.0 and self.difficulty == "zero_at_zero" else 1.0 - rate

    def _reward(self, seat: Seat) -> float:
        if (rate := self._rate()) is None:
            return 0.0
        if seat == PROPOSER:
            return 0.0 if self._given else self._paid(rate)
        if seat == READER:
            return float(self._right(READER) and rate > 0)
        return solver_reward(self._right(seat), self._tags[seat])

    def returns(self) -> Mapping[Seat, float]:
        """What the proposer earns by difficulty, and 1 for a right answer of a solver or the reader."""
        return {seat: self._reward(seat) for seat in self.spec.seats}

    def facts(self) -> Mapping[str, Any]:
        """The task, its verdict and defect, the solve rate, the answers, the number of searches, the rewards."""
        rate = self._rate()
        idle = [seat for seat in (READER, *self.solvers) if seat not in self._answers]
        return {
            "task": json.dumps({"question": self._question, "answer": self._subject.answer}) if self._question else "",
            "verdict": self._verdict,
            "defect": self._defect,
            "pooled": self._given is not None,
            "truth": self._subject.answer,
            "question": shown(self._question)[1:-1],
            "solve_rate": rate,
            "answers": {s: None if a is None else shown(a)[1:-1] for s, a in self._answers.items()},
            "right": {seat: self._right(seat) for seat in self._answers},
            "searches": {seat: len(steps) for seat, steps in self._steps.items()},
            "proposal": {
                "base": 0.0,
                "weight": float(rate is not None),
                "rate": rate or 0.0,
                "paid": 0.0 if rate is None else self._paid(rate),
            },
            "rewards": {seat: self._reward(seat) for seat in self.spec.seats},
            "idle": [*idle, PROPOSER] if self._given else idle,
        } | self._heard()

    def phase(self, seat: Seat) -> str:
        """seek (a proposer that has to search), propose, read or solve; over."""
        return "seek" if self._stage == "propose" and self._searched() < self.queries else self._stage

    def _searched(self) -> int:
        """The proposer's different searches."""
        return len({normalised(step.query) for step in self._steps.get(PROPOSER, ())} - {""})

    def observe(self, seat: Seat) -> Observation:
        """The answer for the proposer, else the question; the seat's searches and what they found; its instruction."""
        question = f"The question: {shown(self._question)}" if self._question else ""
        given = f"The answer: {self._subject.answer}" if seat == PROPOSER and not self._given else ""
        seen = listed(self._reads) if seat == READER and self._reads else self._history(seat)
        if self._stage == "over":
            return Observation(joined([given, question, self._outcome(seat)]), "over")
        if seat not in self._due:
            waiting = f"Waiting for {texts.WHO[self._stage]}."
            mine = seat in self._steps or seat in self._answers or (seat == PROPOSER)
            return Observation(joined([given, question if mine or self._verdict else "", waiting]), self.phase(seat))
        return Observation(joined([given, question, seen, self._duty(seat)]), self.phase(seat))

    def _history(self, seat: Seat) -> str:
        steps = self._steps.get(seat, ())
        if not steps:
            return "You have not searched yet." if self._stage != "read" else ""
        return "\n".join(f"You searched {shown(step.query)}:\n{listed(step.found)}" for step in steps)

    def _duty(self, seat: Seat) -> str:
        left = self._left(seat) - 1
        if self._stage == "read":
            return texts.CHOICE["read"] if self.closed else texts.DUTY["read"]
        if self.closed:
            return texts.CHOICE[self._stage] if left else texts.CHOICE[self._stage].replace("a search or ", "")
        duty = texts.DUTY[self.phase(seat)]
        return f"{duty}\nAfter this turn you have {left} more." if left else texts.LAST[self._stage]

    def _outcome(self, seat: Seat) -> str:
        rate = self._rate()
        if rate is None:
            return f"The match is over: the question does not count, {self._defect}."
        return f"The match is over: {rate:.0%} of the solvers are right. Your reward is {self._reward(seat):.2f}."

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The line that tells the proposer the answer."""
        return (f"The answer: {self._subject.answer}",) if seat == PROPOSER and not self._given else ()

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self._lists is None:
            return texts.MESSAGES[self._stage]
        ends = self._lists.questions if self._stage == "propose" else self._lists.answers
        return ends if self._left(seat) <= 1 else (*self._lists.searches, *ends)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """An invalid question, one that the reader cannot answer, and one that half of the solvers answer."""
        if self.spec.id != ID:
            return ()
        self.load_task("")
        self.reset(0)
        answer, title = self._subject
        searches = tuple({PROPOSER: f"<search>{query}</search>"} for query in (title, f"{title} code"))
        ask = {PROPOSER: f"<question>{lists.wording(title)}</question>"}
        right, wrong = f"It is <answer>The {answer}.</answer>", "<answer>nothing</answer>"
        half = {seat: right if i % 2 else wrong for i, seat in enumerate(self.solvers)}
        none = dict.fromkeys(self.spec.seats, 0.0)
        paid = {PROPOSER: 0.5, READER: 1.0} | {seat: float(text == right) for seat, text in half.items()}
        return (
            KnownOutcome(0, (ask,), none),
            KnownOutcome(0, (*searches, ask, {READER: wrong}), none),
            KnownOutcome(0, (*searches, ask, {READER: right}, half), paid),
        )
