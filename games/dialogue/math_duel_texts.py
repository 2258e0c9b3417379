"""What math-duel-v0 is played with: the words of its phases, questions and answers of all kinds, known matches."""

from __future__ import annotations

from games.game import KnownOutcome

CHALLENGER = "challenger"
DUTY = {
    "ask": r"Write <question>...</question> and then \boxed{its answer}",
    "vote": r"Solve it and end with \boxed{your answer}",
}
"""what a seat is asked for, by phase, where any text may do"""
CHOICE = {"ask": "Choose a question.", "vote": "Choose the answer."}
QUESTIONS = (
    r"<question>What is 17 + 25?</question> \boxed{42}",
    r"<question>What is 84 / 2 + 1?</question> \boxed{42}",
    "<question>What is 6 * 7?</question>",
)
ANSWERS = (r"\boxed{42}", r"So it is \boxed{42.0}", r"\boxed{43}", r"\boxed{no idea}", "42, I think")


def rules(solvers: int, size: int, threshold: float) -> str:
    """The rules as the players read them."""
    if size:
        form = f"Questions are sums of two numbers from 0 to {size}."
    else:
        form = (
            "The challenger writes <question>a mathematical question</question> and then its answer as "
            r"\boxed{answer}. A solver thinks briefly and ends with \boxed{answer}."
        )
    if threshold:
        paid = (
            "The question must be arithmetic. The challenger wins if at least one solver gives its exact value as a "
            f"number and at most {threshold:.0%} do; otherwise the solvers win."
        )
    else:
        paid = (
            "What most solvers say counts as the answer: a solver is paid for saying it. The challenger is paid most "
            "where half of the solvers agree, nothing where all do, and loses 1 without a readable question."
        )
    return f"A challenger asks {solvers} solvers a question of mathematics; each answers alone. {form} {paid}"


_ASKED = {CHALLENGER: QUESTIONS[0]}
KNOWN: dict[str, tuple[KnownOutcome, ...]] = {
    "math-duel-v0(solvers=4)": (
        # Two of four say 42: s = 1/2, the challenger has 1 - 2 |1/2 - 1/2|; a box without a majority is worth 0.1.
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
KNOWN["math-duel-v0"] = (
    KnownOutcome(
        0,
        (_ASKED, {f"solver_{i}": r"\boxed{42}" if i < 8 else r"\boxed{no}" for i in range(10)}),
        {CHALLENGER: 0.4} | {f"solver_{i}": 1.0 if i < 8 else 0.1 for i in range(10)},
    ),
)
