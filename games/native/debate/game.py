"""debate-v2: debaters argue for answers to a question before a judge, who may stop early and names an answer.

After multi-agent debate (Du et al. 2023, arXiv 2305.14325) and MAD (Liang et al. 2023, arXiv 2305.19118). README.md
says what differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from annotated_types import Interval

from games import InputError, KnownOutcome
from games.dialogue import RoleGame, Script, Table, letters, read, role_game
from games.game import Seat
from games.native.common.own_questions import answer_to, answers_beside
from games.native.common.seats import seats_of
from games.native.debate.policies import SUITE
from games.native.debate.texts import CONTINUE, DEMONSTRATIONS, JUDGE, rules
from games.randomness import derive
from games.verifiers.arithmetic import question

_TRIES = 20
"""draws until a task has enough wrong answers"""
_SPEECHES = ("I worked it out twice.", "The others are wrong.")


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    debaters = [seat for seat, role in game.spec.seats.items() if role == "debater"]
    speeches: dict[Seat, str] = dict.fromkeys(debaters, "Trust me.")
    side = {game.data(seat)["side"]: seat for seat in debaters}
    right = game.facts()["right"]
    wrong = next(letter for letter in side if letter != right)
    won = {side[right]: 1.0, side[wrong]: -1.0}
    lost = {seat: -value for seat, value in won.items()}
    silent = dict.fromkeys(won, 0.0)
    return (
        KnownOutcome(0, (speeches, {JUDGE: right}), won | {JUDGE: 1.0}),
        KnownOutcome(0, (speeches, {JUDGE: f"Answer {wrong}."}), lost | {JUDGE: -1.0}),
        KnownOutcome(0, (speeches, {JUDGE: CONTINUE}, speeches, {JUDGE: right}), won | {JUDGE: 1.0}),
        KnownOutcome(0, (speeches, {JUDGE: "A and B"}, speeches, {JUDGE: CONTINUE}), silent | {JUDGE: -1.0}),
    )


@role_game(
    "debate-v2",
    seats=lambda debaters: dict.fromkeys(seats_of("debater", debaters), "debater") | {JUDGE: "debate-judge"},
    payoff="general_sum",
    rules=rules,
    max_turns=lambda debaters, rounds: rounds * (debaters + 1),
    demonstrations=DEMONSTRATIONS,
    source=lambda tasks: tasks,
    closed=True,
    suite=lambda tasks: None if tasks else SUITE,
    known=_known_outcomes,
)
def debate(
    t: Table,
    debaters: Annotated[int, Interval(ge=2, le=4)] = 2,
    rounds: Annotated[int, Interval(ge=1, le=10)] = 2,
    tasks: str = "",
) -> Script:
    """Debaters argue for answers to a question, and a judge decides.

    Each argues for its own answer and gets 1 if the judge names it, else -1 / (debaters - 1).

    `debaters`: one for each possible answer. `rounds`: speeches of each. `closed`: speeches and verdicts are chosen
    from lists. `tasks`: the id of a task source (`games.tasks`), whose verifier says which answers are wrong; the
    wrong ones are answers to similar tasks.
    """
    asked, truth, texts = _task(t, debaters) if tasks else _own_question(t, debaters)
    answers = dict(zip("ABCD", texts, strict=False))
    right = next(letter for letter, text in answers.items() if text == truth)
    seats = tuple(seat for seat in t.seats if seat != JUDGE)
    stances = dict(zip(seats, t.stream.shuffled(list(answers)), strict=True))
    speeches: list[tuple[str, str]] = []
    lines = "\n".join([asked, *(f"{letter}: {text}" for letter, text in answers.items())])
    t.tell("all", lines, question=asked, answers=answers, speeches=speeches)
    for seat, letter in stances.items():
        t.tell(seat, f"You argue for answer {letter}.", side=letter)
    t.facts |= {"question": asked, "truth": truth, "right": right, "stances": stances, "verdict": None, "rounds": 0}
    verdict = None
    for left in range(rounds, 0, -1):
        prompt = "This is the last round." if left == 1 else f"{left} rounds are left, including this one."
        listed = {seat: [f"{stances[seat]}: {text}" for text in _SPEECHES] for seat in seats}
        messages = yield t.ask(seats, prompt, phase="argue", examples=listed, waiting=prompt)
        for seat, text in messages.items():
            if speech := t.say(seat, text, name=f"{seat}, for {stances[seat]}"):
                speeches.append((stances[seat], speech))
        options = (*answers, CONTINUE) if left > 1 else tuple(answers)
        text = yield t.ask(JUDGE, prompt, phase="judge", examples=options, waiting=prompt)
        letter = t.read(JUDGE, text, lambda text: read(text, letters("".join(answers), CONTINUE)))
        verdict = letter if letter in answers else None
        t.tell("all", f"[{JUDGE}] names {verdict or 'no answer'}")
        t.facts["rounds"] = rounds - left + 1
        if verdict:
            break
    for seat, stance in stances.items():
        t.pay(seat, 0.0 if verdict is None else 1.0 if stance == verdict else -1.0 / (debaters - 1))
        t.outcome(seat, right=float(stance == right))
    t.pay(JUDGE, 1.0 if verdict == right else -1.0)
    t.outcome(JUDGE, right=float(verdict == right), broke=verdict is None)
    t.facts["verdict"] = verdict
    t.end(f"the judge named {verdict or 'no answer'}")


def _own_question(t: Table, debaters: int) -> tuple[str, str, Sequence[str]]:
    """Returns a question, its answer, and an answer for each debater in random order."""
    asked = question(t.stream)
    return asked, answer_to(asked), answers_beside(asked, debaters - 1, t.stream)


def _task(t: Table, debaters: int) -> tuple[str, str, Sequence[str]]:
    """Returns the question and the answer of a task of the source, and an answer for each debater."""
    assert t.source is not None
    for attempt in range(_TRIES):
        task = t.task() if t.pooled else t.source.draw(derive(t.seed, attempt))
        texts = t.source.fair_choices(task, t.stream, debaters - 1)
        if len(texts) == debaters:
            t.facts |= {"task": task.id, "kind": str(task.kind), "pooled": bool(t.pooled)}
            return task.question, task.answer, texts
    raise InputError(
        f"{t.source.id} gave fewer than {debaters - 1} wrong answers to each of {_TRIES} tasks; debate needs as many "
        "to argue for, and leaves out those that its verifier passes"
    )
