"""The rules of bargain-v0, demonstrations for small models, and matches with a known outcome."""

from __future__ import annotations

from games.game import Demonstrations, KnownOutcome
from games.native.bargain.messages import BUYER, LONGEST, SELLER


def rules(rounds: int, low: int, high: int) -> str:
    """The rules of a bargain without a coach."""
    return (
        "A seller and a buyer bargain over the price of one item. Only the seller knows its cost. Only the buyer knows "
        f"its value, which is what the item is worth to the buyer. Both are between {low} and {high}. In about 4 of 5 "
        "matches the value is higher than the cost; in the others no price is good for both sides. The sides take "
        f"turns and send at most {rounds} messages each; chance decides who starts. If an offer is accepted, the "
        "seller gets the price minus the cost and the buyer gets the value minus the price, which may be negative. "
        "Without an accepted offer both get 0.\n"
        f"A message has one of these forms and at most {LONGEST:,} bytes; the words after the colon are "
        "optional:\n"
        f"offer PRICE: words - propose a price, a whole number from {low} to {high}; only the other side's next "
        "message can accept it\n"
        "accept: words - accept the offer that the other side has just made, which ends the match\n"
        "reject: words - reject that offer without making a new one\n"
        "walk away: words - end the match without a deal\n"
        "The other side reads your words, but only an accepted offer is binding."
    )


def coach_rules(side: str, games: int, keep: int, fresh: bool) -> str:
    """The additional rules of a bargain with a coach."""
    items = "each time over a new item with a new cost and value" if fresh else "with the same item, cost and value"
    kept = f"After the first advice the {side} also reads what the coach said in earlier matches. " * bool(keep)
    return (
        f"The sides bargain {games} times, {items}. After each bargain except the last, a "
        f"coach gives the {side} up to three suggestions, in general words and without numbers; advice with a number "
        f"is withheld. The {side} reads the advice and the earlier dialogues; the other side does not. {kept}The "
        f"seller and the buyer get their mean over all bargains. The coach gets the {side}'s mean over the later "
        "bargains minus its result in the first one. The coach writes only its suggestions, in at most 2,000 "
        "characters."
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


# Seed 0: cost 45, value 84, the seller starts. Seed 2: cost 76, value 68, the buyer starts.
KNOWN = (
    KnownOutcome(0, ({SELLER: "offer 70: It is well kept."}, {BUYER: "accept: Fine."}), {SELLER: 25.0, BUYER: 14.0}),
    KnownOutcome(
        0,
        ({SELLER: "offer 70"}, {BUYER: "offer 50: Not more than $60."}, {SELLER: "ACCEPT"}),
        {SELLER: 5.0, BUYER: 34.0},
    ),
    KnownOutcome(0, ({SELLER: "offer 90"}, {BUYER: "reject"}, {SELLER: "walk away"}), {SELLER: 0.0, BUYER: 0.0}),
    KnownOutcome(2, ({BUYER: "offer 70: I really want it."}, {SELLER: "accept"}), {SELLER: -6.0, BUYER: -2.0}),
    KnownOutcome(2, ({BUYER: "offer 60"}, {SELLER: "offer 80"}) * 5, {SELLER: 0.0, BUYER: 0.0}),
)
