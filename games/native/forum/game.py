"""forum-v2: solvers post answers, an evaluator looks for errors in each, a scorer gives each a mark from 1 to 3.

CoMAS (Xue et al. 2025, arXiv 2510.08529), which forum-v0 plays: the mark divides a reward between solver and evaluator;
a scorer is only punished for unreadable marks; the correct answer is recorded but pays nobody. Every round draws anew
who reads whose answer. The published code accepts any digit of a text as a mark; here it is the last explicit one.
In closed games of forum-v0 and forum-v1 the right answer is the first and smallest of the list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from annotated_types import Interval

from games.dialogue.answers import final, numbers
from games.dialogue.messages import SHOWN, said
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common.own_questions import answers_beside
from games.native.common.rewards import by_truth, comas
from games.native.common.sourced import WRONG, SourcedGame
from games.native.common.stages import game_id, seats_of
from games.native.forum import rules as texts
from games.randomness import RandomStream, derive
from games.shortcut_modules import suite_beside
from games.verifiers.arithmetic import number, question, value

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

_MARKS = numbers(1, 3)
_SEEN = 2  # earlier answers that a solver is shown


class Post(NamedTuple):
    """One answer with its evaluation and mark."""

    round: int
    solver: Seat
    evaluator: Seat
    scorer: Seat
    solution: str
    evaluation: str
    score: int | None


class ForumGame(SourcedGame):
    """Solvers answer, evaluators criticise, scorers give marks (CoMAS).

    `agents`: solvers, and as many evaluators and scorers. `rounds`: answers of each. `closed`: texts are listed, four
    answers each as likely to be right.
    `grade`: mark, as published; or truth, which pays a solver for a correct answer, and evaluator and scorer for a
    mark that agrees with it. A published scorer is paid the same for any mark, so that marks drift to whatever
    persuades. `tasks`: the id of a task source (`games.tasks`), whose verifier says which answers are right.
    """

    version = 2

    def __init__(
        self,
        agents: Annotated[int, Interval(ge=1, le=8)] = 2,
        rounds: Annotated[int, Interval(ge=1, le=8)] = 2,
        closed: bool = False,
        grade: Literal["truth", "mark"] | None = None,
        tasks: str = "",
    ) -> None:
        super().__init__(tasks)
        usual: Literal["truth", "mark"] = "truth" if self.version else "mark"
        self.grade = grade or usual
        params: dict[str, Value] = {"agents": agents, "rounds": rounds, "closed": closed, "grade": self.grade}
        if self._source is not None:
            params["tasks"] = self._source.id
        id = game_id(f"forum-v{self.version}", ForumGame, params, {"grade": usual})
        self.n, self.rounds, self.closed = agents, rounds, closed
        self.solvers, self.evaluators, self.scorers = (seats_of(r, agents) for r in ("solver", "evaluator", "scorer"))
        seats = dict.fromkeys(self.solvers, "forum-solver") | dict.fromkeys(self.evaluators, "evaluator")
        self.spec = GameSpec(
            id=id,
            seats=seats | dict.fromkeys(self.scorers, "scorer"),
            payoff="general_sum",
            rules=texts.rules(agents, rounds, closed, self.grade),
            max_turns=3 * agents * rounds,
            returns_range=(-float(rounds), float(rounds * (max(1, agents * rounds - 1) if self._by_truth else 1))),
            demonstrations=texts.demonstrations(bool(tasks)),
        )
        self._question = ""
        self._posts: list[Post] = []
        self._drafts: dict[Seat, str] = {}
        """solver -> its answer of this round"""
        self._evaluations: dict[Seat, str] = {}
        """solver -> the evaluation of its answer"""
        self._reads: dict[Seat, Seat] = {}
        """evaluator or scorer -> the solver whose answer it reads"""
        self._shown: dict[Seat, tuple[int, ...]] = {}
        """solver -> the earlier posts it is shown"""
        self._stream = RandomStream(0)

    def reset(self, seed: int) -> None:
        """Draw the question and who reads whose first answer."""
        self._start()
        self._stream = RandomStream(derive(seed, "forum-v0"))
        if self._source is None:
            self._question = question(self._stream)
        else:
            self._question = self._posed(seed).question
        self._posts = []
        self._list(seed)
        self._open_round()

    def _offered(self, stream: RandomStream) -> tuple[str, ...]:
        if self._task is None:
            return tuple(f"The answer is {answer}." for answer in answers_beside(self._question, WRONG, stream))
        return tuple(f"<answer>{answer}</answer>" for answer in super()._offered(stream))

    def phase(self, seat: Seat) -> str:
        """`solve`, `evaluate` or `score`."""
        role = self.spec.seats[seat]
        return {"forum-solver": "solve", "evaluator": "evaluate"}.get(role, "score")

    def observe(self, seat: Seat) -> Observation:
        """The question; earlier answers for solvers, the present answer for evaluators and scorers."""
        lines = [self._question]
        if seat in self.solvers:
            for i in self._shown.get(seat, ()):
                lines += [
                    said("earlier answer", self._posts[i].solution),
                    said("evaluation", self._posts[i].evaluation),
                ]
            lines.append(texts.WRITE if self._task is None else texts.WRITE_TAG)
        else:
            solver = self._reads[seat]
            posted = solver in self._drafts
            lines.append(said("answer", self._drafts[solver]) if posted else "No answer has been posted yet.")
            if seat in self.scorers and solver in self._evaluations:
                lines.append(said("evaluation", self._evaluations[solver]))
        if not self._due:
            lines.append("The match is over.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """Sums over the posts of the rewards of `comas`, or of `by_truth`."""
        out = dict.fromkeys(self.spec.seats, 0.0)
        kinds = [self._correct(post) for post in self._posts]
        for post in self._posts:
            paid = by_truth(post.score, self._correct(post), kinds) if self._by_truth else comas(post.score)
            for seat, reward in zip((post.solver, post.evaluator, post.scorer), paid, strict=True):
                out[seat] += reward
        return out

    @property
    def _by_truth(self) -> bool:
        return self.grade == "truth"

    def _correct(self, post: Post) -> bool:
        """Whether the final answer of a post is right."""
        if self._source is None or self._task is None:
            return _final(post.solution) == value(self._question)
        answer = final(post.solution).value
        return answer is not None and self._source.verdict(self._task, answer).ok

    def facts(self) -> Mapping[str, Any]:
        """The question and its answer; every post with its mark (None: unreadable) and correctness."""
        posts = [post._asdict() | {"right": self._correct(post)} for post in self._posts]
        found = {"question": self._question, "truth": self._truth(), "posts": posts} | self._heard()
        if self._task is None:
            return found
        return found | {"task": self._task.id, "kind": str(self._task.kind), "pooled": bool(self._given)}

    def _truth(self) -> str:
        return str(value(self._question)) if self._task is None else self._task.answer

    def spectate(self) -> str:
        """The question and all posts."""
        lines = [self._question]
        for post in self._posts:
            lines += [said(f"{post.solver}, round {post.round}", post.solution), said(post.evaluator, post.evaluation)]
            lines.append(f"[{post.scorer}] gives {post.score if post.score else 'no mark'}")
        return "\n".join([*lines, "not over" if self._due else "over"])

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of this game, open or closed, if its questions are its own."""
        return suite_beside(self) if self.task_source is None else None

    def known_outcomes(self) -> Sequence[KnownOutcome]:
        """Matches of one agent of each kind and one round."""
        return texts.KNOWN.get(self.spec.id, ())

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if seat in self.scorers:
            return ("1", "2", "3")
        if seat in self.evaluators:
            return ("I find no error.", "The result is wrong.")
        return self._listed or self._samples()

    def _samples(self) -> tuple[str, ...]:
        """Answers of random players in open games. In closed games of earlier versions they are the list."""
        truth = value(self._question)
        if self._task is not None or truth is None:
            return (f"<answer>{self._truth()}</answer>", "<answer>42</answer>", "I do not know")
        return tuple(f"The answer is {truth + d}." for d in (0, 1, 10))

    def _open_round(self) -> None:
        """Draw who reads whose answer, and which earlier answers each solver is shown."""
        self._drafts, self._evaluations = {}, {}
        for seats in (self.evaluators, self.scorers):
            self._reads |= zip(seats, self._stream.shuffled(self.solvers), strict=True)
        earlier = range(len(self._posts))
        self._shown = {s: tuple(sorted(self._stream.shuffled(earlier)[:_SEEN])) for s in self.solvers}
        self._due = self.solvers

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        if self._due == self.solvers:
            self._drafts, self._due = dict(said_by), self.evaluators
        elif self._due == self.evaluators:
            self._evaluations = {self._reads[seat]: text for seat, text in said_by.items()}
            self._due = self.scorers
        else:
            self._close_round({self._reads[seat]: (seat, self._mark(seat, text)) for seat, text in said_by.items()})

    def _mark(self, seat: Seat, text: str) -> int | None:
        mark = self._read(seat, text, _MARKS)
        return None if mark is None else int(mark)

    def _limit(self, seat: Seat) -> int | None:
        return None if seat in self.scorers else SHOWN

    def _close_round(self, marks: Mapping[Seat, tuple[Seat, int | None]]) -> None:
        now = len(self._posts) // self.n + 1
        evaluator = {self._reads[seat]: seat for seat in self.evaluators}
        for solver in self.solvers:
            scorer, score = marks[solver]
            texts = self._drafts[solver], self._evaluations[solver]
            self._posts.append(Post(now, solver, evaluator[solver], scorer, *texts, score))
        if now < self.rounds:
            self._open_round()
        else:
            self._due = ()


class FirstIsRightForumGame(ForumGame):
    """forum-v1, whose closed games list the right answer first."""

    version = 1

    def _list(self, seed: int) -> None:
        self._listed = ()


class PublishedForumGame(FirstIsRightForumGame):
    """forum-v0: the mark alone pays."""

    version = 0


def _final(solution: str) -> Fraction | None:
    """The number that is the final answer of a solution, or None."""
    return number(final(solution).value or "")
