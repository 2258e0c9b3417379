"""The rules and prompts of psj-v0, demonstrations, example messages, and matches with a known outcome."""

from __future__ import annotations

from games.game import Demonstrations, KnownOutcome
from games.native.common.messages import SHOWN

WHO = {"propose": "the proposer", "question": "the judges", "solve": "the solvers", "answer": "the judges"}
DUTY = {
    "propose": "Write your question: <question>...</question>",
    "question": "How good is this question? Answer from <score>1</score> to <score>10</score>",
    "solve": "Answer the question: <answer>...</answer>",
    "answer": "An answer: {answer}\nHow right is this answer? Answer from <score>1</score> to <score>10</score>",
}
"""the instruction of each phase with free text"""
CHOICE = {
    "propose": "Choose a question.",
    "solve": "Choose the answer.",
    "answer": "An answer: {answer}\nHow right is this answer? Choose a score.",
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


def rules(
    solvers: int, judges: int, grade: str, size: int, threshold: float, zero_at_zero: bool, tasks: str = ""
) -> str:
    """The rules that every seat reads."""
    also = f" and {judges} judges" if judges else ""
    verb = "sets" if tasks else "writes"
    lines = [f"A proposer {verb} one question for {solvers} solvers{also}. Each solver answers it alone."]
    if tasks:
        lines += _TASKS[tasks]
    elif size:
        lines.append(f"Questions are sums of two numbers from 0 to {size}.")
    else:
        lines.append(
            "The proposer writes <question>the question</question> with all that is needed to answer it and nothing "
            "else. A solver thinks briefly and then writes <answer>the answer</answer>. Others read the first "
            f"{SHOWN:,} bytes of a question or an answer."
        )
    if grade == "truth" and not size and not tasks:
        lines.append(
            "The question must be arithmetic, such as: What is 7 * 8 - 5? The right answer is its exact value, written "
            "as a number."
        )
    if judges and not size:
        lines.append(
            "A judge is strict and writes <score>n</score> with n from 1 to 10: 1 to 3 for wrong or useless, 4 to 7 "
            "for partly right, 8 to 10 for right and complete."
        )
    elif judges:
        lines.append("A judge scores one answer: 10 if it is right, 1 if it is wrong.")
    if threshold:
        lines.append(
            f"The proposer wins if at least one answer is right and at most {threshold:.0%} of the answers are. "
            "Otherwise the solvers win."
        )
    else:
        few = "at least one of the solvers, but only few," if zero_at_zero else "few"
        lines.append(f"The proposer is paid for a good question that {few} can answer, a solver for a right answer.")
    return " ".join(lines)


def solved(question: str, answer: str) -> tuple[str, str]:
    """An example turn of a solver: what it reads, what it writes."""
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
        (_asked(_EASY, DUTY["answer"].format(answer='"11"')), "<score>10</score>"),
        (_asked(_OTHER, DUTY["answer"].format(answer='"49"')), "<score>1</score>"),
    ),
}

