"""forum-v3: solvers post answers, an evaluator looks for errors in each, a scorer gives each a mark from 1 to 3.

After CoMAS (Xue et al. 2025, arXiv 2510.08529). README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from statistics import fmean
from typing import Annotated, Literal, NamedTuple

from annotated_types import Interval

from games import KnownOutcome, quote
from games.dialogue import Script, Stage, Table, final, numbers, read, role_game
from games.dialogue.listed import WRONG, listed
from games.dialogue.messages import SHOWN, said
from games.game import Seat
from games.native.common.own_questions import answers_beside
from games.native.common.rewards import by_truth, comas
from games.native.common.seats import seats_of
from games.native.forum import texts
from games.native.forum.policies import suite
from games.randomness import RandomStream, derive
from games.tasks import SourceTask
from games.verifiers import arithmetic
from games.verifiers.arithmetic import number, plausible, question, value

_MARKS = numbers(1, 3)
_SHOWN = 2
"""earlier answers that a solver is shown"""
_REMARK = ("evaluator", "No.")
Rules = Literal["truth", "published"]


class Post(NamedTuple):
    """One answer with its evaluation and mark."""

    round: int
    solver: Seat
    evaluator: Seat
    scorer: Seat
    solution: str
    evaluation: str
    score: int | None
    unaided: int | None
    """the mark that the scorer gave before it read the evaluation; None where nobody asks for it"""


def _seats(agents: int) -> dict[Seat, str]:
    roles = {"solver": "forum-solver", "evaluator": "evaluator", "scorer": "scorer"}
    return {seat: role for name, role in roles.items() for seat in seats_of(name, agents)}


def _range(agents: int, rounds: int, rules: Rules) -> tuple[float, float]:
    most = max(1, agents * rounds - 1) if rules == "truth" else 1
    return -float(rounds * (1 if rules == "published" else 1 + most)), float(rounds * (most + (rules == "truth")))


def _known_outcomes(_: object) -> tuple[KnownOutcome, ...]:
    """All answers are wrong, so marks have nothing to tell apart; two unreadable ones cost their scorer 1."""
    both = ("0", "1")
    solved, evaluated = ({f"{role}_{i}": text for i in both} for role, text in (("solver", "It is 7."), _REMARK))
    marks = {mark: {f"scorer_{i}": mark for i in both} for mark in ("3", "no mark")}
    return tuple(
        KnownOutcome(0, (solved, now, evaluated, now) * 2, dict.fromkeys(_seats(2), 0.0) | paid)
        for now, paid in ((marks["3"], {}), (marks["no mark"], dict.fromkeys(marks["3"], -2.0)))
    )


@role_game(
    "forum-v3",
    seats=_seats,
    payoff="general_sum",
    rules=lambda agents, rounds, closed, rules: texts.rules(agents, rounds, closed, rules == "published"),
    returns_range=_range,
    max_turns=lambda agents, rounds, rules: (3 if rules == "published" else 4) * agents * rounds,
    demonstrations=texts.demonstrations,
    source=lambda tasks: tasks,
    closed=True,
    suite=suite,
    known=_known_outcomes,
)
def forum(
    t: Table,
    agents: Annotated[int, Interval(ge=1, le=8)] = 2,
    rounds: Annotated[int, Interval(ge=1, le=8)] = 2,
    tasks: str = "",
    rules: Rules = "truth",
) -> Script:
    """Solvers answer, evaluators criticise, scorers give marks (CoMAS).

    `agents`: solvers, and as many evaluators and scorers. `rounds`: answers of each. `closed`: texts are listed, four
    answers each as likely to be right. `tasks`: the id of a task source (`games.tasks`), whose verifier says which
    answers are right. `rules`: truth pays a solver for a correct answer, a scorer for marks that agree with it, before
    and after it reads the evaluation, and an evaluator for what the second mark is better; published pays by the only
    mark, and a scorer the same for any mark, so that marks drift to whatever persuades.
    """
    task = t.task() if t.source else None
    asked = task.question if task else question(t.stream)
    t.tell("all", asked, question=asked)
    t.facts |= t.task_facts(task) if task else {"question": asked, "truth": str(value(asked))}
    answers, posts = _answers(t, task, asked), list[Post]()
    for _ in range(rounds):
        posts += yield from _round(t, agents, answers, bool(task), posts, rules)
    _pay(t, task, asked, posts, rules)


def _answers(t: Table, task: SourceTask | None, asked: str) -> tuple[str, ...]:
    """Returns the list of a closed game, or answers of random players."""
    stream = RandomStream(derive(t.seed, "choices"))
    if task is None or t.source is None:
        truth = value(asked)
        numbers = answers_beside(asked, WRONG, stream) if t.closed else [(truth or 0) + d for d in (0, 1, 10)]
        return tuple(f"The answer is {number}." for number in numbers)
    if t.closed:
        return tuple(f"<answer>{answer}</answer>" for answer in listed(t.source, task, stream))
    return (f"<answer>{task.answer}</answer>", "<answer>42</answer>", "I do not know")


def _round(
    t: Table, agents: int, answers: Sequence[str], sourced: bool, posts: Sequence[Post], rules: Rules
) -> Stage[list[Post]]:
    """Has each answer posted, evaluated and marked by seats that are drawn. They read nothing of other rounds."""
    solvers, evaluators, scorers = (seats_of(role, agents) for role in ("solver", "evaluator", "scorer"))
    reads = {
        seat: s for seats in (evaluators, scorers) for seat, s in zip(seats, t.stream.shuffled(solvers), strict=True)
    }
    views = {seat: _earlier(t, seat, posts, sourced) for seat in solvers}
    views |= dict.fromkeys((*evaluators, *scorers), "No answer has been posted yet.")
    drafts = yield t.ask(solvers, views, phase="solve", examples=answers, waiting=views)
    for seat, solver in reads.items():
        views[seat] = said("answer", drafts[solver])
        t.tell(seat, "", answer=quote(drafts[solver], SHOWN)[1:-1], evaluation="")
    unaided: dict[Seat, str | None] = dict.fromkeys(scorers)
    if rules == "truth":
        unaided = yield from _marks(t, scorers, views, "unaided")
    written = yield t.ask(evaluators, views, phase="evaluate", examples=texts.REMARKS, waiting=views)
    remarks = {reads[seat]: text for seat, text in written.items()}
    for seat in scorers:
        views[seat] += f"\n{said('evaluation', remarks[reads[seat]])}"
        t.tell(seat, "", evaluation=quote(remarks[reads[seat]], SHOWN)[1:-1])
    marks = yield from _marks(t, scorers, views, "score")
    for seat, text in (drafts | written).items():
        t.quote(seat, text)  # counts a message that others read only in part
    by = {reads[seat]: seat for seat in evaluators}
    scored = {reads[seat]: (seat, _number(marks[seat]), _number(unaided[seat])) for seat in scorers}
    now = len(posts) // agents + 1
    made = [Post(now, s, by[s], scored[s][0], drafts[s], remarks[s], *scored[s][1:]) for s in solvers]
    return [_posted(t, post) for post in made]


def _marks(t: Table, scorers: Sequence[Seat], views: dict[Seat, str], phase: str) -> Stage[dict[Seat, str | None]]:
    """Asks all scorers for a mark."""
    reads, examples = partial(read, kind=_MARKS), ("1", "2", "3")
    marks: dict[Seat, str | None]
    marks = yield t.ask(scorers, views, phase=phase, reads=reads, examples=examples, waiting=views)
    return marks


def _number(mark: str | None) -> int | None:
    return None if mark is None else int(mark)


def _earlier(t: Table, solver: Seat, posts: Sequence[Post], sourced: bool) -> str:
    """Returns what a solver reads of earlier rounds, and what it has to write."""
    shown = [posts[i] for i in sorted(t.stream.shuffled(range(len(posts)))[:_SHOWN])]
    t.tell(solver, "", earlier=[quote(post.solution, SHOWN)[1:-1] for post in shown])
    lines = [line for p in shown for line in (said("earlier answer", p.solution), said("evaluation", p.evaluation))]
    return "\n".join([*lines, texts.WRITE_TAG if sourced else texts.WRITE])


def _posted(t: Table, post: Post) -> Post:
    """Shows a post to spectators."""
    t.log(said(f"{post.solver}, round {post.round}", post.solution))
    t.log(said(post.evaluator, post.evaluation))
    before = f", {post.unaided} before the evaluation" if post.unaided else ""
    t.log(f"[{post.scorer}] gives {post.score or 'no mark'}{before}")
    return post


def _pay(t: Table, task: SourceTask | None, asked: str, posts: Sequence[Post], rules: Rules) -> None:
    """Pays the rewards of `by_truth` or `comas`, summed over the posts."""
    right = [_correct(t, task, asked, post.solution) for post in posts]
    near = [_near(t, task, asked, post.solution) for post in posts]
    kinds = [correct for correct, whole in zip(right, near, strict=True) if whole]
    paid = dict.fromkeys(t.seats, 0.0)
    agrees: dict[Seat, list[float]] = {seat: [] for seat in t.seats}
    for post, correct, whole in zip(posts, right, near, strict=True):
        rewards = _by_truth(post, correct, kinds if whole else [correct]) if rules == "truth" else comas(post.score)
        agreed = float(post.score == (3 if correct else 1))
        for seat, reward, agreement in zip(
            (post.solver, post.evaluator, post.scorer), rewards, (float(correct), agreed, agreed), strict=True
        ):
            paid[seat] += reward
            agrees[seat].append(agreement)
    for seat, reward in paid.items():
        t.pay(seat, reward)
        t.outcome(seat, right=fmean(agrees[seat]))
    t.facts["posts"] = [post._asdict() | {"right": correct} for post, correct in zip(posts, right, strict=True)]


def _by_truth(post: Post, correct: bool, right: Sequence[bool]) -> tuple[float, float, float]:
    """Returns the rewards of solver, evaluator and scorer: who marks as well without the evaluation owes it nothing."""
    (solver, after, last), (_, before, first) = (by_truth(mark, correct, right) for mark in (post.score, post.unaided))
    return solver, after - before, (first + last) / 2


def _correct(t: Table, task: SourceTask | None, asked: str, solution: str) -> bool:
    """Returns whether the final answer of a post is right."""
    if task is None or t.source is None:
        truth = value(asked)
        return truth is not None and arithmetic.right(final(solution).value, truth)
    answer = final(solution).value
    return answer is not None and t.source.verdict(task, answer).ok


def _near(t: Table, task: SourceTask | None, asked: str, solution: str) -> bool:
    """Returns whether a post takes the whole calculation to judge, so that its marks are paid."""
    listed = task is not None or t.closed
    return listed or plausible(str(_final(solution)), str(value(asked)))


def _final(solution: str) -> Fraction | None:
    """Returns the number that is the final answer of a solution, or None."""
    return number(final(solution).value or "")
