"""psj-v1: a proposer writes a question, solvers answer it at once, judges score the answers.

After Multi-Agent Evolve (Chen et al. 2025, arXiv 2510.23595), whose rewards are in `games.native.common.rewards`.
README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from annotated_types import Interval

import games.tasks
from games import KnownOutcome
from games.dialogue import Ask, RoleGame, Script, Stage, Table, role_game
from games.dialogue.messages import shown
from games.game import Demonstrations, Seat
from games.native.common import rewards, tags
from games.native.common.controls import Controls, controlled
from games.native.common.examples import TaskExamples
from games.native.common.posed_question import PosedQuestion, check_pooled
from games.native.common.posing import Setting, TaskSetter
from games.native.common.seats import Share, seats_of
from games.native.psj import texts
from games.native.psj.policies import suite
from games.native.psj.rewards import FORM, Grades
from games.randomness import derive
from games.tasks import SourceTask
from games.verifiers import arithmetic

PROPOSER = "proposer"
Rules = Literal["truth", "published"]


def _judges(solvers: int, votes: int, threshold: float) -> tuple[Seat, ...]:
    return () if threshold else seats_of("judge", solvers * votes)


def _sides(solvers: int, votes: int, threshold: float) -> tuple[tuple[Seat, ...], ...]:
    sides = (PROPOSER,), seats_of("solver", solvers), _judges(solvers, votes, threshold)
    return tuple(filter(None, sides))


def _seats(solvers: int, votes: int, threshold: float) -> dict[Seat, str]:
    return {seat: seat.split("_")[0] for side in _sides(solvers, votes, threshold) for seat in side}


def _rules(solvers: int, votes: int, size: int, threshold: float, tasks: str, proposes: Setting, rules: Rules) -> str:
    judges, setting = len(_judges(solvers, votes, threshold)), proposes if tasks else ""
    return texts.rules(solvers, judges, rules == "published", size, threshold, setting)


def _range(solvers: int, votes: int, threshold: float, rules: Rules) -> tuple[float, float]:
    """The highest return is that of a judge who alone judged an answer of its class, the lowest that of a wrong one."""
    judges = len(_judges(solvers, votes, threshold))
    if threshold or rules == "published" or not judges:
        return (-1.0, 1.0) if threshold else (0.0, 1.0)
    return FORM - 1.0, max(1.0, FORM + (1.0 - FORM) * (judges - 1))


def _problem(votes: int, size: int, threshold: float, tasks: str, proposes: Setting, listed: bool, rules: Rules) -> str:
    published = rules == "published"
    source = games.tasks.make(tasks) if tasks and listed else None
    problems = {
        "listed needs tasks whose source lists all answers, and votes=0; write tasks=letters": listed
        and (votes or source is None or not all(map(source.answers, source.kinds))),
        "listed answers are of kinds that the proposer chooses; leave out proposes": listed and proposes != "choose",
        "tasks are graded by their verifier; leave out size": tasks and size,
        "rules=published grades by judges; leave out size, threshold, tasks and votes=0": published
        and (size or threshold or tasks or not votes),
        "with a threshold the proposer plays against the solvers alone; leave out votes": threshold and votes != 1,
        "proposes needs a task source; write tasks=arithmetic": proposes != "choose" and not tasks,
    }
    return next((text for text, true in problems.items() if true), "")


def _demonstrations(tasks: str) -> Demonstrations:
    others = texts.DEMONSTRATIONS
    return TaskExamples(games.tasks.make(tasks), "solve", texts.solved, others) if tasks else others


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """Two of three answers are right, and the judges see it; a question that is no arithmetic earns nothing."""
    solvers = seats_of("solver", 4)
    controls = Controls.drawn("What is 17 + 25?", solvers, seed=0)
    *right, wrong = controls.others(solvers)
    good = dict.fromkeys(right, "<answer>42</answer>") | {wrong: "<answer>52</answer>"}
    good |= dict.fromkeys(controls.seats, f"<answer>{controls.question and controls.question.truth}</answer>")
    marks = {f"judge_{seat[-1]}": f"<score>{10 if seat in right else 1}</score>" for seat in (*right, wrong)}
    paid = {"proposer": 1 - 2 / 3} | dict.fromkeys(good, 1.0) | {wrong: 0.1}
    paid |= dict.fromkeys(marks, 0.55) | {f"judge_{wrong[-1]}": 1.9}
    nothing = dict.fromkeys(game.spec.seats, 0.0)
    return (
        KnownOutcome(0, ({PROPOSER: "<question>What is 17 + 25?</question>"}, good, marks), nothing | paid),
        KnownOutcome(0, ({PROPOSER: "<question>Is it?</question>"},), nothing),
        KnownOutcome(0, ({PROPOSER: "What is 17 + 25?"},), nothing),
    )


@role_game(
    "psj-v1",
    seats=_seats,
    payoff=lambda threshold: "zero_sum" if threshold else "general_sum",
    rules=_rules,
    returns_range=_range,
    max_turns=lambda solvers, votes, threshold, rules: (
        1 + votes * (rules == "published") + solvers + len(_judges(solvers, votes, threshold))
    ),
    teams=_sides,
    rated=lambda threshold: threshold > 0,
    demonstrations=_demonstrations,
    source=lambda tasks: tasks,
    tools=lambda source, proposes: TaskSetter(source, proposes) if source else None,
    closed=lambda size, listed: size > 0 or listed,
    pool=lambda task, size, tools: check_pooled("psj", task, size, tools),
    problem=_problem,
    suite=lambda tasks, votes, threshold: None if tasks else suite(judged=bool(votes) and not threshold),
    known=_known_outcomes,
)  # fmt: skip
def psj(
    t: Table,
    solvers: Annotated[int, Interval(ge=1, le=64)] = 4,
    votes: Annotated[int, Interval(ge=0, le=16)] = 1,
    size: Annotated[int, Interval(ge=0, le=9)] = 0,
    threshold: Share = 0.0,
    tasks: str = "",
    proposes: Setting = "choose",
    listed: bool = False,
    rules: Rules = "truth",
) -> Script:
    """A proposer writes a question, solvers answer it, judges score the answers (Multi-Agent Evolve).

    `solvers`: how many answer. `votes`: judges of each answer; 0 leaves them out. `size`: above 0, questions are chosen
    among a + b with a and b up to `size`, answers among numbers, scores among 1 to 10. `threshold`: above 0, the
    proposer plays against the solvers alone and wins if 0 < p <= threshold. `tasks`: the id of a task source
    (`games.tasks`), whose verifier grades the answers. `proposes`: with tasks, `choose` lets the proposer choose a kind
    of task, of which one is drawn from the seed; with `write` it names a kind in its tag or writes a question of its
    own, which the source must be able to answer: of the built-in sources arithmetic can. `listed`: answers are chosen
    from all that a task of the kind may have, for tiny models; the source must list them, as letters does. `rules`:
    `published` lets judges grade the question and the answers, pays as Multi-Agent Evolve does, and allows any
    question.
    """
    t.facts |= {"task": "", "truth": None, "verdict": ""}
    control = controlled(solvers, size, threshold, tasks, rules == "published", t.pooled)
    grades = Grades(rules == "published", bool(t.pooled), drawn=bool(size or tasks), controlled=control)
    setter: TaskSetter | None = t.tools
    judges = _judges(solvers, votes, threshold)
    refused = yield from _question(t, grades, setter, size, judges[:votes])
    if not refused:
        yield from _answers(t, grades, setter, size, seats_of("solver", solvers))
        judged = {j: f"solver_{i // votes}" for i, j in enumerate(judges)}
        judged = {judge: solver for judge, solver in judged.items() if grades.answers.get(solver)}
        if judged:
            yield from _judge(t, grades, size, judged)
    _finish(t, grades, refused, threshold, repeats=rules == "truth" and not tasks)


def _question(t: Table, grades: Grades, setter: TaskSetter | None, size: int, judges: Sequence[Seat]) -> Stage[str]:
    """Has the question set and shows it. Returns why it is not answered: "", invalid or fail."""
    if t.pooled:
        _show(t, grades, setter, setter.load(t.pooled) if setter else t.pooled)
        grades.quality = 1.0
        return ""
    proposal = yield _proposal(t, setter, size)
    if proposal is None:
        return "invalid"
    grades.form = proposal.form
    text = t.quote(PROPOSER, proposal.text)
    task = proposal.text if setter is None else setter.set(proposal.text, derive(t.seed, "psj-v1", "task"))
    if not task or not text[1:-1]:
        return "invalid"
    _show(t, grades, setter, task)
    if grades.published:
        for judge, score in (yield _ask_judges(t, judges, "question", 0)).items():
            grades.mark(judge, score, "question")
        grades.quality = grades.judged("question")
    else:
        grades.quality = float(grades.question is not None and grades.question.truth is not None)
    if grades.quality is None or (grades.quality < rewards.QUALITY and not grades.published):
        return "invalid"
    return "fail" if grades.quality < rewards.QUALITY else ""


def _proposal(t: Table, setter: TaskSetter | None, size: int) -> Ask:
    """Returns the request to the proposer: to write a question, or to choose one or its kind."""
    prompt, listed = texts.DUTY["propose"], list(texts.QUESTIONS)
    if setter and setter.writes:
        prompt = f"{prompt}\nKinds: {', '.join(setter.kinds)}"
        listed = [*(f"<question>{kind}</question>" for kind in setter.kinds), *listed]
    options = arithmetic.closed(size) if size else setter.kinds if setter and not setter.writes else None
    if options:
        prompt = texts.CHOOSE if setter else texts.CHOICE["propose"]
    reads = tags.chosen if options else tags.reader(tags.question)
    return t.ask(PROPOSER, prompt, phase="propose", options=options, reads=reads, examples=listed,
                 waiting="Waiting for the proposer.")  # fmt: skip


def _show(t: Table, grades: Grades, setter: TaskSetter | None, task: SourceTask | str) -> None:
    """Shows the question to all, or to some solvers its control. Only one that a player wrote is quoted."""
    if isinstance(task, str) or setter is None:
        asked = PosedQuestion.written(str(task))
        if grades.controlled:
            solvers = [seat for seat, role in t.seats.items() if role == "solver"]
            grades.controls = Controls.drawn(asked.task, solvers, t.seed)
    else:
        asked = PosedQuestion.drawn(task, setter)
    if asked.source:
        t.facts |= {"kind": str(asked.source.kind), "question": asked.source.question}
    grades.question = asked
    grades.controls.tell(t, t.seats, asked.text)
    t.facts |= {"task": asked.task, "canonical": asked.canonical, "truth": asked.truth}


def _answers(t: Table, grades: Grades, setter: TaskSetter | None, size: int, solvers: Sequence[Seat]) -> Script:
    question = grades.question
    assert question is not None
    known = () if question.truth is None else (f"<answer>{question.truth}</answer>",)
    options: tuple[str, ...] | None = arithmetic.closed_answers(size) if size else None
    if t.closed and setter and question.source:
        options = setter.source.answers(question.source.kind)
    answers: dict[Seat, tags.TaggedText | None] = yield t.ask(
        solvers,
        texts.CHOICE["solve"] if options else texts.DUTY["solve"],
        phase=f"solve {question.source.kind}" if question.source else "solve",
        options=options,
        reads=tags.chosen if options else tags.reader(tags.answer),
        examples=(*known, *texts.ANSWERS),
        waiting="Waiting for the solvers.",
    )
    for seat, answer in answers.items():
        if answer:
            t.tell(seat, f"Your answer: {t.quote(seat, answer.text)}", secret=True)
    grades.answers = grades.controls.take(answers)
    for seat, answer in grades.answers.items():
        grades.right[seat] = question.right(answer and answer.content, setter)


def _judge(t: Table, grades: Grades, size: int, judged: dict[Seat, Seat]) -> Script:
    for judge, solver in judged.items():
        answer = shown(grades.text(solver))
        t.tell(judge, f"An answer: {answer}", secret=True, answer=answer[1:-1])
    for judge, score in (yield _ask_judges(t, tuple(judged), "answer", size)).items():
        grades.mark(judge, score, judged[judge])


def _ask_judges(t: Table, judges: Sequence[Seat], phase: str, size: int) -> Ask:
    return t.ask(
        judges,
        (texts.CHOICE if size else texts.DUTY)[phase],
        phase=phase,
        options=texts.SCORES if size else None,
        reads=tags.chosen if size else tags.reader(tags.score),
        examples=texts.SCORED,
        waiting="Waiting for the judges.",
    )


def _finish(t: Table, grades: Grades, verdict: str, threshold: float, repeats: bool) -> None:
    """Pays the seats, ends the match, and writes what the rules know."""
    scores, rate = grades.scores(), grades.rate()
    rewards_ = dict.fromkeys(t.seats, 0.0) | {PROPOSER: grades.proposer()}
    graded = scores | {seat: float(right) for seat, right in grades.controls.right.items()}
    rewards_ |= {seat: grades.solver(seat, score) for seat, score in graded.items()}
    rewards_ |= {judge: grades.judge(judge) for judge in grades.judge_forms}
    solvers = [seat for seat, role in t.seats.items() if role == "solver"]
    paid = (
        rewards.sides(PROPOSER, solvers, None if verdict or not grades.repeats() else rate, threshold)
        if threshold
        else rewards_
    )
    for seat, value in paid.items():
        t.pay(seat, value)
    _end(t, verdict, rate)
    forms = {} if grades.pooled else {PROPOSER: grades.form}
    idle = [seat for seat in t.seats if seat not in t.record.asked]
    t.facts |= {
        "verdict": verdict or "pass", "quality": grades.quality, "solve_rate": rate,
        "form": forms | {seat: a.form if a else 0.0 for seat, a in grades.every.items()},
        "answers": {seat: a and shown(a.text)[1:-1] for seat, a in grades.answers.items()},
        "judge_forms": grades.judge_forms, "scores": scores, "right": grades.right, "marks": grades.marks,
        "pooled": grades.pooled, "proposal": grades.proposal(), "rewards": rewards_, "idle": idle,
        **grades.controls.facts(),
    }  # fmt: skip
    if repeats:
        t.facts |= {"repeat_cost": 1.0, "repeat_once": not t.closed}
    _note(t, grades, rate)


def _end(t: Table, verdict: str, rate: float | None) -> None:
    if verdict:
        return t.end("the question was not good enough" if t.facts["task"] else "no question could be read")
    solved = "no answer could be judged" if rate is None else f"the answers scored {rate:.2f} on average"
    return t.end(solved, {seat: f"{solved}. Your reward is {paid:.2f}" for seat, paid in t.record.returns.items()})


def _note(t: Table, grades: Grades, rate: float | None) -> None:
    """Notes the outcomes: a judge is right where the exact answer agrees with its scores."""
    if not grades.pooled:
        known = grades.question is not None and grades.question.truth is not None
        t.outcome(PROPOSER, right=float(known), broke=not grades.form, solved=rate)
    for seat, right in (grades.right | grades.controls.right).items():
        t.outcome(
            seat, right=None if right is None else float(right), broke=not (a := grades.every[seat]) or not a.form
        )
    for judge in grades.judge_forms:
        agreed = [m["agrees"] for m in grades.marks if m["judge"] == judge and m["agrees"] is not None]
        t.outcome(judge, right=rewards.mean(agreed))
