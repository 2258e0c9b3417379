"""The typed messages of bargain: an offer, an answer to an offer, or walking away."""

from __future__ import annotations

import re
from typing import NamedTuple

from games.errors import IllegalAction
from games.game import Seat
from games.quoting import byte_length, quote

SELLER, BUYER, COACH = "seller", "buyer", "coach"
OTHER = {SELLER: BUYER, BUYER: SELLER}
LOW, HIGH = 0, 100
"""the range of prices and of the private values"""
LONGEST = 2000
"""the bytes of a message or of advice, at most"""

_ACTION = re.compile(
    r"(?:(?P<verb>accept|reject|walk)(?:(?<=walk)\s+away)?|offer\s+(?P<price>[0-9]{1,9}))\s*(?::(?P<words>.*))?",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_DONE = {"accept": "accepts", "reject": "rejects", "walk": "walks away"}


class Message(NamedTuple):
    """One message as both sides see it; `words` is already quoted, "" without words."""

    seat: Seat
    verb: str
    price: int | None
    words: str

    def __str__(self) -> str:
        act = f"offers {self.price}" if self.price is not None else _DONE[self.verb]
        return f"[{self.seat}] {act}{f': {self.words}' if self.words else ''}"


def formed(text: str) -> bool:
    """Returns whether a text has the form of a message, legal or not."""
    return _ACTION.fullmatch(text.strip()) is not None


def understood(seat: Seat, text: str, answers: bool) -> Message:
    """Returns the message in a text; `answers`: whether there is an offer to answer. Raises IllegalAction."""
    forms = "offer PRICE: words" if not answers else "offer PRICE: words; accept: words; reject: words"
    forms += "; walk away: words"
    match = _ACTION.fullmatch(text.strip()) if byte_length(text) <= LONGEST else None
    if match is None:
        raise IllegalAction(f"not understood; write one of: {forms} (at most {LONGEST} bytes)", seat)
    price = int(match["price"]) if match["price"] else None
    verb = (match["verb"] or "offer").lower()
    if price is not None and not LOW <= price <= HIGH:
        raise IllegalAction(f"the price {price} is not between {LOW} and {HIGH}; write: {forms}", seat)
    if verb in ("accept", "reject") and not answers:
        raise IllegalAction(f"no offer is open, so there is nothing to {verb}; write one of: {forms}", seat)
    words = quote(match["words"] or "", LONGEST)
    return Message(seat, verb, price, "" if words == '""' else words)
