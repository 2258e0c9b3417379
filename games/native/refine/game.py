"""refine-v1: a solver answers, a critic says what is wrong with the answer, refiners answer again.

A critique is worth what it adds to the work of refiners: a reader, who knows the critique and the first answer but not
the question, answers too, and what it gets right is subtracted.

After RefCritic (Tang et al. 2025, arXiv 2507.15024), Critique-GRPO (Zhang et al. 2025, arXiv 2506.03106), SCoRe (Kumar
et al. 2024, arXiv 2409.12917), RISE (Qu et al. 2024, arXiv 2407.18219) and SPC (Chen et al. 2025, arXiv 2504.19162).
README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from types import MappingProxyType
from typing import Annotated, NamedTuple

from annotated_types import Interval

from games import KnownOutcome
from games.dialogue import RoleGame, Script, Stage, Table, final, read, role_game
from games.dialogue.answers import CORRECTNESS
from games.dialogue.listed import Problems, listed
from games.game import Seat
from games.native.common.seats import seats_of
from games.native.refine import texts
from games.native.refine.policies import suite
from games.native.refine.texts import CRITIC, READER, SNEAKY, SOLVER
from games.quoting import quote
from games.tasks import SourceTask

TASKS = "arithmetic(operation=add,terms=3,digits=8)"
"""sums so long that one cheap check is a small part of the work"""
DROP = 0.5
"""how far the success of completers must drop from the right draft to a wrong one that counts; the paper states none"""


class Answer(NamedTuple):
    """An answer of a seat."""

    text: str | None
    """as others read it; None if it could not be read"""
    right: bool
    author: str
    wrong: bool = False
    """whether the source calls it wrong; what it cannot judge is neither"""


class Exercise(NamedTuple):
    """The task of a match, and answers from a list or as examples."""

    table: Table
    task: SourceTask
    options: tuple[str, ...]

    def answers(
        self, seats: tuple[Seat, ...], duty: str, phase: str, lines: Mapping[Seat, str] = MappingProxyType({})
    ) -> Stage[dict[Seat, Answer]]:
        """Asks seats, if there are any, for answers to the task and grades them. `lines` are read before the duty."""
        if not seats:
            return {}
        t = self.table
        duty = "" if t.closed else duty
        prompt = {seat: "\n".join(filter(None, (lines.get(seat), duty))) for seat in seats}
        messages = yield t.ask(seats, prompt, phase=phase, examples=self.options, reads=None if t.closed else final)
        return {seat: self._graded(seat, text) for seat, text in messages.items()}

    def _graded(self, seat: Seat, text: str | None) -> Answer:
        assert self.table.source is not None
        if text is None:
            return Answer(None, False, seat)
        verdict = self.table.source.verdict(self.task, text)
        return Answer(quote(text)[1:-1], verdict.ok, seat, verdict.kind == "fail")


def _seats(refiners: int, sneaky: bool, critic: bool, rollouts: int, together: bool, closed: bool) -> dict[Seat, str]:
    seats = {SOLVER: SOLVER} | ({SNEAKY: "refine-sneaky"} if sneaky else {})
    seats |= dict.fromkeys(seats_of("completer", rollouts), "completer") | ({CRITIC: "refine-critic"} if critic else {})
    seats |= dict.fromkeys(seats_of("refiner", refiners), SOLVER if together else "refiner")
    return seats | ({READER: "refiner"} if critic and not closed else {})


def _known(game: RoleGame) -> tuple[KnownOutcome, ...]:
    seeds: dict[bool, tuple[int, str]] = {}
    for seed in range(64):
        game.reset(seed)
        truth = game.facts()["truth"]
        game.apply({SOLVER: f"<answer>{truth}</answer>"})
        seeds[game.acting == (SNEAKY,)] = seed, truth

    def match(wrong: str, critique: str, sneaky: float, critic: float, reads: str = "x") -> KnownOutcome:
        seed, truth = seeds[bool(wrong)]
        right = f"<answer>{truth}</answer>"
        moves = [{SOLVER: right}, {SNEAKY: wrong.format(truth)}, {CRITIC: critique.format(truth)}]
        moves += [{READER: reads.format(truth)}, {"refiner_0": right, "refiner_1": "<answer>x</answer>"}]
        moves = moves if critique else moves[:2]
        paid = {SOLVER: 1.0, SNEAKY: sneaky, CRITIC: critic, "refiner_0": float(bool(critique)), "refiner_1": 0.0}
        paid[READER] = float(reads != "x")
        return KnownOutcome(seed, [move for move in moves if wrong or SNEAKY not in move], paid)

    wrong = "<answer>{}1</answer>"
    return (
        match("", "It adds up. correct", 0.0, 0.1),
        match("", "No. incorrect", 0.0, -0.5),
        match(wrong, "It is too large. incorrect", -1.0, 0.6),
        match(wrong, "It adds up. correct", 1.0, 0.0),
        match(wrong, "It should be {}. incorrect", -1.0, -0.4, "<answer>{}</answer>"),
        match("no answer", "", -1.0, 0.0),
    )


@role_game(
    "refine-v1",
    seats=_seats,
    payoff="general_sum",
    rules=texts.rules,
    max_turns=lambda refiners, rollouts, rounds: 4 + 2 * rollouts + refiners * rounds,
    returns_range=lambda closed: (-1.0, 2.0 if closed else 1.0 + texts.VERDICT),
    rated=False,
    demonstrations=texts.demonstrations,
    source=lambda tasks: tasks,
    closed=True,
    problem=lambda sneaky, rollouts: (
        "completions check the sneaky player's answers; leave out rollouts or sneaky" if rollouts and not sneaky else ""
    ),
    suite=suite,
    known=_known,
)
def refine(
    t: Table,
    refiners: Annotated[int, Interval(ge=1, le=8)] = 2,
    sneaky: bool = True,
    critic: bool = True,
    rollouts: Annotated[int, Interval(ge=0, le=8)] = 0,
    bonus: Annotated[float, Interval(ge=0, le=10)] = 0.0,
    together: bool = False,
    rounds: Annotated[int, Interval(ge=1, le=4)] = 1,
    tasks: str = TASKS,
    problems: Problems = 0,
) -> Script:
    """A solver answers, a critic judges the answer, refiners answer again.

    After RefCritic (arXiv 2507.15024), Critique-GRPO (2506.03106), SCoRe (2409.12917), RISE (2407.18219) and SPC
    (2504.19162).

    refiners: how many.
    sneaky: half of the answers that go on are right by construction, so that a constant verdict earns nothing more
    than a random one; without it the solver's own answer goes on, as published.
    critic: whether there is one.
    rollouts: completers that check a sneaky answer.
    bonus: SCoRe's for refiners (the paper's is 10).
    together: refiners have the role of the solver.
    rounds: how often each refiner answers.
    tasks: the id of a task source.
    closed: answers are chosen from four, and the critique is the verdict alone.
    problems: above 0, matches are about this many tasks of the source, for tiny models.
    """
    assert t.source is not None
    goal = t.stream.below(2) == 0
    task = t.task(problems=problems)
    options = listed(t.source, task, t.stream, 0 if t.pooled else problems) if t.closed else texts.ANSWERS
    exercise = Exercise(t, task, options)
    t.facts |= t.task_facts(task)
    t.tell([seat for seat in t.seats if seat != READER], task.question, question=task.question)
    completers, editors = seats_of("completer", rollouts), seats_of("refiner", refiners)
    answers = yield from exercise.answers((SOLVER,), texts.DUTY, f"solve {task.kind}")
    first = answers[SOLVER]
    draft: Answer | None = first._replace(text=first.text or "no answer")
    if sneaky:
        draft = yield from _draft(exercise, first, goal, completers)
    bonuses: dict[Seat, float] = {}
    if draft:
        refined = yield from _revision(exercise, draft, editors, rounds, critic)
        bonuses = {seat: answer.right + bonus * (answer.right - draft.right) for seat, answer in refined.items()}
        answers |= refined
    for seat, answer in answers.items():
        t.pay(seat, answer.right)
        t.outcome(seat, right=float(answer.right))
    t.facts |= {
        "answers": {seat: answer.text for seat, answer in answers.items()},
        "right": {seat: answer.right for seat, answer in answers.items()},
        "idle": [seat for seat in t.seats if seat not in t.record.asked or seat in completers],
        "rewards": t.record.returns | bonuses,
    }


def _revision(
    exercise: Exercise, draft: Answer, editors: tuple[Seat, ...], rounds: int, critic: bool
) -> Stage[dict[Seat, Answer]]:
    """Returns the answers of the refiners to a draft; a critic, if there is one, is paid for what it adds to them."""
    t = exercise.table
    t.log(f"shown, by {draft.author}: {draft.text}")
    readers = tuple(seat for seat in t.seats if seat == READER)
    t.tell((*editors, *readers), f"The earlier answer: {draft.text}", answer=draft.text)
    verdict = (yield from _judge(exercise, draft, (*editors, *readers))) if critic else 0.0
    blind = yield from exercise.answers(readers, texts.BLIND, "blind")
    refined = yield from _refine(exercise, draft, editors, rounds)
    if critic:
        _credit(t, draft, verdict, fmean(answer.right for answer in refined.values()), blind)
    return refined


def _draft(exercise: Exercise, first: Answer, right: bool, completers: tuple[Seat, ...]) -> Stage[Answer | None]:
    """Returns a right or a wrong answer for critic and refiners; None if the sneaky player fails to write a wrong one.

    It is that of the solver if it is of the kind, else the reference answer or that of the sneaky player.
    """
    t, truth = exercise.table, exercise.task.answer
    if first.right if right else first.wrong:
        return first
    if right:
        return Answer(truth, True, "reference")
    t.tell(SNEAKY, f"The right answer: {truth}", secret=truth, answer=truth)
    answer = (yield from exercise.answers((SNEAKY,), texts.SPOIL, "spoil"))[SNEAKY]
    counts = answer.wrong
    if counts and completers:
        t.reveal(SNEAKY)  # completers read the right draft
        shares = []
        for draft in (answer.text, truth):
            lines = dict.fromkeys(completers, f"A draft of the answer: {draft}")
            finished = yield from exercise.answers(completers, texts.FINISH, "complete", lines)
            shares.append(fmean(one.right for one in finished.values()))
        counts = shares[1] - shares[0] >= DROP
    t.outcome(SNEAKY, right=float(counts))
    t.pay(SNEAKY, 0.0 if counts else -1.0)
    return answer if counts else None


def _judge(exercise: Exercise, draft: Answer, editors: tuple[Seat, ...]) -> Stage[float]:
    """Returns 1 if the verdict of the critic is true, else 0. `editors` read the critique."""
    t = exercise.table
    t.tell(CRITIC, f"The answer to judge: {draft.text}", answer=draft.text)
    prompt = "" if t.closed else texts.JUDGE
    text = yield t.ask(CRITIC, prompt, phase="critique", examples=texts.VERDICTS if t.closed else texts.CRITIQUES)
    verdict = t.read(CRITIC, text, lambda text: read(text, CORRECTNESS))
    right = float(verdict is not None and (verdict == "correct") is draft.right)
    t.outcome(CRITIC, right=right, label=float(draft.right))
    if SNEAKY in t.record.asked:
        t.pay(SNEAKY, 1.0 if verdict == "correct" else -1.0)
    t.say(CRITIC, text, editors, name="critique", verdict=verdict)
    return right


def _credit(t: Table, draft: Answer, verdict: float, refined: float, blind: Mapping[Seat, Answer]) -> None:
    """Pays the critic for a true verdict and what it adds, and the reader for a wrong answer mended.

    What refiners do by themselves shows where a right answer was rejected: they are right nevertheless. So that is
    subtracted there, and a constant verdict earns nothing, however good refiners are.
    """
    mended = not draft.right and any(answer.right for answer in blind.values())
    added = verdict * (refined - mended) if not draft.right else (verdict - 1) * refined
    t.pay(CRITIC, verdict * texts.verdict_pays(t.seats) + added)
    t.outcome(CRITIC, secret_told=mended)
    for seat in blind:
        t.pay(seat, mended)
        t.outcome(seat, right=float(mended), label=float(draft.right))


def _refine(exercise: Exercise, draft: Answer, editors: tuple[Seat, ...], rounds: int) -> Stage[dict[Seat, Answer]]:
    """Returns the last answers of the refiners."""
    t = exercise.table
    answers: list[dict[Seat, Answer]] = []
    for _ in range(rounds):
        last = answers[-1] if answers else {}
        lines = {seat: f"Your last answer: {answer.text or 'none'}" for seat, answer in last.items()}
        answers.append((yield from exercise.answers(editors, texts.REFINE, "refine", lines)))
    for seat in editors:
        earlier = tuple(float(by_seat[seat].right) for by_seat in answers[:-1])
        t.outcome(seat, label=float(draft.right), turns=earlier)
    return answers[-1]
