"""The texts of debate: rules and demonstrations for small models."""

from __future__ import annotations

from games.dialogue.messages import CUT
from games.game import Demonstrations

JUDGE = "judge"
CONTINUE = "continue"
_NINE = "What is 4 + 5?\nA: 9\nB: 10"
_TEN = "What is 3 + 7?\nA: 9\nB: 10"
_LAST = "This is the last round."
DEMONSTRATIONS: Demonstrations = {
    "argue": (
        (f"{_NINE}\nYou argue for answer A.\n{_LAST}", "A: Five more than four is nine."),
        (f"{_TEN}\nYou argue for answer B.\n{_LAST}", "B: Three and seven make ten."),
    ),
    "judge": (
        (f'{_NINE}\n[debater_0, for A] "Count on."\n[debater_1, for B] "Trust me."\n{_LAST}', "A"),
        (f'{_TEN}\n[debater_0, for B] "Count on."\n[debater_1, for A] "Trust me."\n{_LAST}', "B"),
    ),
}


def rules(debaters: int, rounds: int, closed: bool) -> str:
    """Returns the rules that every seat reads."""
    how = "Choose from the list." if closed else f"A speech is a few sentences. {CUT}"
    return (
        f"A question has {debaters} possible answers, one of them correct, and one debater for each answer. In each of "
        f"at most {rounds} rounds all debaters speak at the same time. Then the judge ends its message with a "
        "letter, which names an answer and ends the debate, or with the word continue. The judge gets 1 if it names "
        f"the correct answer and loses 1 if it names a wrong one, or none after the last round. "
        f"A debater argues for its own answer and wins if the judge names it.\n{how}"
    )
