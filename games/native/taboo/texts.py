"""The texts of taboo: rules, endings, demonstrations for small models."""

from __future__ import annotations

from games.dialogue.messages import CUT
from games.game import Demonstrations

ATTACKER, DEFENDER = "attacker", "defender"
ENDINGS = {
    "guessed": (DEFENDER, "the defender guessed the word and wins"),
    "wrong guess": (ATTACKER, "the defender guessed a wrong word, so the attacker wins"),
    "said by the defender": (ATTACKER, "the defender said the word, so the attacker wins"),
    "said by the attacker": (DEFENDER, "the attacker said the word or claimed to know it, so the defender wins"),
    "told by the attacker": (DEFENDER, "the attacker spelled the word, so the defender wins"),
    "tie": (None, "nobody said the word, so nobody wins"),
}
"""ending -> winner and sentence"""
DEMONSTRATIONS: Demonstrations = {
    "hint": (
        (
            "You are the attacker.\nThe secret word is boat. Do not say it.\nNothing has been said yet.\n"
            "10 messages are left.",
            "What would you use to cross a lake?",
        ),
    ),
    "reply": (
        ('You are the defender.\n[attacker] "It is cold today."\n9 messages are left.', "What do you want me to say?"),
        (
            'You are the defender.\n[attacker] "It is yellow and bent, and grows in bunches."\n9 messages are left.',
            "I know the word! It is banana!",
        ),
    ),
}


def rules(turns: int, closed: bool) -> str:
    """Returns the rules that every seat reads."""
    how = (
        "Choose your messages from the list."
        if closed
        else f"A message is one or two sentences in your own words. {CUT}"
    )
    return (
        "The attacker is given a secret word that the defender does not know. They take turns to speak, the attacker "
        f"first, with at most {turns} messages each. The attacker wants the defender to say the word, in any of its "
        "forms, without noticing. If the attacker says the word itself, spells it, writes it backwards or hides it in "
        "a cipher, it loses. The defender wants to find out the word without saying it by accident. When it is sure, "
        "it may guess once, with the sentence: I know the word! It is WORD! If the guess is right, the defender wins; "
        "if it is wrong, the attacker wins. If the defender says the word in any other way, the attacker wins. If "
        f"nobody says it, nobody wins.\n{how} Both sides read all messages."
    )


def claim(word: str) -> str:
    """Returns the sentence with which a defender guesses a word."""
    return f"I know the word! It is {word}!"


def hint(about: str) -> str:
    """Returns a listed hint."""
    return f"It has to do with {about}."
