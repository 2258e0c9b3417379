"""The typed messages of bargain-v0, and a parser of its observations for bots."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from games.errors import IllegalAction
from games.game import Seat
from games.quoting import byte_length, quote

SELLER, BUYER = "seller", "buyer"
OTHER = {SELLER: BUYER, BUYER: SELLER}
PRIVATE = {SELLER: "cost", BUYER: "value"}
LONGEST = 2000

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
        did = f"offers {self.price}" if self.price is not None else _DONE[self.verb]
        return f"[{self.seat}] {did}{f': {self.words}' if self.words else ''}"


def formed(text: str) -> bool:
    """Whether a text has the form of a message, legal or not."""
    return _ACTION.fullmatch(text.strip()) is not None


def understood(seat: Seat, text: str, answers: bool, low: int, high: int) -> Message:
    """Parse a message; `answers`: whether there is an offer to accept or reject. Raises IllegalAction."""
    forms = "offer PRICE: words" if not answers else "offer PRICE: words; accept: words; reject: words"
    forms += "; walk away: words"
    match = _ACTION.fullmatch(text.strip()) if isinstance(text, str) and byte_length(text) <= LONGEST else None
    if match is None:
        raise IllegalAction(f"not understood; write one of: {forms} (at most {LONGEST} bytes)", seat)
    price = int(match["price"]) if match["price"] else None
    verb = (match["verb"] or "offer").lower()
    if price is not None and not low <= price <= high:
        raise IllegalAction(f"the price {price} is not between {low} and {high}; write: {forms}", seat)
    if verb in ("accept", "reject") and not answers:
        raise IllegalAction(f"no offer is open, so there is nothing to {verb}; write one of: {forms}", seat)
    words = quote(match["words"] or "", LONGEST)
    return Message(seat, verb, price, "" if words == '""' else words)


@dataclass(frozen=True, slots=True)
class BargainPosition:
    """The content of an observation of bargain-v0, for bots."""

    seat: Seat
    private: int
    low: int
    high: int
    spoken: int
    """number of messages so far, of both sides"""
    left: int
    offer: int | None
    """the other side's open offer"""


# Words are quoted inside lines that start with a tag, so no seat can forge a line of the game.
_OWN = re.compile(r"You are the (seller|buyer)\. Your (?:cost|value) is ([0-9]+)\.\n.* from ([0-9]+) to ([0-9]+)\.")
_LEFT = re.compile(r"^([0-9]+) messages? (?:is|are) left\.$", re.MULTILINE)
_OPEN = re.compile(r"^The (?:seller|buyer)'s offer of ([0-9]+) is open\.", re.MULTILINE)


def read(text: str) -> BargainPosition | None:
    """The position in an observation of bargain-v0; None for any other text or a finished match."""
    own, left, offer = _OWN.match(text), _LEFT.search(text), _OPEN.search(text)
    if own is None or left is None:
        return None
    spoken = sum(line.startswith("[") for line in text.split("\n"))
    private, low, high = (int(own[i]) for i in (2, 3, 4))
    return BargainPosition(own[1], private, low, high, spoken, int(left[1]), int(offer[1]) if offer else None)
