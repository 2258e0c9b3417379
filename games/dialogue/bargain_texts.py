"""The rules of bargain-v0 as the players read them, and matches worked out by hand."""

from __future__ import annotations

from games.dialogue.bargain_messages import BUYER, SELLER
from games.game import KnownOutcome


def rules(rounds: int, low: int, high: int) -> str:
    """The rules of a plain bargain."""
    return (
        "A seller and a buyer bargain over the price of one thing. Only the seller knows its cost, only the buyer"
        f" knows what the thing is worth to it, its value; both lie between {low} and {high}. In about four "
        "matches of five the value is above the cost, in the others no price is good for both. The sides send "
        f"messages in turn, {rounds} each at most; who begins is drawn at random. If an offer is accepted, the "
        "seller gets the price minus its cost and the buyer its value minus the price, which may be negative. "
        "Without an accepted offer both get 0.\n"
        "A message is one of these, each with words of your own after the colon or without:\n"
        f"offer PRICE: words - propose a price, a whole number from {low} to {high}; only the other side's next "
        "message can accept it\n"
        "accept: words - take the offer just made by the other side, which ends the match\n"
        "reject: words - turn that offer down and make none\n"
        "walk away: words - end the match without a deal\n"
        "The other side reads your words. They bind nobody: only an accepted offer does."
    )


# Seed 0 draws cost 45 and value 84 and the seller begins; seed 2 cost 76, value 68 and the buyer begins.
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
