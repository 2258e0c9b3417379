"""The words of psj-v0: its rules, some messages for bots, matches worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.game import KnownOutcome

if TYPE_CHECKING:
    from games.dialogue.psj_settings import Settings

WHO = {"propose": "the proposer", "question": "the judges", "solve": "the solvers", "answer": "the judges"}
DUTY = {
    "propose": "Write your question: <question>...</question>",
    "question": "How good is this question? <score>1</score> to <score>10</score>",
    "solve": "Answer the question: <answer>...</answer>",
    "answer": "An answer to it: {answer}\nHow right is this answer? <score>1</score> to <score>10</score>",
}
"""what a seat is asked for, by phase, where any text may do"""
CHOICE = {
    "propose": "Choose a question.",
    "solve": "Choose the answer.",
    "answer": "An answer to it: {answer}\nHow right is this answer? Choose a score.",
}
"""the same where one of several is chosen"""
SCORES = tuple(str(n) for n in range(1, 11))
QUESTIONS = (
    "<question>What is 17 + 25?</question>",
    "<question>What is 12 * 11 - 40?</question>",
    "<question>Which planet of the sun has the shortest year?</question>",
    "What is 3 + 4?",
)
ANSWERS = ("<answer>42</answer>", "<answer>I do not know</answer>", "Let me see, 42 perhaps")
SCORED = ("<score>9</score>", "<score>10</score>", "<score>8</score>", "<score>2</score>", "A fine thing, 8 of 10")


def rules(game: Settings) -> str:
    """What every seat is told once."""
    judges = f" and {len(game.judges)} judges" if game.judges else ""
    lines = [
        f"A proposer writes one question for {game.k} solvers{judges}. The solvers answer it, each alone.",
    ]
    if game.size:
        lines.append(f"Questions are sums of two numbers from 0 to {game.size}.")
    else:
        lines.append(
            "The proposer writes <question>the question</question>: all that is needed to answer it, nothing else. "
            "A solver thinks briefly, then writes <answer>the answer</answer>."
        )
    if game.grade == "truth" and not game.size:
        lines.append(
            "The question must be arithmetic, such as: What is 7 * 8 - 5? Its exact value, written as a number, is the "
            "answer."
        )
    if game.judges and not game.size:
        lines.append(
            "A judge reads strictly and writes <score>n</score>, n from 1 to 10: 1 to 3 wrong or useless, 4 to 7 "
            "partly right, 8 to 10 right and complete."
        )
    elif game.judges:
        lines.append("A judge scores one answer: 10 for a right one, 1 for a wrong one.")
    if game.threshold:
        lines.append(
            f"The proposer wins if at least one answer is right and at most {game.threshold:.0%} are; otherwise the "
            "solvers win."
        )
    else:
        lines.append("A proposer is paid for a good question that few answer well, a solver for a right answer.")
    return " ".join(lines)


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
        # No tag, no question: nobody else has anything to do.
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
        # q = 7/9; answers score 1/9, 0, 0, 0, so p = 1/36. The judge kept the form twice and misjudged the answer.
        {"proposer": (7 / 9 + 35 / 36 + 1) / 3, "solver_0": 0.5 / 9 + 0.5, "judge_0": 0.5}
        | {f"solver_{i}": 0.0 for i in (1, 2, 3)}
        | {f"judge_{i}": 0.0 for i in (1, 2, 3)},
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
