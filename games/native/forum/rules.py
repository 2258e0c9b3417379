"""The rules of forum, demonstrations for small models, and matches with a known outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.dialogue.messages import CUT
from games.game import Demonstrations, KnownOutcome

_PAID = {
    "mark": "With n = (mark - 1) / 2 the solver gets n and the evaluator gets 1 - n. A scorer gets 0. If its mark "
    "cannot be read, the scorer loses 1 and the others get 0.",
    "truth": "A solver gets 1 for a correct answer. Evaluator and scorer gain if the mark is right and lose as much if "
    "it is wrong; correct and wrong answers of the match weigh the same, so that one mark for all gains nothing. A "
    "scorer whose mark cannot be read loses 1.",
}


def rules(agents: int, rounds: int, closed: bool, grade: str) -> str:
    """The rules that every seat reads."""
    how = "Choose from the list." if closed else f"Write a few sentences; a scorer ends with its mark, one digit. {CUT}"
    return (
        f"In each of {rounds} rounds {agents} solvers answer the question at the same time. An evaluator reads each "
        "answer and points out its errors. Then a scorer reads the answer and the evaluation and marks the answer: 3 "
        "for correct, 2 for partly correct, 1 for wrong. In later rounds solvers see some earlier answers and "
        f"evaluations. {_PAID[grade]}\n{how}"
    )


WRITE = "Write your answer. The last number in it counts."
WRITE_TAG = "Write your answer, and end with <answer>the answer alone</answer>."
_SUM = "What is 31 - 4 * 5?"
_RIGHT, _WRONG = "4 * 5 = 20 and 31 - 20 = 11.", "31 - 4 = 27 and 27 * 5 = 135."
DEMONSTRATIONS: Demonstrations = {
    "evaluate": (
        (f'{_SUM}\n[answer] "{_RIGHT}"', "I find no error."),
        (f'{_SUM}\n[answer] "{_WRONG}"', "4 * 5 comes first, so the result is wrong."),
    ),
    "score": (
        (f'{_SUM}\n[answer] "{_RIGHT}"\n[evaluation] "I find no error."', "3"),
        (f'{_SUM}\n[answer] "{_WRONG}"\n[evaluation] "4 * 5 comes first."', "1"),
    ),
    "solve": ((f"{_SUM}\n{WRITE}", _RIGHT),),
}


def demonstrations(tasks: bool) -> Demonstrations:
    """The example turns; for `tasks` of a source, solvers end with a tag."""
    if not tasks:
        return DEMONSTRATIONS
    return {**DEMONSTRATIONS, "solve": ((f"{_SUM}\n{WRITE_TAG}", f"{_RIGHT} <answer>11</answer>"),)}


PUBLISHED = tuple(
    KnownOutcome(
        0,
        ({"solver_0": "It is 7."}, {"evaluator_0": "No."}, {"scorer_0": text}),
        {"solver_0": a, "evaluator_0": b, "scorer_0": c},
    )
    for text, a, b, c in (
        ("3", 1.0, 0.0, 0.0),
        ("2", 0.5, 0.5, 0.0),
        ("<score>1</score>", 0.0, 1.0, 0.0),
        ("2 or 3", 0.0, 0.0, -1.0),
    )
)
"""for one agent of each kind and one round"""

# Seed 0 asks for a number that 7 is not: all answers are wrong, so marks have nothing to tell apart.
BY_TRUTH = tuple(
    KnownOutcome(
        0,
        ({"solver_0": "It is 7."}, {"evaluator_0": "No."}, {"scorer_0": text}),
        {"solver_0": 0.0, "evaluator_0": 0.0, "scorer_0": paid},
    )
    for text, paid in (("3", 0.0), ("1", 0.0), ("no mark", -1.0))
)
KNOWN: Mapping[str, Sequence[KnownOutcome]] = {
    "forum-v0(agents=1,rounds=1)": PUBLISHED,
    "forum-v1(agents=1,rounds=1)": BY_TRUTH,
    "forum-v2(agents=1,rounds=1)": BY_TRUTH,
}
