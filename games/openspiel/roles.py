"""The role of each OpenSpiel player, and the payoff type of a game."""

from __future__ import annotations

from typing import Any

from games.game import Payoff

# Player 0 first. In OpenSpiel's chess player 0 is Black, although White, player 1, moves first.
NAMED: dict[str, tuple[str, ...]] = {
    "antichess": ("black", "white"),
    "breakthrough": ("black", "white"),
    "bridge": ("north", "east", "south", "west"),
    "chess": ("black", "white"),
    "coin_game": ("player", "player"),
    "colored_trails": ("proposer", "proposer", "responder"),
    "crazyhouse": ("black", "white"),
    "cursor_go": ("black", "white"),
    "dark_chess": ("black", "white"),
    "go": ("black", "white"),
    "gomoku": ("black", "white"),
    "hex": ("black", "white"),
    "kriegspiel": ("black", "white"),
    "lewis_signaling": ("sender", "receiver"),
    "othello": ("black", "white"),
    "phantom_go": ("black", "white"),
    "rbc": ("black", "white"),
    "sheriff": ("smuggler", "sheriff"),
    "shogi": ("sente", "gote"),
    "xiangqi": ("red", "black"),
}

# Sequential games whose order of play is random or bid for, so that no seat differs from another in advance.
SYMMETRIC = frozenset((
    "backgammon", "coin_game", "crazy_eights", "cribbage", "dou_dizhu", "einstein_wurfelt_nicht", "euchre", "hearts",
    "oh_hell", "skat", "social_deduction", "spades", "tarok",
))  # fmt: skip


def roles(name: str, players: int, simultaneous: bool) -> tuple[str, ...]:
    """Returns the role of each player, in order."""
    named = NAMED.get(name)
    if named is not None and len(named) == players:
        return named
    if players == 1 or simultaneous or name in SYMMETRIC:
        return ("player",) * players
    if players == 2:
        return ("first", "second")
    return tuple(f"seat_{i}" for i in range(players))


def payoff(game: Any) -> Payoff:
    """Returns the payoff type of a loaded `pyspiel.Game`."""
    words: dict[str, Payoff] = {"ZERO_SUM": "zero_sum", "CONSTANT_SUM": "constant_sum", "IDENTICAL": "cooperative"}
    return words.get(game.get_type().utility.name, "general_sum")
