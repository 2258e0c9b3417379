"""Connect four, with columns 1 to 7 as printed above the board."""

from __future__ import annotations

from typing import Any

from games.game import Seat
from games.pettingzoo.interface import BoardInterface, EnvState, in_turns

_NAMES = tuple("1234567")
_MARKS = ".xo"


class ConnectFour(BoardInterface):
    """connect_four_v3."""

    max_turns = 42
    chance = False
    twin = "connect_four"
    outcomes = (
        in_turns(("player_0", "player_1"), "1 2 1 2 1 2 1", 1.0),
        in_turns(("player_0", "player_1"), "7 4 7 5 7 6 1 3", -1.0),
    )
    rules = (
        "Connect four on a board of 6 rows and 7 columns. Two players take turns dropping one disc into a column that "
        "is not full; the disc falls to the lowest free cell. player_0 plays x and moves first, player_1 plays o. "
        "The first player with four discs in a line (across, down or diagonal) wins: +1 for the winner, -1 "
        "for the loser. A full board without such a line is a draw: 0 for both.\n"
        "An action is the number of a column, 1 (left) to 7 (right)."
    )

    def menu(self, state: EnvState, seat: Seat) -> dict[str, Any]:
        """Returns the columns whose top cell is free."""
        board = self.env.board
        return {name: column for column, name in enumerate(_NAMES) if board[column] == 0}

    def text(self, state: EnvState, seat: Seat) -> str:
        """Returns the board, the seat's mark and whose turn it is."""
        board = self.env.board
        rows = [" ".join(_MARKS[v] for v in board[i : i + 7]) for i in range(0, 42, 7)]
        mark = "xo"[state.seats.index(seat)]
        return "\n".join([f"You are {seat} and play {mark}.", " ".join(_NAMES), *rows, state.status(seat)])
