"""The poker games of RLCard: Leduc, limit and no-limit hold'em."""

from __future__ import annotations

from typing import Any

from games.game import Seat
from games.pettingzoo.interface import EnvState, TextInterface, in_turns

_RANKS = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_TWO = ("player_0", "player_1")
_FIXED = ("call", "raise", "fold", "check")
_FREE = ("fold", "call", "half", "pot", "all-in")


def card(index: str) -> str:
    """Returns RLCard's `SK` as `king of spades`."""
    return f"{_RANKS.get(index[1], index[1])} of {_SUITS[index[0]]}"


class Poker(TextInterface):
    """The common part: a seat sees its hand, the public cards, the chips put in and the betting."""

    payoff = "zero_sum"
    phase = "bet"
    names: tuple[str, ...] = _FIXED

    def menu(self, state: EnvState, seat: Seat) -> dict[str, Any]:
        """Returns the betting actions that RLCard allows now."""
        return {self.names[action]: action for action in sorted(self.env.next_legal_moves)}

    def text(self, state: EnvState, seat: Seat) -> str:
        """Returns hand, public cards, chips and the betting so far."""
        view = self._view(state, seat)
        public = ", ".join(map(card, _cards(view, "public"))) or "none yet"
        chips = ", ".join(f"{s} {c}" for s, c in zip(state.seats, view["all_chips"], strict=True))
        betting = ", ".join(f"{s} {text}" for turn in state.played for s, text in turn.items()) or "none yet"
        return "\n".join(
            [
                f"You are {seat}.",
                f"Your hand: {', '.join(map(card, _cards(view, 'hand')))}.",
                f"Public cards: {public}.",
                f"Chips put in: {chips}.",
                f"Betting so far: {betting}.",
                state.status(seat),
            ]
        )

    def secrets(self, state: EnvState, seat: Seat) -> tuple[str, ...]:
        """Returns the cards in the hand; each is in the deck only once."""
        return tuple(map(card, _cards(self._view(state, seat), "hand")))

    def _view(self, state: EnvState, seat: Seat) -> Any:
        """Returns RLCard's own view of a seat."""
        return self.env.env.game.get_state(state.seats.index(seat))


def _cards(view: Any, kind: str) -> list[str]:
    cards = view["hand"] if kind == "hand" else view.get("public_cards", view.get("public_card"))
    return [cards] if isinstance(cards, str) else list(cards or ())


class Leduc(Poker):
    """leduc_holdem_v4."""

    max_turns = 12
    # Seed 3 deals queen and king, then a public jack; player_0 acts first.
    outcomes = (
        in_turns(_TWO, "fold", -0.5, seed=3),
        in_turns(_TWO, "call check check check", -1.0, seed=3),
        in_turns(_TWO, "raise call raise raise call", -6.0, seed=3),
        in_turns(_TWO, "call check raise fold", 1.0, seed=3),
    )
    returns_range = (-7.0, 7.0)
    rules = (
        "Leduc hold'em for two players. The deck has six cards: jack, queen and king of spades and of hearts. "
        "Each player gets one card. One of them, drawn at random, puts in 1 chip (the small blind) and acts "
        "first, the other puts in 2 (the big blind). After the first round of betting one public card is shown, "
        "then the second round follows. A raise is 2 chips in the first round and 4 in the second, at most two "
        "raises per round. At the end a hand that pairs the public card wins, otherwise the higher rank; equal "
        "hands split the pot. A player who folds loses the chips they put in. The return is the number of chips won or "
        "lost, divided by 2.\n"
        "An action is one of: call (match the other's chips), raise (match and add the raise), fold (give up), check "
        "(add nothing, when there is nothing to match)."
    )


class Limit(Poker):
    """texas_holdem_v4, of any number of players."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        n = int(env.num_players)
        self.max_turns = 20 * n
        if n == 2:
            # Seed 3 deals a pair of fives to player_0, who acts first, and a straight to player_1.
            self.outcomes = (
                in_turns(_TWO, "raise fold", 1.0, seed=3),
                in_turns(_TWO, "call" + " check" * 7, -1.0, seed=3),
                in_turns(_TWO, "raise call" + " check" * 6, -2.0, seed=3),
            )
        self.returns_range = (-25.0, 25.0 * (n - 1))
        self.rules = (
            f"Limit Texas hold'em for {n} players with 52 cards. Each player gets two cards; one player, drawn at "
            "random, puts in 1 chip (the small blind), the next 2 (the big blind), and the one after them acts "
            "first. There are four rounds of betting: before any public card, after three, after a fourth, after "
            "a fifth. A raise is 2 chips in the first two rounds and 4 in the last two, at most four raises "
            "per round. At the end the best five-card poker hand of a player's own and the public cards wins the pot;"
            " equal hands split it. A player who folds loses the chips they put in. The return is the number of chips "
            "won or lost, divided by 2.\n"
            "An action is one of: call (match the highest), raise (match and add the raise), fold (give up), check "
            "(add nothing, when there is nothing to match)."
        )


class NoLimit(Poker):
    """texas_holdem_no_limit_v6, of any number of players."""

    names = _FREE

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        n = int(env.num_players)
        self.max_turns = 40 * n
        if n == 2:
            # Seed 3 deals a straight to player_0, who acts first.
            self.outcomes = (
                in_turns(_TWO, "fold", -1.0, seed=3),
                in_turns(_TWO, "call" + " call" * 7, 2.0, seed=3),
                in_turns(_TWO, "all-in call", 100.0, seed=3),
            )
        self.returns_range = (-100.0, 100.0 * (n - 1))
        self.rules = (
            f"No-limit Texas hold'em for {n} players with 52 cards and 100 chips each. Each player gets two cards;"
            " two adjacent players, drawn at random, put in 1 chip (the small blind) and 2 (the big blind), and the one"
            " after them acts first. There are four rounds of betting: before any public card, after three, after"
            " a fourth, after a fifth. At the end the best five-card poker hand of a player's own and the public "
            "cards wins the pot; equal hands split it. A player who folds loses the chips they put in. The return is "
            "the number of chips won or lost.\n"
            "An action is one of: fold (give up), call (match the highest, or check when there is nothing to match), "
            "half (bet half the pot), pot (bet the size of the pot), all-in (bet all your chips)."
        )