KNOWN: dict[str, tuple[KnownOutcome, ...]] = {
    # A judge scores the question 10, so q = 1; the answers score 10 and 1, so p = 1/2: (1 + 1/2 + 1) / 3.
    "psj-v0(solvers=2)": (
        KnownOutcome(
            0,
            (
                {"proposer": "<question>What is 17 + 25?</question>"},
                {"judge_0": "<score>10</score>"},
                {"solver_0": "<answer>42</answer>", "solver_1": "<answer>43</answer>"},
                {"judge_0": "<score>10</score>", "judge_1": "<score>1</score>"},
            ),
            {"proposer": 2.5 / 3, "solver_0": 1.0, "solver_1": 0.5, "judge_0": 1.0, "judge_1": 1.0},
        ),
        # Without the tag there is no question, so nobody else acts.
        KnownOutcome(
            0,
            ({"proposer": "What is 17 + 25?"},),
            {"proposer": 0.0, "solver_0": 0.0, "solver_1": 0.0, "judge_0": 0.0, "judge_1": 0.0},
        ),
    ),
    "psj-v0(solvers=2,threshold=0.5)": (
        KnownOutcome(
            0,
            (
                {"proposer": "<question>What is 17 + 25?</question>"},
                {"solver_0": "<answer>42</answer>", "solver_1": "no idea"},
            ),
            {"proposer": 1.0, "solver_0": -0.5, "solver_1": -0.5},
        ),
        KnownOutcome(
            0,
            (
                {"proposer": "<question>What is 17 + 25?</question>"},
                {"solver_0": "<answer>42</answer>", "solver_1": "<answer>42.0</answer>"},
            ),
            {"proposer": -1.0, "solver_0": 0.5, "solver_1": 0.5},
        ),
        KnownOutcome(
            0,
            ({"proposer": "<question>Who was that?</question>"},),
            {"proposer": -1.0, "solver_0": 0.5, "solver_1": 0.5},
        ),
    ),
}
KNOWN["psj-v0"] = (
    KnownOutcome(
        0,
        ({"proposer": "What is 17 + 25?"},),
        {"proposer": 0.0} | {f"{r}_{i}": 0.0 for r in ("solver", "judge") for i in range(4)},
    ),
    KnownOutcome(
        0,
        (
            {"proposer": "<question>What is 17 + 25?</question>"},
            {"judge_0": "<score>8</score>"},
            {"solver_0": "<answer>42</answer>"} | {f"solver_{i}": "no idea" for i in (1, 2, 3)},
            {"judge_0": "<score>2</score>"},
        ),
        # q = 7/9; the answers score 1/9, 0, 0, 0, so p = 1/36. The judge kept the format but misjudged the answer.
        {"proposer": (7 / 9 + 35 / 36 + 1) / 3, "solver_0": 0.5 / 9 + 0.5, "judge_0": 0.5}
        | {f"solver_{i}": 0.0 for i in (1, 2, 3)}
        | {f"judge_{i}": 0.0 for i in (1, 2, 3)},
    ),
)
KNOWN["psj-v1(solvers=2)"] = (
    # p = 1/2; each judge alone judged an answer of its kind.
    KnownOutcome(
        0,
        (
            {"proposer": "<question>What is 17 + 25?</question>"},
            {"solver_0": "<answer>42</answer>", "solver_1": "<answer>43</answer>"},
            {"judge_0": "<score>10</score>", "judge_1": "<score>9</score>"},
        ),
        {"proposer": 2.5 / 3, "solver_0": 1.0, "solver_1": 0.1, "judge_0": 1.0, "judge_1": 0.5},
    ),
    # Nobody is right, so difficulty pays nothing, and the judges have nothing to tell apart.
    KnownOutcome(
        0,
        (
            {"proposer": "<question>What is 17 + 25?</question>"},
            {"solver_0": "<answer>41</answer>", "solver_1": "<answer>43</answer>"},
            {"judge_0": "<score>10</score>", "judge_1": "<score>1</score>"},
        ),
        {"proposer": 2 / 3, "solver_0": 0.1, "solver_1": 0.1, "judge_0": 0.75, "judge_1": 0.75},
    ),
)
KNOWN["psj-v1"] = (
    KnownOutcome(
        0,
        ({"proposer": "<question>Is it?</question>"},),
        {"proposer": 1 / 3} | {f"{r}_{i}": 0.0 for r in ("solver", "judge") for i in range(4)},
    ),
)
KNOWN["psj-v0(solvers=2,size=2)"] = (
    # One of two is right, p = 1/2. judge_0 is right about the right answer, judge_1 undecided about the wrong one.
    KnownOutcome(
        0,
        (
            {"proposer": "2 + 1"},
            {"solver_0": "3", "solver_1": "4"},
            {"judge_0": "10", "judge_1": "5"},
        ),
        {"proposer": 2.5 / 3, "solver_0": 1.0, "solver_1": 0.5, "judge_0": 1.0, "judge_1": 0.5},
    ),
)
