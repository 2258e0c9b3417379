"""Tic-tac-toe, with cells 1 to 9, row by row."""

from __future__ import annotations

from typing import Any

from games.game import Seat
from games.pettingzoo.interface import BoardInterface, EnvState, in_turns

# The environment counts cells column by column: 0 3 6 / 1 4 7 / 2 5 8.
_CELLS = tuple(column * 3 + row for row in range(3) for column in range(3))
_NAMES = tuple("123456789")


class TicTacToe(BoardInterface):
    """tictactoe_v3."""

    max_turns = 9
    chance = False
    twin = "tic_tac_toe"
    outcomes = (
        in_turns(("player_1", "player_2"), "1 4 2 5 3", 1.0),
        in_turns(("player_1", "player_2"), "1 3 2 5 9 7", -1.0),
        in_turns(("player_1", "player_2"), "1 2 3 5 4 7 6 9 8", 0.0),
    )
    rules = (
        "Tic-tac-toe on a board of 3 by 3 cells. Two players take turns marking one free cell; player_1 plays x and "
        "moves first, player_2 plays o. The first player with three marks in a line (across, down or diagonal) wins: "
        "+1 for the winner, -1 for the loser. A full board without such a line is a draw: 0 for both.\n"
        "An action is the number of a free cell; the cells are numbered row by row:\n1 2 3\n4 5 6\n7 8 9"
    )

    def menu(self, state: EnvState, seat: Seat) -> dict[str, Any]:
        """Returns the free cells."""
        squares = self.env.board.squares
        return {name: cell for name, cell in zip(_NAMES, _CELLS, strict=True) if squares[cell] == 0}

    def text(self, state: EnvState, seat: Seat) -> str:
        """Returns the board with the numbers of its free cells, the seat's mark and whose turn it is."""
        squares = self.env.board.squares
        marks = [(name, "x", "o")[squares[cell]] for name, cell in zip(_NAMES, _CELLS, strict=True)]
        rows = [" ".join(marks[i : i + 3]) for i in (0, 3, 6)]
        mark = "xo"[state.seats.index(seat)]
        return "\n".join([f"You are {seat} and play {mark}.", *rows, state.status(seat)])

    def twin_action(self, action: Any) -> int:
        """OpenSpiel counts cells row by row."""
        return int(action) % 3 * 3 + int(action) // 3
