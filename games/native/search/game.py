"""search-v1: a proposer with a search tool writes a question for a given answer; solvers with the tool answer it.

After Search Self-play (Lu et al. 2025, arXiv 2510.18821). README.md says what differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Interval

from games import InputError, KnownOutcome
from games.dialogue import Reading, RoleGame, Script, Stage, Table, role_game
from games.dialogue.messages import SHOWN, shown
from games.game import Seat
from games.native.common import tags
from games.native.common.repetition import repeats
from games.native.common.seats import seats_of
from games.native.search import texts
from games.native.search.closed import ClosedLists, closed_lists, first_collection, plain_question
from games.native.search.documents import COLLECTIONS, AskedAbout, Collection, collection
from games.native.search.index import LONGEST_QUERY, package
from games.native.search.policies import SUITE
from games.native.search.texts import PROPOSER, READER, SOLVER
from games.native.search.validity import LONGEST, TELLS, defect, matches, normalised, solver_reward
from games.tasks.source import Split

Paid = Literal["zero_at_zero", "one_minus", "parabola"]


@dataclass(slots=True)
class Searcher:
    """What a seat has done: its queries, the documents that it found, and the turns that are left."""

    left: int
    queries: list[str] = field(default_factory=list)
    documents: dict[int, None] = field(default_factory=dict)
    useful: int = 0
    """searches that showed a document which it had not read"""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The answer of a seat: None if unread, and how many tags its message has."""

    text: str | None
    tags: int = 0


@dataclass(frozen=True, slots=True)
class Answered:
    """What the seats answered."""

    truth: str
    answers: Mapping[Seat, GivenAnswer]
    names: Sequence[str]
    """the normalised names of the collection"""

    @property
    def right(self) -> dict[Seat, bool]:
        """Whose answer is the right one."""
        return {seat: matches(answer.text, self.truth) for seat, answer in self.answers.items()}

    @property
    def solving(self) -> list[Seat]:
        """The solvers that answered."""
        return [seat for seat in self.answers if seat != READER]

    @property
    def rate(self) -> float | None:
        """The share of the solvers that are right; None if none was asked."""
        right = [right for seat, right in self.right.items() if seat != READER]
        return sum(right) / len(right) if right else None

    def repeats(self) -> bool:
        """Returns whether solvers agree on the answer more than on any other name: a question that fits two is none."""
        right, solving = self.right, self.solving
        wrong = [normalised(self.answers[seat].text or "") for seat in solving if not right[seat]]
        return repeats(len(solving) - len(wrong), [name for name in wrong if name in self.names], len(solving))


def _problem(turns: int, queries: int) -> str:
    package()
    needs = f"a question needs {queries} searches and a turn of its own; write turns={queries + 1}"
    return needs if queries >= turns else ""


@dataclass(frozen=True, slots=True)
class PooledQuestion:
    """A task of the pool: a question, its answer, and the number of the collection that has it."""

    question: str
    answer: str
    collection: int

    @classmethod
    def read(cls, task: str, size: int, split: Split) -> PooledQuestion:
        """Reads JSON with the three fields. Raises InputError."""
        try:
            values = json.loads(task[: 4 * LONGEST])
            posed = cls(values["question"], values["answer"], values["collection"])
        except (ValueError, TypeError, KeyError, RecursionError):
            form = '{"question": "...", "answer": "...", "collection": 7}'
            raise InputError(f"search: {task[:80]!r} is not a task; write {form}") from None
        first = first_collection(split)
        numbers = range(first, first + (1 if size else COLLECTIONS))
        if type(posed.collection) is not int or posed.collection not in numbers:
            raise InputError(f"search: the split {split} has the collections {first:,} to {numbers[-1]:,}")
        lists = closed_lists(size, split) if size else None
        subjects = lists.subjects if lists else collection(posed.collection).subjects
        text = isinstance(posed.question, str) and len(posed.question) <= LONGEST
        if not text or posed.answer not in [subject.answer for subject in subjects]:
            raise InputError(f"search: {task[:80]!r} asks for something that this game cannot answer, or is too long")
        if lists and posed.question not in lists.questions:
            raise InputError(f"search: {posed.question[:80]!r} is not a question of this game's list")
        return posed


