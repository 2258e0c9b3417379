"""The poker games of RLCard: Leduc, limit and no-limit hold'em."""

from __future__ import annotations

from typing import Any

from games.errors import InputError
from games.game import Seat
from games.pettingzoo.adapter import EnvGame
from games.pettingzoo.kit import Kit, in_turns

_RANKS = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_MOST = 23  # two cards each and five in public, of 52
_TWO = ("player_0", "player_1")
_FIXED = ("call", "raise", "fold", "check")
_FREE = ("fold", "call", "half", "pot", "all-in")


def card(index: str) -> str:
    """RLCard's `SK` as `king of spades`."""
    return f"{_RANKS.get(index[1], index[1])} of {_SUITS[index[0]]}"


class Poker(Kit):
    """What the three share. The environment shows a seat its hand, the public cards and the chips put in."""

    payoff = "zero_sum"
    phase = "bet"
    names: tuple[str, ...] = _FIXED

    def menu(self, game: EnvGame, seat: Seat) -> dict[str, Any]:
        """The betting moves RLCard allows now."""
        return {self.names[action]: action for action in sorted(self.env.next_legal_moves)}

    def text(self, game: EnvGame, seat: Seat) -> str:
        """Hand, public cards, chips and the betting so far."""
        state = self._state(game, seat)
        public = ", ".join(map(card, _cards(state, "public"))) or "none yet"
        chips = ", ".join(f"{s} {c}" for s, c in zip(game.seats, state["all_chips"], strict=True))
        betting = ", ".join(f"{s} {text}" for turn in game.played for s, text in turn.items()) or "none yet"
        return "\n".join(
            [
                f"You are {seat}.",
                f"Your hand: {', '.join(map(card, _cards(state, 'hand')))}.",
                f"Public cards: {public}.",
                f"Chips put in: {chips}.",
                f"Betting so far: {betting}.",
                game.status(seat),
            ]
        )

    def secrets(self, game: EnvGame, seat: Seat) -> tuple[str, ...]:
        """The cards in the hand: each is in the deck once, so nobody else can see it."""
        return tuple(map(card, _cards(self._state(game, seat), "hand")))

    def _state(self, game: EnvGame, seat: Seat) -> Any:
        return self.env.env.game.get_state(game.seats.index(seat))


def _cards(state: Any, kind: str) -> list[str]:
    found = state["hand"] if kind == "hand" else state.get("public_cards", state.get("public_card"))
    return [found] if isinstance(found, str) else list(found or ())


def _players(env: Any) -> int:
    """How many play hold'em. RLCard deals to one as well, and then never comes to an end."""
    n = int(env.num_players)
    if not 2 <= n <= _MOST:
        raise InputError(f"hold'em is for 2 to {_MOST} players, not num_players={n}")
    return n


class Leduc(Poker):
    """leduc_holdem_v4."""

    max_turns = 12
    # seed 3 deals queen, king, then the jack in public, and player_0 begins
    known = (
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
        "then comes the second round. A raise is 2 chips in the first round and 4 in the second, at most two "
        "raises a round. At the end a hand that pairs the public card wins, otherwise the higher rank; equal "
        "hands share the pot. Who folds loses what it put in. The return is the chips won or lost, divided by "
        "2.\n"
        "An action is one of: call (match the other's chips), raise (match and add the raise), fold (give up), check "
        "(add nothing, when there is nothing to match)."
    )


class Limit(Poker):
    """texas_holdem_v4, of any number of players."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        n = _players(env)
        self.max_turns = 20 * n
        if n == 2:
            # seed 3 deals a pair of fives to player_0, who begins, and a straight to player_1
            self.known = (
                in_turns(_TWO, "raise fold", 1.0, seed=3),
                in_turns(_TWO, "call" + " check" * 7, -1.0, seed=3),
                in_turns(_TWO, "raise call" + " check" * 6, -2.0, seed=3),
            )
        self.returns_range = (-25.0, 25.0 * (n - 1))
        self.rules = (
            f"Limit Texas hold'em for {n} players with 52 cards. Each player gets two cards; one player, drawn at "
            "random, puts in 1 chip (the small blind), the next 2 (the big blind), and the one after them acts "
            "first. There are four rounds of betting: before any public card, after three, after a fourth, after "
            "a fifth. A raise is 2 chips in the first two rounds and 4 in the last two, at most four raises a "
            "round. At the end the best five-card poker hand of a player's own and the public cards wins the pot;"
            " equal hands share it. Who folds loses what it put in. The return is the chips won or lost, divided "
            "by 2.\n"
            "An action is one of: call (match the highest), raise (match and add the raise), fold (give up), check "
            "(add nothing, when there is nothing to match)."
        )


class NoLimit(Poker):
    """texas_holdem_no_limit_v6, of any number of players."""

    names = _FREE

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        n = _players(env)
        self.max_turns = 40 * n
        if n == 2:
            # seed 3 deals a straight to player_0, who begins
            self.known = (
                in_turns(_TWO, "fold", -1.0, seed=3),
                in_turns(_TWO, "call" + " call" * 7, 2.0, seed=3),
                in_turns(_TWO, "all-in call", 100.0, seed=3),
            )
        self.returns_range = (-100.0, 100.0 * (n - 1))
        self.rules = (
            f"No-limit Texas hold'em for {n} players with 52 cards and 100 chips each. Each player gets two cards;"
            " two neighbours, drawn at random, put in 1 chip (the small blind) and 2 (the big blind), and the one"
            " after them acts first. There are four rounds of betting: before any public card, after three, after"
            " a fourth, after a fifth. At the end the best five-card poker hand of a player's own and the public "
            "cards wins the pot; equal hands share it. Who folds loses what it put in. The return is the chips "
            "won or lost.\n"
            "An action is one of: fold (give up), call (match the highest, or check when there is nothing to match), "
            "half (put in half the pot), pot (put in the pot), all-in (put in all your chips)."
        )
