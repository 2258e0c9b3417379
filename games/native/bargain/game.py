"""bargain-v0: a seller with a private cost and a buyer with a private value agree on a price, by typed offers.

After the bargaining game of GPT-Bargaining (Fu et al. 2023, arXiv 2305.10142), whose moderator takes the last number in
the dialogue as the price, accepted or not. Here messages are typed, so a price is binding only if an open offer is
accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from annotated_types import Ge, Interval, Lt

from games.errors import IllegalAction, InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat, TextGame
from games.native.bargain import rules as texts
from games.native.bargain.messages import BUYER, OTHER, PRIVATE, SELLER, Message, understood
from games.native.common.stages import game_id
from games.randomness import RandomStream, derive
from games.shortcut_modules import suite_beside

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

_ZONE = 0.8  # share of matches in which some price is good for both sides
Rounds = Annotated[int, Interval(ge=1, le=1000)]
Low = Annotated[int, Ge(0)]
High = Annotated[int, Lt(10**9)]


class BargainGame(TextGame):
    """`rounds`: messages of each side at most. `low`, `high`: the range of prices and of the private values.

    `version` names the game in its id; without a coach both versions are the same game.
    """

    def __init__(self, rounds: Rounds = 5, low: Low = 0, high: High = 100, *, version: int = 1) -> None:
        id = game_id(f"bargain-v{version}", BargainGame, {"rounds": rounds, "low": low, "high": high})
        if high < low + 2:
            raise InputError(f"bargain-v{version}: high must be at least low + 2, not low={low}, high={high}")
        self.low, self.high, self.limit = low, high, 2 * rounds
        self.spec = GameSpec(
            id=id,
            seats={SELLER: SELLER, BUYER: BUYER},
            payoff="general_sum",
            rules=texts.rules(rounds, low, high),
            max_turns=self.limit,
            returns_range=(float(low - high), float(high - low)),
            demonstrations=texts.DEMONSTRATIONS,
        )
        self._private: dict[Seat, int] = {}
        self._messages: list[Message] = []
        self._opener = SELLER
        self._price: int | None = None
        self._over = True

    def reset(self, seed: int) -> None:
        """Draw the private values and the side that starts."""
        stream = RandomStream(derive(seed, "bargain-v0"))
        n = self.high - self.low + 1
        first, second = stream.below(n), stream.below(n - 1)
        second += second >= first  # two different numbers, every pair with the same probability
        pair = sorted((self.low + first, self.low + second))
        cost, value = pair if stream.random() < _ZONE else reversed(pair)
        self._private = {SELLER: cost, BUYER: value}
        self._opener = stream.choice((SELLER, BUYER))
        self._messages = []
        self._price = None
        self._over = False

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The side that sends the next message."""
        return () if self._over else (self._speaker(),)

    def observe(self, seat: Seat) -> Observation:
        """The private value of the seat, the range, all messages, the open offer and the number of messages left."""
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
        """None, which allows any text, for the acting side."""
        return None if seat in self.acting else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play one message. Raises IllegalAction, which names the forms of a message."""
        if self._over or actions.keys() != {self._speaker()}:
            raise IllegalAction(f"expected a message of {'nobody' if self._over else self._speaker()} alone")
        seat = self._speaker()
        message = understood(seat, actions[seat], self._offer() is not None, self.low, self.high)
        if message.verb == "accept":
            self._price = self._offer()
        self._messages.append(message)
        self._over = message.verb in ("accept", "walk") or len(self._messages) >= self.limit

    def returns(self) -> Mapping[Seat, float]:
        """price - cost and value - price if an offer was accepted, else 0 for both."""
        if self._price is None:
            return {SELLER: 0.0, BUYER: 0.0}
        return {
            SELLER: float(self._price - self._private[SELLER]),
            BUYER: float(self._private[BUYER] - self._price),
        }

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The sentence that tells the seat its private value."""
        return (f"Your {PRIVATE[seat]} is {self._private[seat]}.",)

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Offers near the private value, answers to an open offer, walking away."""
        if seat not in self.acting:
            return ()
        own, step = self._private[seat], max(1, (self.high - self.low) // 10)
        sign = 1 if seat == SELLER else -1
        prices = [min(self.high, max(self.low, own + sign * k * step)) for k in (0, 1, 2, 4)]
        offers = [f"offer {price}: How about {price}?" for price in dict.fromkeys(prices)]
        answers = ["accept: We have a deal.", "reject: That does not work for me."] if self._offer() is not None else []
        return (*offers, *answers, "walk away: We cannot agree on a price.")

    def spectate(self) -> str:
        """Both private values, every message and the outcome."""
        values = f"cost {self._private[SELLER]}, value {self._private[BUYER]}"
        end = self._outcome() if self._over else f"{self.limit - len(self._messages)} messages left"
        return "\n".join([values, *map(str, self._messages), end])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Five matches with the default parameters."""
        return texts.KNOWN if self.spec.id in ("bargain-v0", "bargain-v1") else ()

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of the module `shortcuts` in this package."""
        return suite_beside(self)

    def _speaker(self) -> Seat:
        return self._opener if len(self._messages) % 2 == 0 else OTHER[self._opener]

    def _offer(self) -> int | None:
        """The price of the open offer, which is the last message; None without one."""
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
        return f"no deal, the {last.seat} walked away" if last.verb == "walk" else "no deal, no messages are left"
