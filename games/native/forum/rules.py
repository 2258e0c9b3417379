"""The rules of forum-v0, demonstrations for small models, and matches with a known outcome."""

from __future__ import annotations

from games.game import Demonstrations, KnownOutcome
from games.native.common.messages import CUT


def rules(agents: int, rounds: int, closed: bool) -> str:
    """The rules that every seat reads."""
    how = "Choose from the list." if closed else f"Write a few sentences; a scorer ends with its mark, one digit. {CUT}"
    return (
        f"In each of {rounds} rounds {agents} solvers answer the question at the same time. An evaluator reads each "
        "answer and points out its errors. Then a scorer reads the answer and the evaluation and marks the answer: 3 "
        "for correct, 2 for partly correct, 1 for wrong. In later rounds solvers see some earlier answers and "
        "evaluations. With n = (mark - 1) / 2 the solver gets n and the evaluator gets 1 - n. A scorer gets 0. If its "
        f"mark cannot be read, the scorer loses 1 and the others get 0.\n{how}"
    )


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
    "solve": ((f"{_SUM}\nWrite your answer. The last number in it counts.", _RIGHT),),
}

KNOWN = tuple(
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
