"""The rules of forum, and demonstrations for small models."""

from __future__ import annotations

from games.dialogue.messages import CUT
from games.game import Demonstrations

_PAID = {
    "published": "With n = (mark - 1) / 2 the solver gets n and the evaluator gets 1 - n. A scorer gets 0. If its mark "
    "cannot be read, the scorer loses 1 and the others get 0.",
    "truth": "A solver gets 1 for a correct answer. A scorer gains if its marks are right and loses as much if they "
    "are wrong; correct and wrong answers of the match weigh the same, so that one mark for all gains nothing. If its "
    "marks cannot be read, it loses 1. An evaluator gains what the second mark is better than the first.",
}
_MARKED = {
    True: "An evaluator reads each answer and points out its errors. Then a scorer reads the answer and the evaluation "
    "and marks the answer: 3 for correct, 2 for partly correct, 1 for wrong.",
    False: "A scorer marks each answer: 3 for correct, 2 for partly correct, 1 for wrong. An evaluator reads the "
    "answer and points out its errors. Then the scorer reads the evaluation too and marks the answer again.",
}
"""whether the published rules hold -> who marks"""


def rules(agents: int, rounds: int, closed: bool, published: bool) -> str:
    """Returns the rules that every seat reads."""
    how = "Choose from the list." if closed else f"Write a few sentences; a scorer ends with its mark, one digit. {CUT}"
    paid = _PAID["published" if published else "truth"]
    return (
        f"In each of {rounds} rounds {agents} solvers answer the question at the same time. {_MARKED[published]} In "
        f"later rounds solvers see some earlier answers and evaluations. {paid}\n{how}"
    )


REMARKS = ("I find no error.", "The result is wrong.")
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
    "unaided": (
        (f'{_SUM}\n[answer] "{_RIGHT}"', "3"),
        (f'{_SUM}\n[answer] "{_WRONG}"', "1"),
    ),
    "solve": ((f"{_SUM}\n{WRITE}", _RIGHT),),
}


def demonstrations(tasks: str) -> Demonstrations:
    """Returns the example turns; about `tasks` of a source, solvers end with a tag."""
    if not tasks:
        return DEMONSTRATIONS
    return {**DEMONSTRATIONS, "solve": ((f"{_SUM}\n{WRITE_TAG}", f"{_RIGHT} <answer>11</answer>"),)}
