"""The texts of math-duel: rules, prompts, example messages, demonstrations."""

from __future__ import annotations

from typing import Literal

from games.dialogue.messages import SHOWN
from games.game import Demonstrations
from games.native.common.controls import CONTROLLED, controlled
from games.native.common.repetition import REPEATED

CHALLENGER = "challenger"
Rules = Literal["truth", "published"]
DUTY = {
    "ask": r"Write <question>...</question> and then \boxed{its answer}",
    "vote": r"Solve it and end with \boxed{your answer}",
}
"""the instruction of each phase with free text"""
CHOOSE = "Choose the kind of the next question."
"""the instruction of a challenger that chooses a task of a source"""
CHOICE = {"ask": "Choose a question.", "vote": "Choose the answer."}
QUESTIONS = (
    r"<question>What is 17 + 25?</question> \boxed{42}",
    r"<question>What is 84 / 2 + 1?</question> \boxed{42}",
    "<question>What is 6 * 7?</question>",
)
ANSWERS = (r"\boxed{42}", r"So it is \boxed{42.0}", r"\boxed{43}", r"\boxed{no idea}", "42, I think")


def rules(solvers: int, size: int, threshold: float, tasks: str, rules: Rules) -> str:
    """Returns the rules that every seat reads."""
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
    elif tasks:
        paid = (
            "A solver is paid for a right answer. The challenger is paid most if half of the solvers are right and "
            "nothing if all or none are."
        )
    elif rules == "truth":
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
    paid = paid if rules == "published" else f"{paid} {REPEATED}"
    if controlled(solvers, size, threshold, tasks, rules == "published"):
        paid = f"{paid} {CONTROLLED}"
    return f"A challenger asks {solvers} solvers a mathematics question, and each answers alone. {form} {paid}"


def solved(question: str, answer: str) -> tuple[str, str]:
    """Returns an example turn of a solver: what it reads, what it writes."""
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
