"""The texts of critic: rules and demonstrations for small models."""

from __future__ import annotations

from games.game import Demonstrations

SNEAKY, CRITIC = "sneaky", "critic"
_ADD = "Problem: Start with 3. Add 4. What is the result?\nSolution so far:\n(nothing yet)"
_TWO = "Problem: Start with 10. Subtract 2. Multiply by 5. What is the result?\nSolution so far:\n10 - 2 = 8"
DEMONSTRATIONS: Demonstrations = {
    "judge": (
        (f"{_ADD}\nThe step to judge: 3 + 4 = 8", "incorrect"),
        (f"{_TWO}\nThe step to judge: 8 * 5 = 40", "correct"),
    ),
    "spoil": (
        (f"{_ADD}\nThe correct next step: 3 + 4 = 7", "3 + 4 = 8"),
        (f"{_TWO}\nThe correct next step: 8 * 5 = 40", "8 * 5 = 45"),
    ),
}

_SUM, _WORD = "Problem: What is 7 + 8?", "Problem: Sort these words: pear, apple, fig"
ANSWERS: Demonstrations = {
    "judge": (
        (f"{_SUM}\nThe answer to judge: 16", "incorrect"),
        (f"{_WORD}\nThe answer to judge: apple, fig, pear", "correct"),
    ),
    "spoil": (
        (f"{_SUM}\nThe correct answer: 15", "<answer>14</answer>"),
        (f"{_WORD}\nThe correct answer: apple, fig, pear", "<answer>apple, pear, fig</answer>"),
    ),
}
"""demonstrations for tasks of a source"""


def rules(closed: bool) -> str:
    """Returns the rules that every seat reads."""
    how = "Choose from the list." if closed else "The last line of the sneaky player is its step, such as 3 + 4 = 8."
    return (
        "An arithmetic problem is solved step by step; each step has the form 3 + 4 = 7. The sneaky player is given "
        "the correct next step and writes a wrong step that looks correct. It loses 1 if what it writes is correct or "
        "is not a step. The critic is shown the problem, the solution so far and one step, which is either the correct "
        "step or the step of the sneaky player, and ends its message with its verdict: correct or incorrect. The "
        "critic gets 1 if it is right and loses 1 if it is wrong or gives no verdict. The sneaky player gets 1 if the "
        f"critic accepts its wrong step and loses 1 if the critic finds it.\n{how}"
    )


def answer_rules(closed: bool) -> str:
    """Returns the rules for tasks of a source."""
    how = "Choose from the list." if closed else "The sneaky player ends with <answer>its wrong answer</answer>."
    return (
        "The sneaky player is given a problem and the correct answer, and writes a wrong answer that looks correct. It "
        "loses 1 if what it writes is correct or is not an answer. The critic is shown the problem and one answer, "
        "which is either the correct one or that of the sneaky player, and ends its message with its verdict: correct "
        "or incorrect. The critic gets 1 if it is right and loses 1 if it is wrong or gives no verdict. The sneaky "
        "player gets 1 if the critic accepts its wrong answer and loses 1 if the critic finds it.\n" + how
    )
