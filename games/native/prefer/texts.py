"""The rules of prefer and demonstrations for small models."""

from __future__ import annotations

import games.tasks
from games.dialogue.messages import CUT, said
from games.game import Demonstrations
from games.native.common.examples import TaskExamples
from games.native.prefer.comparisons import Referee
from games.native.prefer.tables import TABLES

DUTY = "Think briefly, then write <answer>your answer</answer>"
PICK = "Choose one of these answers."
BETTER = "Which answer is better, A or B?"
CHECK = "Is this answer correct or incorrect?"

_JUDGED = {
    "exact": "A right answer is preferred to a wrong one. ",
    "pairs": "A judge reads the question and two answers, A and B, and ends its message with the letter of the better "
    "one. It gets 1 for preferring a right answer to a wrong one, loses 1 for the opposite or for no letter, and gets "
    "nothing if both are right or both wrong. ",
    "single": "A judge reads the question and one answer, and ends its message with correct or incorrect; an answer "
    "that is called correct is preferred to one that is not. A judge gains if it is right and loses if it is wrong; "
    "right and wrong answers of the match weigh the same, so that one verdict for all gains nothing. A judge without a "
    "verdict loses 1. ",
}


def rules(answers: int, table: str, referee: Referee, closed: bool) -> str:
    """Returns the rules that every seat reads."""
    paid = "Each answer gets the share of the other answers that it is preferred to; an equal answer counts half."
    if table:
        return f"{answers} seats each choose an answer at the same time. Which of two is preferred is fixed. {paid}"
    how = "Choose from the list." if closed else f"{DUTY}. {CUT}"
    return f"{answers} seats answer the same question, each alone. {_JUDGED[referee]}{paid}\n{how}"


def question(table: str) -> str:
    """Returns the question of a table."""
    return f"{PICK} {', '.join(TABLES[table].options)}"


_SUM = "What is 7 + 8?"
_RIGHT, _WRONG = "7 + 8 = 15, so <answer>15</answer>", "7 + 8 = 16, so <answer>16</answer>"
_WORDS = "Sort these words: pear, apple, fig"
_SORTED, _UNSORTED = "<answer>apple, fig, pear</answer>", "<answer>apple, pear, fig</answer>"
_JUDGE: Demonstrations = {
    "compare": (
        ("\n".join([_SUM, said("A", _RIGHT), said("B", _WRONG), BETTER]), "A"),
        ("\n".join([_WORDS, said("A", _UNSORTED), said("B", _SORTED), BETTER]), "B"),
    ),
    "verify": (
        ("\n".join([_SUM, said("answer", _WRONG), CHECK]), "incorrect"),
        ("\n".join([_WORDS, said("answer", _SORTED), CHECK]), "correct"),
    ),
}


def demonstrations(table: str, tasks: str) -> Demonstrations:
    """Returns the example turns of answers to tasks, and of judges."""
    return {} if table else TaskExamples(games.tasks.make(tasks or "arithmetic"), "answer", shown, _JUDGE)


def shown(asked: str, answer: str) -> tuple[str, str]:
    """Returns an example turn: what a seat reads, what it writes."""
    return f"{asked}\n{DUTY}", f"<answer>{answer}</answer>"
