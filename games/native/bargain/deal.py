"""One bargain over one item: the private values, the messages so far, and what a side reads of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from games.game import Seat
from games.native.bargain.messages import BUYER, HIGH, LOW, OTHER, SELLER, Message
from games.randomness import RandomStream

_ZONE = 0.8
"""share of bargains in which some price is good for both sides"""
_PRIVATE = {SELLER: "cost", BUYER: "value"}


class BargainPosition(NamedTuple):
    """What a scripted policy of a side reads."""

    seat: Seat
    private: int
    spoken: int
    """messages so far, of both sides"""
    left: int
    offer: int | None = None
    """the other side's open offer"""
    offers: tuple[int, ...] = ()
    """all offers of the other side"""

    def gain(self, price: int) -> int:
        """Returns what the side gains at a price."""
        return price - self.private if self.seat == SELLER else self.private - price


@dataclass
class Deal:
    """The state of a bargain."""

    private: Mapping[Seat, int]
    opener: Seat
    limit: int
    """messages of both sides, at most"""
    messages: list[Message] = field(default_factory=list)

    @property
    def speaker(self) -> Seat:
        """The side that sends the next message."""
        return self.opener if len(self.messages) % 2 == 0 else OTHER[self.opener]

    @property
    def left(self) -> int:
        """The number of messages that are left."""
        return self.limit - len(self.messages)

    @property
    def offer(self) -> int | None:
        """The price of the open offer, which is the last message; None without one."""
        return self.messages[-1].price if self.messages else None

    @property
    def over(self) -> bool:
        """Whether no more messages follow."""
        return bool(self.messages) and (self.messages[-1].verb in ("accept", "walk") or not self.left)

    @property
    def gains(self) -> dict[Seat, float]:
        """price - cost and value - price if an offer was accepted, else 0 for both."""
        if self.messages[-1].verb != "accept":
            return {SELLER: 0.0, BUYER: 0.0}
        price = self.messages[-2].price or 0
        return {SELLER: float(price - self.private[SELLER]), BUYER: float(self.private[BUYER] - price)}

    def outcome(self) -> str:
        """Returns how the bargain ended."""
        last = self.messages[-1]
        if last.verb == "accept":
            return f"sold for {self.messages[-2].price}"
        return f"no deal, the {last.seat} walked away" if last.verb == "walk" else "no deal, no messages are left"

    def secret(self, seat: Seat) -> str:
        """Returns the sentence that tells a side its private value."""
        return f"Your {_PRIVATE[seat]} is {self.private[seat]}."

    def view(self, seat: Seat) -> list[str]:
        """Returns what a side reads: its private value, the range, all messages and whose turn it is."""
        lines = [f"You are the {seat}. {self.secret(seat)}", f"Prices are whole numbers from {LOW} to {HIGH}."]
        lines += map(str, self.messages)
        if self.over:
            return lines
        turn = "It is your turn." if seat == self.speaker else f"It is the {OTHER[seat]}'s turn."
        return [*lines, "1 message is left." if self.left == 1 else f"{self.left} messages are left.",
                f"{self._open_line(seat)} {turn}"]  # fmt: skip

    def _open_line(self, seat: Seat) -> str:
        if self.offer is None:
            return "No offer is open."
        whose = "Your" if seat != self.speaker else f"The {OTHER[seat]}'s"
        return f"{whose} offer of {self.offer} is open."

    def position(self, seat: Seat) -> BargainPosition:
        """Returns what a scripted policy of the side reads."""
        offers = tuple(m.price for m in self.messages if m.seat != seat and m.price is not None)
        offer = self.offer if seat == self.speaker else None
        return BargainPosition(seat, self.private[seat], len(self.messages), self.left, offer, offers)

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Returns offers near the private value, answers to an open offer, walking away."""
        sign = 1 if seat == SELLER else -1
        prices = [min(HIGH, max(LOW, self.private[seat] + sign * step)) for step in (0, 10, 20, 40)]
        offers = [f"offer {price}: How about {price}?" for price in dict.fromkeys(prices)]
        answers = ["accept: We have a deal.", "reject: That does not work for me."] if self.offer is not None else []
        return (*offers, *answers, "walk away: We cannot agree on a price.")


def draw(stream: RandomStream, rounds: int) -> Deal:
    """Draws the private values and the side that starts."""
    n = HIGH - LOW + 1
    first, second = stream.below(n), stream.below(n - 1)
    second += second >= first  # two different numbers, every pair with the same probability
    pair = sorted((LOW + first, LOW + second))
    cost, value = pair if stream.random() < _ZONE else reversed(pair)
    return Deal({SELLER: cost, BUYER: value}, stream.choice((SELLER, BUYER)), 2 * rounds)
