"""The rules of taboo and demonstrations for small models."""

from __future__ import annotations

from games.game import Demonstrations
from games.native.common.messages import CUT


def rules(turns: int, closed: bool, tells: bool) -> str:
    """The rules that every seat reads."""
    how = (
        "Choose your messages from the list."
        if closed
        else f"A message is one or two sentences in your own words. {CUT}"
    )
    return (
        "The attacker is given a secret word that the defender does not know. They take turns to speak, the attacker "
        f"first, with at most {turns} messages each. The attacker wants the defender to say the word, in any of its "
        f"forms, without noticing. If the attacker says the word itself{', spells it, writes' * tells}"
        f"{' it backwards or hides it in a cipher' * tells}, it loses. The defender wants to find out the "
        "word without saying it by accident. When it is sure, it may guess once, with the sentence: I know the word! "
        "It is WORD! If the guess is right, the defender wins; if it is wrong, the attacker wins. If the defender says "
        f"the word in any other way, the attacker wins. If nobody says it, nobody wins.\n{how} Both sides read all "
        "messages."
    )


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
            'You are the defender.\n[attacker] "It is yellow and bent, and monkeys like it."\n9 messages are left.',
            "I know the word! It is banana!",
        ),
    ),
}
