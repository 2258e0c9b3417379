"""The texts of refine: rules, duties, example messages, demonstrations."""

from __future__ import annotations

from collections.abc import Container

import games.tasks
from games.dialogue.messages import CUT, said
from games.game import Demonstrations
from games.native.common.examples import TaskExamples

SOLVER, SNEAKY, CRITIC, READER = "solver", "sneaky", "critic", "reader"
ANSWERS = ("<answer>42</answer>", "<answer>Yes</answer>", "I do not know", "42 perhaps")
VERDICTS = ("correct", "incorrect")
CRITIQUES = ("It is fine. correct", "It is too small. incorrect", "Hm.")
DUTY = "Think briefly, then write <answer>your answer</answer>"
SPOIL = "Write a wrong answer that looks right: <answer>your wrong answer</answer>"
JUDGE = "Say which step is wrong, if one is, and end with correct or incorrect."
FINISH = f"The draft may be wrong. {DUTY}"
REFINE = f"The earlier answer may be wrong. {DUTY}"
BLIND = f"You do not know the question. {DUTY}"

VERDICT = 0.1
"""what a true verdict pays beside what the critique is worth"""

UNTOLD = (
    ", minus 1 if a reader is right, who knows this answer and the critique, but not the question. So it earns nothing "
    "by telling the right answer or how far away it is. The reader gets 1 if it is right and this answer is not"
)


def verdict_pays(seats: Container[str]) -> float:
    """Returns what a true verdict pays: 1 in a closed game, which has no reader, where a critique is nothing else."""
    return VERDICT if READER in seats else 1.0


def rules(sneaky: bool, critic: bool, rollouts: int, rounds: int, closed: bool) -> str:
    """Returns the rules that every seat reads."""
    text = "A solver answers a question and gets 1 for a right answer. "
    if sneaky:
        text += (
            "In half of the matches a right answer goes on, in the others a wrong one. If the solver's answer is of "
            "the other kind, the right answer takes its place, or that of the sneaky player, who is given the right "
            "answer and writes a wrong one. It gets 1 if the critic accepts what it wrote. It loses 1 if the critic "
            "does not, and also if what it wrote is right or is not an answer. "
        )
    if rollouts:
        text += (
            "Completers finish the sneaky player's draft and the right one; a wrong draft that does not mislead them "
            "counts as no answer. "
        )
    if critic:
        says = "says whether it is" if closed else "says what is wrong with it, and ends its message with"
        text += (
            f"A critic reads the question and the answer, {says} correct or incorrect. It gets "
            f"{1 if closed else VERDICT} for a true verdict. If it rejects a right answer, it loses the share of the "
            "refined answers that are right. If it rejects a wrong answer, it also gets this share"
            f"{'' if closed else UNTOLD}. "
        )
    reads = "and the critique " if critic else ""
    times = "" if rounds == 1 else f", {rounds} times in all"
    how = "Choose from the list." if closed else CUT
    return f"{text}A refiner reads the answer {reads}and answers again{times}. It gets 1 if its answer is right.\n{how}"


_SUM, _LOW = "What is 7 + 8?", "The ones do not add up to that; it is too small. incorrect"
_WORDS, _FINE = "Sort these words: pear, apple, fig", "The words are in the order of the alphabet. correct"
_SORTED = "apple, fig, pear"
OTHERS: Demonstrations = {
    "spoil": (
        (f"{_SUM}\nThe right answer: 15\n{SPOIL}", "<answer>14</answer>"),
        (f"{_WORDS}\nThe right answer: {_SORTED}\n{SPOIL}", "<answer>apple, pear, fig</answer>"),
    ),
    "complete": ((f"{_SUM}\nA draft of the answer: 14\n{FINISH}", "7 + 8 is 15. <answer>15</answer>"),),
    "critique": (
        (f"{_SUM}\nThe answer to judge: 14\n{JUDGE}", _LOW),
        (f"{_WORDS}\nThe answer to judge: {_SORTED}\n{JUDGE}", _FINE),
    ),
    "blind": (
        (f"The earlier answer: 14\n{said('critique', _LOW)}\n{BLIND}", "<answer>16</answer>"),
        (f"The earlier answer: {_SORTED}\n{said('critique', _FINE)}\n{BLIND}", f"<answer>{_SORTED}</answer>"),
    ),
    "refine": (
        (f"{_SUM}\nThe earlier answer: 14\n{said('critique', _LOW)}\n{REFINE}", "<answer>15</answer>"),
        (
            f"{_WORDS}\nThe earlier answer: {_SORTED}\n{said('critique', _FINE)}\n{REFINE}",
            f"<answer>{_SORTED}</answer>",
        ),
    ),
}


def demonstrations(tasks: str, closed: bool) -> Demonstrations:
    """Returns the example turns of all roles."""
    return {} if closed else TaskExamples(games.tasks.make(tasks), "solve", _solved, OTHERS)


def _solved(question: str, answer: str) -> tuple[str, str]:
    return f"{question}\n{DUTY}", f"<answer>{answer}</answer>"
