"""The texts of bargain: rules, advice, and demonstrations for small models."""

from __future__ import annotations

import re

from games.game import Demonstrations
from games.native.bargain.messages import HIGH, LONGEST, LOW

NUMBERS = re.compile(
    r"\d|\b(?:(?:six|seven|eight|nine|four|thir|fif)teen|eleven|twelve|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|"
    r"hundreds?|thousands?)\b",
    re.IGNORECASE,
)
"""numbers in digits or in words; words up to ten are not prices worth telling"""
WITHHELD = "(advice that named a number was withheld)"
SUGGESTIONS = (
    "Start further from the price that you would accept. Make small steps. Give a reason for every offer.",
    "Ask what the other side needs. Do not accept the first offer. Be friendly.",
    "Say that you have another offer. Do not change your price too early. Stay calm.",
)


def rules(rounds: int, coach: str, games: int) -> str:
    """Returns the rules that every seat reads."""
    return _BARGAIN.format(rounds=rounds) + (_COACH.format(side=coach, games=games) if coach else "")


_BARGAIN = (
    "A seller and a buyer bargain over the price of one item. Only the seller knows its cost. Only the buyer knows "
    f"its value, which is what the item is worth to the buyer. Both are between {LOW} and {HIGH}. In about 4 of 5 "
    "matches the value is higher than the cost; in the others no price is good for both sides. The sides take "
    "turns and send at most {rounds} messages each; chance decides who starts. If an offer is accepted, the "
    "seller gets the price minus the cost and the buyer gets the value minus the price, which may be negative. "
    "Without an accepted offer both get 0.\n"
    f"A message has one of these forms and at most {LONGEST:,} bytes; the words after the colon are "
    "optional:\n"
    f"offer PRICE: words - propose a price, a whole number from {LOW} to {HIGH}; only the other side's next "
    "message can accept it\n"
    "accept: words - accept the offer that the other side has just made, which ends the match\n"
    "reject: words - reject that offer without making a new one\n"
    "walk away: words - end the match without a deal\n"
    "The other side reads your words, but only an accepted offer is binding."
)
_COACH = (
    "\nThe sides bargain {games} times, each time over a new item with a new cost and value. After each bargain except "
    "the last, a coach gives the {side} up to three suggestions, in general words and without numbers; advice with a "
    "number is withheld. The {side} reads the advice and the earlier dialogues; the other side does not. After the "
    "first advice the {side} also reads what the coach said in earlier matches. The seller and the buyer get their "
    "mean over all bargains. The coach gets the {side}'s mean over the later bargains minus its result in the first "
    "one. The coach writes only its suggestions, in at most 2,000 characters."
)

_SELLER = "You are the seller. Your cost is 41.\nPrices are whole numbers from 0 to 100."
_BUYER = "You are the buyer. Your value is 62.\nPrices are whole numbers from 0 to 100."
DEMONSTRATIONS: Demonstrations = {
    "advise": (
        (
            "You coach the seller. Its cost is 3.\nAn earlier bargain:\n> [buyer] offers 4\n> [seller] accepts\n"
            "> sold for 4\n> the seller gained 1",
            "Do not accept the first offer. Start high and lower your price slowly. Give a reason.",
        ),
    ),
    "open": (
        (f"{_SELLER}\n4 messages are left.\nNo offer is open. It is your turn.", "offer 70: It is in good condition."),
        (f"{_BUYER}\n3 messages are left.\nNo offer is open. It is your turn.", "offer 35: Others sell it for less."),
    ),
    "respond": (
        (
            f"{_BUYER}\n[seller] offers 70\n3 messages are left.\nThe seller's offer of 70 is open. It is your turn.",
            "offer 50: 70 is too much for me.",
        ),
        (
            f"{_SELLER}\n[buyer] offers 58\n2 messages are left.\nThe buyer's offer of 58 is open. It is your turn.",
            "accept: We have a deal.",
        ),
    ),
}