def _known(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """An invalid question, one that the reader cannot answer, and one that half of the solvers answer."""
    subject = AskedAbout(game.data(PROPOSER)["answer"], game.data(PROPOSER)["title"])
    solvers = game.spec.teams[2]
    searches = tuple({PROPOSER: f"<search>{query}</search>"} for query in (subject.title, "pages"))
    ask = {PROPOSER: f"<question>{plain_question(game.facts()['collection'], subject)}</question>"}
    right, wrong = f"It is <answer>The {subject.answer}.</answer>", "<answer>nothing</answer>"
    half = {seat: right if i % 2 else wrong for i, seat in enumerate(solvers)}
    none = dict.fromkeys(game.spec.seats, 0.0)
    paid = {PROPOSER: 0.5, READER: 1.0} | {seat: float(text == right) for seat, text in half.items()}
    return (
        KnownOutcome(0, (ask,), none),
        KnownOutcome(0, (*searches, ask, {READER: wrong}), none),
        KnownOutcome(0, (*searches, ask, {READER: right}, half), paid),
    )


@role_game(
    "search-v1",
    seats=lambda solvers: {PROPOSER: PROPOSER, READER: READER} | dict.fromkeys(seats_of(SOLVER, solvers), SOLVER),
    payoff="general_sum",
    rules=texts.rules,
    max_turns=lambda solvers, turns: turns * (solvers + 1) + 1,
    returns_range=(0.0, 1.0),
    teams=lambda solvers: ((PROPOSER,), (READER,), seats_of(SOLVER, solvers)),
    strangers=True,
    rated=False,
    demonstrations=texts.DEMONSTRATIONS,
    closed=lambda size: size > 0,
    pools=True,
    pool=lambda task, size, split: PooledQuestion.read(task, size, split),
    problem=_problem,
    suite=SUITE,
    known=_known,
)
def search(
    t: Table,
    solvers: Annotated[int, Interval(ge=1, le=64)] = 4,
    turns: Annotated[int, Interval(ge=2, le=10)] = 4,
    results: Annotated[int, Interval(ge=1, le=10)] = 3,
    queries: Annotated[int, Interval(ge=0, le=9)] = 2,
    noise: Annotated[int, Interval(ge=0, le=20)] = 6,
    difficulty: Paid = "zero_at_zero",
    size: Annotated[int, Interval(ge=0, le=8)] = 0,
    split: Split = "train",
) -> Script:
    """A proposer with a search tool asks, solvers with the tool answer (Search Self-play, 2510.18821).

    solvers: k. turns: of the proposer and of each solver; the last one cannot search. results: documents of a search.
    queries: searches that show something new, which a question needs. noise: the number of documents that the reader
    also gets, from searches for other answers. difficulty: what a proposer earns, `one_minus` (published),
    `zero_at_zero` or `parabola` (an option of the published code). size: above 0 everything is chosen from lists about
    `size` people of one collection, for models too small to write. split: the seed draws one of a million collections;
    those of train, dev and test differ.
    """
    lists = closed_lists(size, split) if size else None
    posed = PooledQuestion.read(t.pooled, size, split) if t.pooled else None
    number = posed.collection if posed else first_collection(split) + (0 if size else t.stream.below(COLLECTIONS))
    t.facts["collection"] = number
    tool = SearchTool(t, lists, results, collection(number))
    verdict, why, answers = "pass", "", dict[Seat, GivenAnswer]()
    if posed:
        question, truth = posed.question, posed.answer
    else:
        subject = t.stream.choice(lists.subjects if lists else tool.collection.subjects)
        truth = subject.answer
        line = f"The answer: {subject.answer}"
        t.tell(PROPOSER, line, secret=True, answer=subject.answer, title=subject.title)
        searcher = Searcher(turns)
        written = yield from tool.propose(searcher, queries)
        question, why = written or "", "no question could be read"
        if written is not None:
            t.quote(PROPOSER, written, SHOWN)
            t.tell(PROPOSER, f"The question: {shown(written)}", question=written)
            read = tool.collection.read(searcher.documents)
            others = (other.answer for other in tool.collection.subjects)
            why = defect(written, truth, searcher.useful, queries, read, others)
        verdict = "invalid" if why else "pass"
        if not why:
            answers[READER] = yield from tool.read(question, truth, searcher.documents, noise)
            if not matches(answers[READER].text, truth):
                verdict, why = "fail", "the reader did not find the answer in the documents"
    if verdict == "pass":
        answers |= yield from tool.solve(question, seats_of(SOLVER, solvers), turns)
    names = [normalised(subject.answer) for subject in tool.collection.subjects]
    _finish(t, question, Answered(truth, answers, names), verdict, why, difficulty)


@dataclass(frozen=True, slots=True)
class SearchTool:
    """The stages of a match, in which seats search and write their final message."""

    t: Table
    lists: ClosedLists | None
    results: int
    collection: Collection

    def propose(self, searcher: Searcher, least: int) -> Stage[str | None]:
        """Lets the proposer search. Returns its question; None if none could be read."""
        while searcher.left:
            searcher.left -= 1
            phase = "seek" if searcher.useful < least else "propose"
            text = yield self.t.ask(
                PROPOSER,
                self._prompt("propose", phase, searcher),
                phase=phase,
                examples=self._examples("propose", searcher.left),
                waiting=f"Waiting for {texts.WHO['propose']}.",
            )
            kind, content = self._parts("propose", PROPOSER, text)
            if kind == "end":
                return content
            self._search(PROPOSER, kind, content, searcher)
        return None

    def read(self, question: str, answer: str, own: Iterable[int], noise: int) -> Stage[GivenAnswer]:
        """Shows the reader the question, the documents that the proposer found, and others.

        Those come from searches for other answers of the kind: what the proposer's mention most often is its answer.
        """
        reads = dict.fromkeys(own)
        most = len(reads) + noise
        for name in self.t.stream.shuffled(self.collection.alike(answer)):
            reads |= dict.fromkeys(self.collection.index.find(name, self.results)[: max(0, most - len(reads))])
        texts_ = self.collection.read(self.t.stream.shuffled([*reads]))
        self.t.tell(READER, f"The question: {shown(question)}", question=question)
        self.t.tell(READER, _listed(texts_), documents=texts_)
        text = yield self.t.ask(
            READER,
            (texts.DUTY if self.lists is None else texts.CHOICE)["read"],
            phase="read",
            examples=texts.MESSAGES["read"] if self.lists is None else self.lists.answers,
            waiting=f"Waiting for {texts.WHO['read']}.",
        )
        kind, content = self._parts("read", READER, text)
        return GivenAnswer(content if kind == "end" else None, text.count("<answer>"))

    def solve(self, question: str, solvers: tuple[Seat, ...], turns: int) -> Stage[dict[Seat, GivenAnswer]]:
        """Lets the solvers search and answer, all at the same time."""
        answers: dict[Seat, GivenAnswer] = {}
        searchers = {seat: Searcher(turns) for seat in solvers}
        self.t.tell(solvers, f"The question: {shown(question)}", question=question)
        while acting := [seat for seat in solvers if seat not in answers]:
            for seat in acting:
                searchers[seat].left -= 1
            messages = yield self.t.ask(
                acting,
                {seat: self._prompt("solve", "solve", searchers[seat]) for seat in acting},
                phase="solve",
                examples={seat: self._examples("solve", searchers[seat].left) for seat in acting},
                waiting=f"Waiting for {texts.WHO['solve']}.",
            )
            for seat, text in messages.items():
                kind, content = self._parts("solve", seat, text)
                if kind == "end" or not searchers[seat].left:
                    answers[seat] = GivenAnswer(content if kind == "end" else None, text.count("<answer>"))
                else:
                    self._search(seat, kind, content, searchers[seat])
        return answers

    def _search(self, seat: Seat, kind: str, query: str, searcher: Searcher) -> None:
        """Shows a seat what its search finds. A search of the last turn finds nothing."""
        if kind == "search" and searcher.left:
            hits = self.collection.index.find(query, self.results)
            searcher.queries.append(query)
            searcher.useful += not searcher.documents.keys() >= set(hits)
            searcher.documents |= dict.fromkeys(hits)
            self.t.facts.setdefault("searches", {})[seat] = len(searcher.queries)
            line = f"You searched {shown(query)}:\n{_listed(self.collection.read(hits))}"
            read = self.collection.read(searcher.documents)
            self.t.tell(seat, line, documents=read, queries=tuple(searcher.queries))

    def _parts(self, stage: str, seat: Seat, text: str) -> tuple[str, str]:
        """Returns what a message is, `search`, `end` or "", and its content. Of both the later one counts."""
        if self.lists is not None:
            kind, _, content = text.partition(": ")
            return ("search", content) if kind == "search" else ("end", text)
        searched = tags.read(text, "search").content if stage != "read" else None
        if stage == "propose":
            ended, why = tags.read(text, "question").content, "no <question>...</question>"
            later = text.rfind("</question>") > text.rfind("</search>")
        else:
            tagged, why = tags.answer(text)
            ended, later = tagged.content, text.rfind("</answer>") > text.rfind("</search>")
        if searched is not None and not later:
            return "search", searched[:LONGEST_QUERY]
        value = self.t.read(seat, text, lambda _: Reading(ended, why))
        return ("", "") if value is None else ("end", value)

    def _prompt(self, stage: str, phase: str, searcher: Searcher) -> str:
        none = "" if searcher.queries else "You have not searched yet.\n"
        if self.lists is not None:
            choice = texts.CHOICE[stage]
            return none + (choice if searcher.left else choice.replace("a search or ", ""))
        if not searcher.left:
            return none + texts.LAST[stage]
        return f"{none}{texts.DUTY[phase]}\nAfter this turn you have {searcher.left} more."

    def _examples(self, stage: str, left: int) -> tuple[str, ...]:
        if self.lists is None:
            return texts.MESSAGES[stage]
        ends = self.lists.questions if stage == "propose" else self.lists.answers
        return (*self.lists.searches, *ends) if left else ends


def _listed(documents: Iterable[str]) -> str:
    """Returns documents as the lines of an observation."""
    return "\n".join(f"- {text}" for text in documents) or "- nothing found"


def _paid(rate: float, difficulty: Paid) -> float:
    if difficulty == "parabola":
        return 4.0 * rate * (1.0 - rate)
    return 0.0 if rate == 0.0 and difficulty == "zero_at_zero" else 1.0 - rate


def _finish(
    t: Table,
    question: str,
    answered: Answered,
    verdict: str,
    why: str,
    difficulty: Paid,
) -> None:
    """Pays the seats, ends the match, and writes the facts."""
    answers, right, solving, rate = answered.answers, answered.right, answered.solving, answered.rate
    counted = rate if answered.repeats() or difficulty != "zero_at_zero" else 0.0
    paid = 0.0 if counted is None else _paid(counted, difficulty)
    rewards = dict.fromkeys(t.seats, 0.0)
    if rate is not None:
        rewards[PROPOSER] = 0.0 if t.pooled else paid
        rewards[READER] = float(right.get(READER, False) and bool(counted))
        rewards |= {seat: solver_reward(right[seat], answers[seat].tags) for seat in solving}
    for seat, value in rewards.items():
        t.pay(seat, value)
        if seat in right:
            t.outcome(seat, right=float(right[seat]))
    if not t.pooled:
        t.outcome(
            PROPOSER, right=float(verdict == "pass"), broke=verdict == "invalid", secret_told=why in TELLS, solved=rate
        )
    if rate is None:
        t.end(f"the question does not count, {why}")
    else:
        told = f"{rate:.0%} of the solvers are right"
        t.end(told, {seat: f"{told}. Your reward is {value:.2f}" for seat, value in rewards.items()})
    idle = [seat for seat in t.seats if seat != PROPOSER and seat not in answers]
    t.facts |= {
        "task": json.dumps({"question": question, "answer": answered.truth, "collection": t.facts["collection"]})
        if question
        else "",
        "verdict": verdict,
        "defect": why,
        "pooled": bool(t.pooled),
        "truth": answered.truth,
        "question": shown(question)[1:-1],
        "solve_rate": rate,
        "repeats": answered.repeats(),
        "answers": {seat: None if a.text is None else shown(a.text)[1:-1] for seat, a in answers.items()},
        "right": right,
        "searches": t.facts.get("searches", {}),
        "proposal": {
            "base": 0.0,
            "weight": float(rate is not None),
            "rate": counted or 0.0,
            "paid": paid,
        },
        "rewards": rewards,
        "idle": [*idle, PROPOSER] if t.pooled else idle,
    }
