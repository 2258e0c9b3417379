"""forum-v0: solvers post answers, an evaluator looks for errors in each, a scorer gives each a mark from 1 to 3.

CoMAS (Xue et al. 2025, arXiv 2510.08529): the mark is shared out between solver and evaluator, a scorer is paid for
nothing but readable marks, and the truth is only written down. Who looks at whose answer is drawn anew every round. The
published code, or a fork of it, took any digit of a text for a mark; here a mark is the whole answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from games.dialogue.payoffs import comas
from games.dialogue.staged import Staged, named, seats_of, whole
from games.dialogue.sums import WHOLE, number, question, value
from games.dialogue.talk import said
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.randomness import Stream, derive

_MARK = re.compile(r"(?:<score>)?\s*([123])\s*(?:\.\s*)?(?:</score>)?", re.IGNORECASE | re.ASCII)
_LAST = re.compile(rf"[-−]?{WHOLE}(?!\d)(?:[./]\d+)?")
_SEEN = 2


class Post(NamedTuple):
    """One answer, looked at and marked."""

    round: int
    solver: Seat
    evaluator: Seat
    scorer: Seat
    solution: str
    evaluation: str
    score: int | None


class Forum(Staged):
    """`agents`: solvers, and as many evaluators and scorers. `rounds`: answers of each. `closed`: marks are listed."""

    def __init__(self, agents: int = 2, rounds: int = 2, closed: bool = False) -> None:
        super().__init__()
        self.n = whole("forum-v0", "agents", agents, 1, 8)
        self.rounds = whole("forum-v0", "rounds", rounds, 1, 8)
        if not isinstance(closed, bool):
            raise InputError(f"forum-v0: closed is true or false, not {closed!r}")
        self.closed = closed
        self.solvers, self.evaluators, self.scorers = (seats_of(r, agents) for r in ("solver", "evaluator", "scorer"))
        seats = dict.fromkeys(self.solvers, "forum-solver") | dict.fromkeys(self.evaluators, "evaluator")
        self.spec = GameSpec(
            id=named("forum-v0", {"agents": (agents, 2), "rounds": (rounds, 2), "closed": (closed, False)}),
            seats=seats | dict.fromkeys(self.scorers, "scorer"),
            payoff="general_sum",
            rules=_rules(agents, rounds, closed),
            max_turns=3 * agents * rounds,
            returns_range=(-float(rounds), float(rounds)),
        )
        self._question = ""
        self._posts: list[Post] = []
        self._draft: dict[Seat, str] = {}
        self._notes: dict[Seat, str] = {}
        self._given: dict[Seat, Seat] = {}
        self._shown: dict[Seat, tuple[int, ...]] = {}
        self._stream = Stream(0)

    def reset(self, seed: int) -> None:
        """Draw the question and who looks at whose first answer."""
        self._stream = Stream(derive(seed, "forum-v0"))
        self._question = question(self._stream)
        self._posts = []
        self._open_round()

    def phase(self, seat: Seat) -> str:
        """`solve`, `evaluate` or `score`."""
        role = self.spec.seats[seat]
        return {"forum-solver": "solve", "evaluator": "evaluate"}.get(role, "score")

    def observe(self, seat: Seat) -> Observation:
        """The question; earlier answers for solvers, the one at hand for evaluators and scorers."""
        lines = [self._question]
        if seat in self.solvers:
            for i in self._shown.get(seat, ()):
                lines += [
                    said("earlier answer", self._posts[i].solution),
                    said("evaluation", self._posts[i].evaluation),
                ]
            lines.append("Write your answer; its last number counts.")
        else:
            solver = self._given[seat]
            lines += [said("answer", self._draft[solver])] if solver in self._draft else ["No answer is posted yet."]
            if seat in self.scorers and solver in self._notes:
                lines.append(said("evaluation", self._notes[solver]))
        if not self._due:
            lines.append("The match is over.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """The sums over the rounds: n = (mark - 1) / 2 for the solver, 1 - n for the evaluator, -1 for no mark."""
        out = dict.fromkeys(self.spec.seats, 0.0)
        for post in self._posts:
            for seat, reward in zip((post.solver, post.evaluator, post.scorer), comas(post.score), strict=True):
                out[seat] += reward
        return out

    def facts(self) -> Mapping[str, Any]:
        """The question and its answer; every post with its mark (None: unreadable) and whether it is right."""
        truth = value(self._question)
        posts = [post._asdict() | {"right": _final(post.solution) == truth} for post in self._posts]
        return {"question": self._question, "truth": str(truth), "posts": posts}

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Right and wrong answers, praise and blame, the marks."""
        return self._messages(seat) if seat in self._due else ()

    def spectate(self) -> str:
        """Question and all posts."""
        lines = [self._question]
        for post in self._posts:
            lines += [said(f"{post.solver}, round {post.round}", post.solution), said(post.evaluator, post.evaluation)]
            lines.append(f"[{post.scorer}] gives {post.score if post.score else 'no mark'}")
        return "\n".join([*lines, "not over" if self._due else "over"])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """One match worked out by hand, for one agent of each kind and one round."""
        return _KNOWN if self.spec.id == "forum-v0(agents=1,rounds=1)" else ()

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        return self._messages(seat) if self.closed else None

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if seat in self.scorers:
            return ("1", "2", "3")
        if seat in self.evaluators:
            return ("I find no error.", "The result is wrong.")
        truth = value(self._question)
        assert truth is not None
        return tuple(f"The answer is {truth + d}." for d in (0, 1, 10))

    def _open_round(self) -> None:
        """Draw who looks at whose answer, and which earlier answers each solver is shown."""
        self._draft, self._notes = {}, {}
        for seats in (self.evaluators, self.scorers):
            self._given |= zip(seats, self._stream.shuffled(self.solvers), strict=True)
        earlier = range(len(self._posts))
        self._shown = {s: tuple(sorted(self._stream.shuffled(earlier)[:_SEEN])) for s in self.solvers}
        self._due = self.solvers

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        if self._due == self.solvers:
            self._draft, self._due = dict(said_by), self.evaluators
        elif self._due == self.evaluators:
            self._notes = {self._given[seat]: text for seat, text in said_by.items()}
            self._due = self.scorers
        else:
            self._close_round({self._given[seat]: (seat, mark(text)) for seat, text in said_by.items()})

    def _close_round(self, marks: Mapping[Seat, tuple[Seat, int | None]]) -> None:
        now = len(self._posts) // self.n + 1
        evaluator = {self._given[seat]: seat for seat in self.evaluators}
        for solver in self.solvers:
            scorer, score = marks[solver]
            texts = self._draft[solver], self._notes[solver]
            self._posts.append(Post(now, solver, evaluator[solver], scorer, *texts, score))
        if now < self.rounds:
            self._open_round()
        else:
            self._due = ()


