"""The rules and prompts of search, demonstrations, and example messages."""

from __future__ import annotations

from games.game import Demonstrations

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
        "nothing if nobody is right.",
        "parabola": "The proposer is paid 4 p (1 - p), where p is the share of the solvers that are right.",
    }[difficulty]
    return (
        "A proposer is given an answer and writes a question for it. It can search a collection of documents about "
        "countries and chemical elements. A reader must find the answer in the documents that the proposer found, "
        f"mixed with {noise} others, without searching. If it does, {solvers} solvers answer the question, each alone. "
        "They can search the same collection but see nothing of the proposer's. "
        f"Proposer and solvers have {turns} turns each: a turn is either one search or the final message.\n"
        f"{how} A question has at least 10 words, does not contain or spell its answer, and comes after at least "
        f"{queries} different searches; otherwise it pays nothing.\n"
        f"{pays} A solver is paid for the right answer, the reader for the right answer to a question that a solver "
        "also answers. Case, accents, punctuation and articles do not matter."
    )


_PERU = (
    "- Peru: Peru is a country in South America. Its capital is Lima. Its country code is PE and its currency code is "
    "PEN."
)
_ASKED = 'The question: "What is the capital city of the country that has the country code PE?"'

DEMONSTRATIONS: Demonstrations = {
    "seek": (
        (f"The answer: Gold\nYou have not searched yet.\n{DUTY['seek']}", "<search>chemical element Gold</search>"),
        (
            f'The answer: Lima\nYou searched "capital Lima":\n{_PERU}\n{DUTY["seek"]}',
            "<search>country code PE currency</search>",
        ),
    ),
    "propose": (
        (
            f"The answer: Lima\nYou searched Lima and country code PE.\n{_PERU}\n{DUTY['propose']}",
            "<question>What is the capital city of the country that has the country code PE?</question>",
        ),
    ),
    "read": ((f"{_ASKED}\n{_PERU}\n{DUTY['read']}", "<answer>Lima</answer>"),),
    "solve": (
        (f"{_ASKED}\nYou have not searched yet.\n{DUTY['solve']}", "<search>country code PE</search>"),
        (f'{_ASKED}\nYou searched "country code PE":\n{_PERU}\n{DUTY["solve"]}', "<answer>Lima</answer>"),
    ),
}

MESSAGES = {
    "propose": (
        "<search>capital of a country in Asia</search>",
        "<search>chemical element</search>",
        "<question>What is the capital of the country in Asia with the currency code JPY?</question>",
        "<question>Which one?</question>",
        "I do not know what to ask",
    ),
    "read": ("<answer>Lima</answer>", "<answer>Iron</answer>", "It is not in the documents"),
    "solve": ("<search>country code</search>", "<answer>Lima</answer>", "<answer>Iron</answer>", "Let me think"),
}
"""texts that the open game accepts, none of which shows the answer"""
