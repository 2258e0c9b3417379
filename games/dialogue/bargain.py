"""bargain-v0: a seller with a private cost and a buyer with a private value look for a price, by typed offers.

After the bargaining game of GPT-Bargaining (Fu et al. 2023, arXiv 2305.10142), whose moderator read the price off the
last number in the dialogue, accepted or not. Here an action is typed, so a price binds only when an open offer is
accepted.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.dialogue import bargain_texts as texts
from games.dialogue.bargain_messages import BUYER, OTHER, PRIVATE, SELLER, Message, understood
from games.errors import IllegalAction, InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat, TextGame
from games.randomness import Stream, derive

_ZONE = 0.8  # share of matches in which some price suits both


class Bargain(TextGame):
    """`rounds`: messages of each side at most. `low`, `high`: the range of prices and of the private values."""

    def __init__(self, rounds: int = 5, low: int = 0, high: int = 100) -> None:
        if not isinstance(rounds, int) or not 1 <= rounds <= 1000:
            raise InputError(f"bargain-v0: rounds must be a whole number from 1 to 1000, not {rounds!r}")
        if not (isinstance(low, int) and isinstance(high, int) and low >= 0 and low + 2 <= high < 10**9):
            raise InputError(f"bargain-v0: prices need 0 <= low, low + 2 <= high, not low={low!r}, high={high!r}")
        self.low, self.high, self.limit = low, high, 2 * rounds
        given = {"rounds": (rounds, 5), "low": (low, 0), "high": (high, 100)}
        shown = ",".join(f"{name}={value}" for name, (value, usual) in given.items() if value != usual)
        self.spec = GameSpec(
            id=f"bargain-v0({shown})" if shown else "bargain-v0",
            seats={SELLER: SELLER, BUYER: BUYER},
            payoff="general_sum",
            rules=texts.rules(rounds, low, high),
            max_turns=self.limit,
            returns_range=(float(low - high), float(high - low)),
        )
        self._private: dict[Seat, int] = {}
        self._messages: list[Message] = []
        self._opener = SELLER
        self._price: int | None = None
        self._over = True

    def reset(self, seed: int) -> None:
        """Draw the private values and who speaks first."""
        stream = Stream(derive(seed, "bargain-v0"))
        n = self.high - self.low + 1
        first, second = stream.below(n), stream.below(n - 1)
        second += second >= first  # two different numbers, every pair alike
        pair = sorted((self.low + first, self.low + second))
        cost, value = pair if stream.random() < _ZONE else reversed(pair)
        self._private = {SELLER: cost, BUYER: value}
        self._opener = stream.choice((SELLER, BUYER))
        self._messages = []
        self._price = None
        self._over = False

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The side whose message is next."""
        return () if self._over else (self._speaker(),)

    def observe(self, seat: Seat) -> Observation:
        """Own private value, the range, every message, what is open and what is left."""
        lines = [
            f"You are the {seat}. Your {PRIVATE[seat]} is {self._private[seat]}.",
            f"Prices are whole numbers from {self.low} to {self.high}.",
            *map(str, self._messages),
        ]
        if self._over:
            lines.append(f"The match is over: {self._outcome()}.")
        else:
            left = self.limit - len(self._messages)
            lines.append("1 message is left." if left == 1 else f"{left} messages are left.")
            turn = "It is your turn." if seat == self._speaker() else f"It is the {OTHER[seat]}'s turn."
            lines.append(f"{self._open_line(seat)} {turn}")
        return Observation("\n".join(lines), self.phase(seat))

    def phase(self, seat: Seat) -> str:
        """`respond` while an offer is open, else `open`."""
        return "open" if self._offer() is None else "respond"

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """Free text for the side whose message is next."""
        return None if seat in self.acting else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Take one message. Raises IllegalAction that says the form."""
        if self._over or actions.keys() != {self._speaker()}:
            raise IllegalAction(f"expected a message of {'nobody' if self._over else self._speaker()} alone")
        seat = self._speaker()
        message = understood(seat, actions[seat], self._offer() is not None, self.low, self.high)
        if message.verb == "accept":
            self._price = self._offer()
        self._messages.append(message)
        self._over = message.verb in ("accept", "walk") or len(self._messages) >= self.limit

    def returns(self) -> Mapping[Seat, float]:
        """price - cost and value - price after an accepted offer; 0 for both without one."""
        if self._price is None:
            return {SELLER: 0.0, BUYER: 0.0}
        return {
            SELLER: float(self._price - self._private[SELLER]),
            BUYER: float(self._private[BUYER] - self._price),
        }

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The line that tells the private value, in the words of the game."""
        return (f"Your {PRIVATE[seat]} is {self._private[seat]}.",)

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Offers around the own value, an answer to an open offer, walking away."""
        if seat not in self.acting:
            return ()
        own, step = self._private[seat], max(1, (self.high - self.low) // 10)
        sign = 1 if seat == SELLER else -1
        prices = [min(self.high, max(self.low, own + sign * k * step)) for k in (0, 1, 2, 4)]
        offers = [f"offer {price}: How about {price}?" for price in dict.fromkeys(prices)]
        answers = ["accept: We have a deal.", "reject: That does not work for me."] if self._offer() is not None else []
        return (*offers, *answers, "walk away: I see no price for us.")

    def spectate(self) -> str:
        """Both private values, every message, the outcome."""
        values = f"cost {self._private[SELLER]}, value {self._private[BUYER]}"
        end = self._outcome() if self._over else f"{self.limit - len(self._messages)} messages left"
        return "\n".join([values, *map(str, self._messages), end])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand, for the usual parameters."""
        return texts.KNOWN if self.spec.id == "bargain-v0" else ()

    def _speaker(self) -> Seat:
        return self._opener if len(self._messages) % 2 == 0 else OTHER[self._opener]

    def _offer(self) -> int | None:
        """The price that may be accepted now: that of the message just before, by the other side."""
        return self._messages[-1].price if self._messages and not self._over else None

    def _open_line(self, seat: Seat) -> str:
        offer = self._offer()
        if offer is None:
            return "No offer is open."
        whose = "Your" if self._messages[-1].seat == seat else f"The {OTHER[seat]}'s"
        return f"{whose} offer of {offer} is open."

    def _outcome(self) -> str:
        last = self._messages[-1]
        if self._price is not None:
            return f"sold for {self._price}"
        return f"no deal, the {last.seat} walked away" if last.verb == "walk" else "no deal, no message is left"