def mark(text: str) -> int | None:
    """A mark from 1 to 3 that is the whole answer; a digit somewhere in a text is none."""
    found = _MARK.fullmatch(text.strip())
    return int(found[1]) if found else None


def _final(solution: str) -> object:
    """The last number of an answer."""
    numbers = _LAST.findall(solution)
    return number(numbers[-1]) if numbers else None


def _rules(agents: int, rounds: int, closed: bool) -> str:
    how = "Choose from what is listed." if closed else "Write a few sentences; a mark is one digit and nothing else."
    return (
        f"A question is answered in {rounds} rounds by {agents} solvers at once. Each answer is given to an evaluator, "
        "who points out its errors, and then with the evaluation to a scorer, who marks the answer: 3 right, 2 partly "
        "right, 1 wrong. In later rounds solvers see some earlier answers and evaluations. With n = (mark - 1) / 2 the "
        "solver is paid n and the evaluator 1 - n. A scorer is paid nothing, and loses 1 if its mark cannot be read; "
        f"then the others get nothing.\n{how}"
    )


_KNOWN = tuple(
    KnownOutcome(
        0,
        ({"solver_0": "It is 7."}, {"evaluator_0": "No."}, {"scorer_0": text}),
        {"solver_0": a, "evaluator_0": b, "scorer_0": c},
    )
    for text, a, b, c in (
        ("3", 1.0, 0.0, 0.0),
        ("2", 0.5, 0.5, 0.0),
        ("<score>1</score>", 0.0, 1.0, 0.0),
        ("3 of 3", 0.0, 0.0, -1.0),
    )
)
