"""The rules of critic-v0 and demonstrations for small models."""

from __future__ import annotations

from games.game import Demonstrations


def rules(closed: bool) -> str:
    """The rules that every seat reads."""
    how = "Choose from the list." if closed else "The last line of the sneaky player is its step, such as 3 + 4 = 8."
    return (
        "An arithmetic problem is solved step by step; each step has the form 3 + 4 = 7. The sneaky player is given "
        "the correct next step and writes a wrong step that looks correct. It loses 1 if what it writes is correct or "
        "is not a step. The critic is shown the problem, the solution so far and one step, which is either the correct "
        "step or the step of the sneaky player, and ends its message with its verdict: correct or incorrect. The "
        "critic gets 1 if it is right and loses 1 if it is wrong or gives no verdict. The sneaky player gets 1 if the "
        f"critic accepts its wrong step and loses 1 if the critic finds it.\n{how}"
    )


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
