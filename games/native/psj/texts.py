"""The rules and prompts of psj, demonstrations and example messages."""

from __future__ import annotations

from games.dialogue.messages import SHOWN
from games.game import Demonstrations
from games.native.common.controls import CONTROLLED, controlled
from games.native.common.repetition import REPEATED

DUTY = {
    "propose": "Write your question: <question>...</question>",
    "question": "How good is this question? Answer from <score>1</score> to <score>10</score>",
    "solve": "Answer the question: <answer>...</answer>",
    "answer": "How right is this answer? Answer from <score>1</score> to <score>10</score>",
}
"""the instruction of each phase with free text"""
CHOICE = {
    "propose": "Choose a question.",
    "solve": "Choose the answer.",
    "answer": "How right is this answer? Choose a score.",
}
"""the instruction of each phase with listed actions"""
SCORES = tuple(str(n) for n in range(1, 11))
QUESTIONS = (
    "<question>What is 17 + 25?</question>",
    "<question>What is 12 * 11 - 40?</question>",
    "<question>Which planet of the sun has the shortest year?</question>",
    "What is 3 + 4?",
)
ANSWERS = ("<answer>42</answer>", "<answer>I do not know</answer>", "Let me see, 42 perhaps")
SCORED = ("<score>9</score>", "<score>10</score>", "<score>8</score>", "<score>2</score>", "A fine thing, 8 of 10")


CHOOSE = "Choose the kind of the next question."
_SOLVE = "A solver thinks briefly and then writes <answer>the answer</answer>; a program grades it."
_TASKS = {
    "choose": ("The proposer chooses a kind of question, and a question of this kind is drawn.", _SOLVE),
    "write": (
        "The proposer writes <question>a kind of question</question>, and a question of this kind is drawn, or "
        "<question>a question of its own</question>, which a program must be able to answer.",
        _SOLVE,
    ),
}
"""how questions are set if they come from a task source"""
_WRITES = (
    "The proposer writes <question>the question</question> with all that is needed to answer it and nothing "
    "else. A solver thinks briefly and then writes <answer>the answer</answer>. Others read the first "
    f"{SHOWN:,} bytes of a question or an answer."
)
_ARITHMETIC = (
    "The question must be arithmetic, such as: What is 7 * 8 - 5? The right answer is its exact value, written "
    "as a number."
)
_SCORE = (
    "A judge is strict and writes <score>n</score> with n from 1 to 10: 1 to 3 for wrong or useless, 4 to 7 "
    "for partly right, 8 to 10 for right and complete."
)
_CHOSEN_SCORE = "A judge scores one answer: 10 if it is right, 1 if it is wrong."
_MATCH = "The proposer wins if some answers are right and at most {:.0%} of the answers are. Otherwise the solvers win."
_PAID = "The proposer is paid for a good question that {} can answer, a solver for a right answer."


def rules(solvers: int, judges: int, published: bool, size: int, threshold: float, tasks: str = "") -> str:
    """Returns the rules that every seat reads."""
    also = f" and {judges} judges" if judges else ""
    verb = "sets" if tasks else "writes"
    lines = [f"A proposer {verb} one question for {solvers} solvers{also}. Each solver answers it alone."]
    if tasks:
        lines += _TASKS[tasks]
    elif size:
        lines.append(f"Questions are sums of two numbers from 0 to {size}.")
    else:
        lines.append(_WRITES)
    if not (published or size or tasks):
        lines.append(_ARITHMETIC)
    if judges:
        lines.append(_CHOSEN_SCORE if size else _SCORE)
    few = "few" if published else "some of the solvers, but only few,"
    lines.append(_MATCH.format(threshold) if threshold else _PAID.format(few))
    if not published:
        lines.append(REPEATED)
    if controlled(solvers, size, threshold, tasks, published):
        lines.append(CONTROLLED)
    return " ".join(lines)


def solved(question: str, answer: str) -> tuple[str, str]:
    """Returns an example turn of a solver: what it reads, what it writes."""
    return f"The question: {question}\n{DUTY['solve']}", f"<answer>{answer}</answer>"


_EASY, _OTHER = "What is 31 - 4 * 5?", "What is 7 * 6 + 9?"


def _asked(question: str, duty: str) -> str:
    return f'The question: "{question}"\n{duty}'


DEMONSTRATIONS: Demonstrations = {
    "propose": (
        (DUTY["propose"], f"<question>{_EASY}</question>"),
        (DUTY["propose"], f"<question>{_OTHER}</question>"),
    ),
    "question": (
        (_asked(_EASY, DUTY["question"]), "<score>9</score>"),
        (_asked("Is it?", DUTY["question"]), "<score>1</score>"),
    ),
    "solve": (
        (_asked(_EASY, DUTY["solve"]), "<answer>11</answer>"),
        (_asked(_OTHER, DUTY["solve"]), "<answer>51</answer>"),
    ),
    "answer": (
        (_asked(_EASY, f'An answer: "11"\n{DUTY["answer"]}'), "<score>10</score>"),
        (_asked(_OTHER, f'An answer: "49"\n{DUTY["answer"]}'), "<score>1</score>"),
    ),
}
