"""prefer-v2: several answers to one task are compared in pairs; an answer earns the share of the others it beats.

After SPO (Swamy et al. 2024, arXiv 2401.04056); judges after LLaVA-Critic-R1 (arXiv 2509.00676), SPARK (arXiv
2509.22624) and RISE (Liu et al. 2025, arXiv 2505.13445). README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated

from annotated_types import Interval

from games import KnownOutcome, quote
from games.dialogue import RoleGame, Script, Stage, Table, final, letters, read, role_game
from games.dialogue.answers import CORRECTNESS
from games.dialogue.listed import Problems, listed
from games.dialogue.messages import SHOWN, said
from games.game import Seat
from games.native.common.rewards import balanced
from games.native.common.seats import seats_of
from games.native.prefer import texts
from games.native.prefer.comparisons import MOST_JUDGED, Comparison, Referee, comparisons
from games.native.prefer.policies import suite
from games.native.prefer.tables import TABLES, TableName
from games.randomness import RandomStream, derive

_EXAMPLES = ("<answer>42</answer>", "<answer>Yes</answer>", "I do not know", "42 perhaps")
Preference = Callable[[Seat, Seat], float]
"""how far one answer is preferred to another, from 0 to 1"""


def _judges(answers: int, referee: Referee, orders: int) -> dict[Seat, tuple[Comparison, ...]]:
    return comparisons(seats_of("answerer", answers), referee, orders)


def _seats(answers: int, referee: Referee, orders: int) -> dict[Seat, str]:
    judge = "answer-judge" if referee == "single" else "pair-judge"
    answerers = dict.fromkeys(seats_of("answerer", answers), "answerer")
    return answerers | dict.fromkeys(_judges(answers, referee, orders), judge)


def _problem(answers: int, table: str, referee: Referee, tasks: str, orders: int) -> str:
    if table and (referee != "exact" or tasks):
        return f"table={table} is the referee and has no tasks; leave out referee and tasks"
    if referee != "exact" and answers > MOST_JUDGED:
        return f"judges compare at most {MOST_JUDGED} answers, not {answers}; set answers to 4"
    if orders == 2 and referee != "pairs":
        return "orders=2 asks for both orders of a pair; set referee=pairs"
    return ""


def _known_outcomes(game: RoleGame) -> list[KnownOutcome]:
    right, wrong = f"It is <answer>{game.facts()['truth']}</answer>", "<answer>x</answer>"
    rows = ((right, wrong, 1.0), (wrong, "nothing", 0.5), ("", right, 0.0), (right, right, 0.5))
    return [
        KnownOutcome(0, ({"answerer_0": one, "answerer_1": other},), {"answerer_0": paid, "answerer_1": 1.0 - paid})
        for one, other, paid in rows
    ]


@role_game(
    "prefer-v2",
    seats=_seats,
    payoff=lambda referee: "constant_sum" if referee == "exact" else "general_sum",
    payoff_sum=lambda answers, referee: answers / 2 if referee == "exact" else 0.0,
    rules=lambda answers, table, referee, closed: texts.rules(answers, table, referee, closed or bool(table)),
    returns_range=lambda answers, referee: (0.0, 1.0) if referee == "exact" else (-1.0, max(1.0, answers - 1.0)),
    max_turns=lambda answers, referee, orders: answers + len(_judges(answers, referee, orders)),
    rated=lambda referee: referee == "exact",
    chance=lambda table: False if table else None,
    demonstrations=texts.demonstrations,
    source=lambda table, tasks: "" if table else tasks or "arithmetic",
    closed=lambda table, closed: closed or bool(table),
    problem=_problem,
    suite=suite,
    known=_known_outcomes,
)
def prefer(
    t: Table,
    answers: Annotated[int, Interval(ge=2, le=16)] = 2,
    table: TableName = "",
    referee: Referee = "exact",
    tasks: str = "",
    orders: Annotated[int, Interval(ge=1, le=2)] = 1,
    closed: bool = False,
    problems: Problems = 0,
) -> Script:
    """Answers to one task, compared in pairs.

    After SPO (arXiv 2401.04056); judges after LLaVA-Critic-R1 (2509.00676), SPARK (2509.22624) and RISE (2505.13445).

    answers: how many seats answer.
    table: a small table of preferences (`games.native.prefer.tables`) instead of tasks.
    referee: exact, by the verifier; pairs: a judge for each pair; single: a judge for each answer.
    tasks: the id of a task source; without one it is `arithmetic`.
    orders: 2 asks two judges about each pair, once in each order.
    closed: answers and verdicts are chosen from lists. Each answer of a list is as likely to be right.
    problems: above 0, matches are about this many tasks of the source, for tiny models.
    """
    answerers = seats_of("answerer", answers)
    reads = {judge: t.stream.choice(ways) for judge, ways in _judges(answers, referee, orders).items()}
    messages, right = yield from _answers(t, answerers, table, problems, bool(reads))
    verdicts: dict[Seat, str | None] = {}
    if reads:
        for judge, comparison in reads.items():
            _show(t, judge, comparison, messages)
        single = referee == "single"
        verdicts = yield t.ask(
            tuple(reads),
            phase="verify" if single else "compare",
            reads=partial(read, kind=CORRECTNESS if single else letters("AB")),
            examples=("correct", "incorrect") if single else ("A", "B"),
        )
    prefers = _by_table(table, messages) if table else _by_marks(right)
    if referee == "pairs":
        prefers = partial(_by_votes, reads, verdicts)
    if referee == "single":
        prefers = _by_marks({reads[judge].first: verdict == "correct" for judge, verdict in verdicts.items()})
    _pay(t, answerers, prefers)
    _pay_judges(t, reads, verdicts, right)


def _answers(
    t: Table, answerers: tuple[Seat, ...], table: str, problems: int, judged: bool
) -> Stage[tuple[dict[Seat, str], dict[Seat, bool]]]:
    """Returns the messages with the answers, and which of them are right; none for a table."""
    task = t.task(problems=problems) if t.source else None
    question = task.question if task else texts.question(table)
    t.tell("all", question, question=question)
    t.tell(answerers, texts.DUTY if task and not t.closed else "")
    options: Sequence[str] = _EXAMPLES
    if task is None:
        options = TABLES[table].options
    elif t.source and t.closed:
        options = listed(t.source, task, RandomStream(derive(t.seed, "choices")), 0 if t.pooled else problems)
    t.facts |= t.task_facts(task) if task else {"task": f"table/{table}"}
    messages: dict[Seat, str] = yield t.ask(
        answerers,
        phase=f"answer {task.kind}" if task else "choose",
        examples=options,
        waiting="No answer has been given yet.",
    )
    answers = messages if t.closed else {seat: t.read(seat, text, final) for seat, text in messages.items()}
    t.facts["answers"] = {seat: None if text is None else quote(text)[1:-1] for seat, text in answers.items()}
    right = {}
    for seat, answer in answers.items():
        if judged:
            t.quote(seat, messages[seat])  # counts a message that judges read only in part
        if task and t.source:
            right[seat] = answer is not None and t.source.verdict(task, answer).ok
            t.outcome(seat, right=float(right[seat]))
    t.facts["right"] = right
    return messages, right


def _show(t: Table, judge: Seat, comparison: Comparison, messages: Mapping[Seat, str]) -> None:
    """Shows a judge what it judges."""
    first, second = comparison
    shown = {"answer": first} if second is None else {"A": first, "B": second}
    for label, seat in shown.items():
        t.tell(judge, said(label, messages[seat]))
    shown = {label: quote(messages[seat], SHOWN)[1:-1] for label, seat in shown.items()}
    t.tell(judge, texts.CHECK if second is None else texts.BETTER, shown=shown)


def _by_table(table: str, messages: Mapping[Seat, str]) -> Preference:
    options, wins = TABLES[table]
    return lambda one, other: wins[options.index(messages[one])][options.index(messages[other])]


def _by_marks(marks: Mapping[Seat, bool]) -> Preference:
    return lambda one, other: (1.0 + marks[one] - marks[other]) / 2


def _by_votes(reads: Mapping[Seat, Comparison], verdicts: Mapping[Seat, str | None], one: Seat, other: Seat) -> float:
    """Returns the share of the judges of a pair that prefer one answer; a judge without a verdict counts half."""
    votes = [
        0.5 if verdicts[judge] is None else float((verdicts[judge] == "A") == (pair.first == one))
        for judge, pair in reads.items()
        if {*pair} == {one, other}
    ]
    return sum(votes) / len(votes)


def _pay(t: Table, answerers: tuple[Seat, ...], prefers: Preference) -> None:
    """Pays each answer the share of the others that it is preferred to."""
    for seat in answerers:
        beaten = [prefers(seat, other) for other in answerers if other != seat]
        t.pay(seat, sum(beaten) / len(beaten))


def _pay_judges(
    t: Table, reads: Mapping[Seat, Comparison], verdicts: Mapping[Seat, str | None], right: Mapping[Seat, bool]
) -> None:
    """Pays judges by the truth."""
    agrees = {judge: _agrees(pair, verdicts[judge], right) for judge, pair in reads.items()}
    for judge, (first, second) in reads.items():
        verdict, agreed = verdicts[judge], agrees[judge]
        if verdict is None:
            t.pay(judge, -1.0)
        elif second is None:
            t.pay(judge, 2 * balanced(float(agreed or False), right[first], list(right.values())) - 1)
        else:
            t.pay(judge, 0.0 if agreed is None else 1.0 if agreed else -1.0)
        t.outcome(judge, right=None if agreed is None else float(agreed))
    if reads:
        t.facts |= {"verdicts": dict(verdicts), "agrees": agrees}
        t.facts["reads"] = {judge: [seat for seat in pair if seat] for judge, pair in reads.items()}


def _agrees(pair: Comparison, verdict: str | None, right: Mapping[Seat, bool]) -> bool | None:
    """Returns whether a judge's verdict is true; None if both answers are equally right."""
    if pair.second is None:
        return verdict == ("correct" if right[pair.first] else "incorrect")
    if right[pair.first] == right[pair.second]:
        return None
    return verdict == ("A" if right[pair.first] else "B")
