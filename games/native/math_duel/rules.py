"""The rules and prompts of math-duel, demonstrations, example messages, and matches with a known outcome."""

from __future__ import annotations

from games.dialogue.messages import SHOWN
from games.game import Demonstrations, KnownOutcome

CHALLENGER = "challenger"
DUTY = {
    "ask": r"Write <question>...</question> and then \boxed{its answer}",
    "vote": r"Solve it and end with \boxed{your answer}",
}
"""the instruction of each phase with free text"""
CHOOSE = "Choose the kind of the next question."
WRITE = "Write <question>a kind of question</question> or <question>a question that a program can answer</question>"
"""the instruction of a challenger that sets tasks of a source"""
CHOICE = {"ask": "Choose a question.", "vote": "Choose the answer."}
QUESTIONS = (
    r"<question>What is 17 + 25?</question> \boxed{42}",
    r"<question>What is 84 / 2 + 1?</question> \boxed{42}",
    "<question>What is 6 * 7?</question>",
)
ANSWERS = (r"\boxed{42}", r"So it is \boxed{42.0}", r"\boxed{43}", r"\boxed{no idea}", "42, I think")


def rules(solvers: int, size: int, threshold: float, grade: str, tasks: bool = False) -> str:
    """The rules that every seat reads."""
    if size:
        form = f"Questions are sums of two numbers from 0 to {size}."
    else:
        form = (
            "The challenger writes <question>a mathematics question</question> and then its answer as "
            r"\boxed{answer}. A solver thinks briefly and ends with \boxed{answer}. Solvers read the first "
            f"{SHOWN:,} bytes of a question."
        )
    if tasks:
        form = (
            "The challenger chooses a kind of question, and a question of this kind is drawn. A solver thinks briefly "
            r"and ends with \boxed{answer}; a program knows the right answer."
        )
    must = "" if tasks else "The question must be arithmetic. "
    if threshold:
        exact = "the right answer" if tasks else "its exact value as a number"
        paid = (
            f"{must}The challenger wins if at least one solver gives {exact} and at most {threshold:.0%} of the "
            "solvers do. Otherwise the solvers win."
        )
    elif tasks and grade == "truth":
        paid = (
            "A solver is paid for a right answer. The challenger is paid most if half of the solvers are right and "
            "nothing if all or none are."
        )
    elif grade == "truth":
        paid = (
            "The question must be arithmetic, such as: What is 31 - 4 * 5? A solver is paid for its exact value, "
            "written as a number. The challenger is paid most if half of the solvers are right and nothing if all or "
            "none are, and loses 1 for a question that cannot be read or is not arithmetic."
        )
    else:
        paid = (
            "The most frequent answer counts as correct, and every solver that gives it is paid. The challenger is "
            "paid most if half of the solvers agree and nothing if all agree, and loses 1 if its question cannot be "
            "read."
        )
    return f"A challenger asks {solvers} solvers a mathematics question, and each answers alone. {form} {paid}"


def solved(question: str, answer: str) -> tuple[str, str]:
    """An example turn of a solver: what it reads, what it writes."""
    return f"The question: {question}\n{DUTY['vote']}", rf"\boxed{{{answer}}}"


_EASY, _OTHER = "What is 31 - 4 * 5?", "What is 7 * 6 + 9?"
DEMONSTRATIONS: Demonstrations = {
    "ask": (
        (DUTY["ask"], rf"<question>{_EASY}</question> \boxed{{11}}"),
        (DUTY["ask"], rf"<question>{_OTHER}</question> \boxed{{51}}"),
    ),
    "vote": (
        (f'The question: "{_EASY}"\n{DUTY["vote"]}', r"4 * 5 = 20 and 31 - 20 = 11: \boxed{11}"),
        (f'The question: "{_OTHER}"\n{DUTY["vote"]}', r"7 * 6 = 42 and 42 + 9 = 51: \boxed{51}"),
    ),
}

_ASKED = {CHALLENGER: QUESTIONS[0]}
KNOWN: dict[str, tuple[KnownOutcome, ...]] = {
    "math-duel-v0(solvers=4)": (
        # Two of four say 42: s = 1/2, so the challenger gets 1 - 2 |1/2 - 1/2|. A box without the majority gets 0.1.
        KnownOutcome(
            0,
            (
                _ASKED,
                {
                    "solver_0": r"\boxed{42}",
                    "solver_1": r"\boxed{42.0}",
                    "solver_2": r"\boxed{43}",
                    "solver_3": "no idea",
                },
            ),
            {CHALLENGER: 1.0, "solver_0": 1.0, "solver_1": 1.0, "solver_2": 0.1, "solver_3": 0.0},
        ),
        KnownOutcome(
            0,
            ({CHALLENGER: "What is 17 + 25?"},),
            {CHALLENGER: -1.0} | {f"solver_{i}": 0.0 for i in range(4)},
        ),
    ),
    "math-duel-v0(solvers=2,threshold=0.5)": (
        KnownOutcome(
            0,
            (_ASKED, {"solver_0": r"\boxed{42}", "solver_1": r"\boxed{43}"}),
            {CHALLENGER: 1.0, "solver_0": -0.5, "solver_1": -0.5},
        ),
        KnownOutcome(
            0,
            (_ASKED, {"solver_0": r"\boxed{41}", "solver_1": r"\boxed{43}"}),
            {CHALLENGER: -1.0, "solver_0": 0.5, "solver_1": 0.5},
        ),
    ),
    "math-duel-v0(solvers=2,size=2)": (
        KnownOutcome(
            0,
            ({CHALLENGER: "1 + 2"}, {"solver_0": "3", "solver_1": "4"}),
            {CHALLENGER: 1.0, "solver_0": 1.0, "solver_1": 0.1},
        ),
    ),
}
KNOWN["math-duel-v1(solvers=4)"] = (
    # The majority is wrong: one of four is right, so the challenger gets 2 / 4.
    KnownOutcome(
        0,
        (_ASKED, {"solver_0": r"\boxed{42}"} | {f"solver_{i}": r"\boxed{0}" for i in (1, 2, 3)}),
        {CHALLENGER: 0.5, "solver_0": 1.0} | {f"solver_{i}": 0.1 for i in (1, 2, 3)},
    ),
    KnownOutcome(
        0,
        ({CHALLENGER: r"<question>1 or 2?</question> \boxed{1}"},),
        {CHALLENGER: -1.0} | {f"solver_{i}": 0.0 for i in range(4)},
    ),
)
KNOWN["math-duel-v1"] = (
    KnownOutcome(
        0,
        (_ASKED, {f"solver_{i}": r"\boxed{42}" if i < 8 else r"\boxed{no}" for i in range(10)}),
        {CHALLENGER: 0.4} | {f"solver_{i}": 1.0 if i < 8 else 0.1 for i in range(10)},
    ),
)
KNOWN["math-duel-v0"] = (
    KnownOutcome(
        0,
        (_ASKED, {f"solver_{i}": r"\boxed{42}" if i < 8 else r"\boxed{no}" for i in range(10)}),
        {CHALLENGER: 0.4} | {f"solver_{i}": 1.0 if i < 8 else 0.1 for i in range(10)},
    ),
)
