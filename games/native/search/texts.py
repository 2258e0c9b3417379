"""The rules and prompts of search, demonstrations, and example messages."""

from __future__ import annotations

from games.game import Demonstrations
from games.native.common.repetition import REPEATED

PROPOSER, READER, SOLVER = "proposer", "reader", "solver"
LAST = {
    "propose": "This is your last turn. Write your question: <question>...</question>",
    "solve": "This is your last turn. Answer the question: <answer>...</answer>",
}
DUTY = {
    "seek": "Search first: <search>words</search>",
    "propose": "Search with <search>words</search>, or write your question: <question>...</question>",
    "solve": "Search with <search>words</search>, or answer the question: <answer>...</answer>",
    "read": "Answer the question from these documents alone: <answer>...</answer>",
}
CHOICE = {
    "propose": "Choose a search or a question.",
    "solve": "Choose a search or an answer.",
    "read": "Choose the answer that these documents give.",
}
WHO = {"propose": "the proposer", "read": "the reader", "solve": "the solvers"}


def rules(solvers: int, turns: int, queries: int, noise: int, difficulty: str, size: int) -> str:
    """The rules that every seat reads."""
    how = (
        "Searches, questions and answers are chosen from lists."
        if size
        else "A search is written <search>words</search>, a question <question>...</question>, an answer "
        "<answer>...</answer>. The last tag of a message counts."
    )
    pays = {
        "one_minus": "The proposer is paid 1 - p, where p is the share of the solvers that are right.",
        "zero_at_zero": "The proposer is paid 1 - p, where p is the share of the solvers that are right, and "
        f"nothing if nobody is right. {REPEATED}",
        "parabola": "The proposer is paid 4 p (1 - p), where p is the share of the solvers that are right.",
    }[difficulty]
    return (
        "A proposer is given an answer and writes a question for it. It can search a collection of documents about "
        "invented people, towns, companies and books. A reader must find the answer in the documents that the proposer "
        f"found, mixed with {noise} others, without searching. If it does, {solvers} solvers answer the question, each "
        "alone. They can search the same collection but see nothing of the proposer's. "
        f"Proposer and solvers have {turns} turns each: a turn is either one search or the final message.\n"
        f"{how} A question has at least 10 words, does not contain or spell its answer, and comes after at least "
        f"{queries} searches that showed something new; otherwise it pays nothing.\n"
        f"{pays} A solver is paid for the right answer, the reader for the right answer to a question that a solver "
        "also answers. Case, accents, punctuation and articles do not matter."
    )


_ADA = "- Ada Hobart: Ada Hobart is a person, a pilot of 44. Ada Hobart was taught by Leo Nash and was born in Elkford."
_PRESS = (
    "- Heron Press: Heron Press is a company, known for tea. Heron Press has its office in Ostmere and was founded by "
    "Ada Hobart."
)
_ASKED = "Which name do the documents give for the town where the person who founded Heron Press was born?"
_HEARD = f'The question: "{_ASKED}"'

DEMONSTRATIONS: Demonstrations = {
    "seek": (
        (f"The answer: Elkford\nYou have not searched yet.\n{DUTY['seek']}", "<search>Elkford</search>"),
        (
            f'The answer: Elkford\nYou searched "Elkford":\n{_ADA}\n{DUTY["seek"]}',
            "<search>Ada Hobart</search>",
        ),
    ),
    "propose": (
        (
            f'The answer: Elkford\nYou searched "Elkford":\n{_ADA}\nYou searched "Ada Hobart":\n{_ADA}\n{_PRESS}\n'
            f"{DUTY['propose']}",
            f"<question>{_ASKED}</question>",
        ),
    ),
    "read": ((f"{_HEARD}\n{_PRESS}\n{_ADA}\n{DUTY['read']}", "<answer>Elkford</answer>"),),
    "solve": (
        (f"{_HEARD}\nYou have not searched yet.\n{DUTY['solve']}", "<search>Heron Press</search>"),
        (f'{_HEARD}\nYou searched "Heron Press":\n{_PRESS}\n{DUTY["solve"]}', "<search>Ada Hobart</search>"),
        (
            f'{_HEARD}\nYou searched "Heron Press":\n{_PRESS}\nYou searched "Ada Hobart":\n{_ADA}\n{DUTY["solve"]}',
            "<answer>Elkford</answer>",
        ),
    ),
}

MESSAGES = {
    "propose": (
        "<search>who was born in Elkford</search>",
        "<search>company known for tea</search>",
        "<question>Which name do the documents give for the person who founded Heron Press?</question>",
        "<question>Which one?</question>",
        "I do not know what to ask",
    ),
    "read": ("<answer>Elkford</answer>", "<answer>Leo Nash</answer>", "It is not in the documents"),
    "solve": (
        "<search>Heron Press</search>",
        "<answer>Elkford</answer>",
        "<answer>Leo Nash</answer>",
        "Let me think",
    ),
}
"""texts that the open game accepts, none of which shows the answer"""
