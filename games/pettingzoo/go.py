"""Go, with points named by column letter and row number (D4); there is no column I."""

from __future__ import annotations

from typing import Any

from games.game import Seat
from games.pettingzoo.interface import BoardInterface, EnvState, in_turns

_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_STONES = {0: ".", 1: "X", -1: "O"}


class Go(BoardInterface):
    """go_v5, of any board size up to 25."""

    named = ("black", "white")
    chance = False

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        size = self._size = env._N
        self._names = (*(f"{_COLUMNS[x]}{size - y}" for y in range(size) for x in range(size)), "pass")
        if env._komi >= 0:
            self.outcomes = (in_turns(("black_0", "white_0"), "pass pass", -1.0),)
        self.max_turns = max(4 * size * size, 200)
        self.rules = (
            f"Go on a board of {size} by {size}. black_0 plays X and moves first, white_0 plays O. On your turn, "
            "place a stone on a free point or pass. Opposing groups without a free adjacent point are captured; a "
            "move that leaves its own group without one is illegal, and so is recapturing a single stone at once "
            "(ko). Two passes in a row end the game. Then each side counts its stones on the board and the free "
            f"points that only its stones border; White adds {env._komi:g}. The higher count wins, and White wins "
            f"ties: +1 for the winner, -1 for the loser. After {self.max_turns} moves the game is a draw: 0 for both.\n"
            f"An action is a point, written as column letter and row number (A1 is the lower left corner, "
            f"{_COLUMNS[size - 1]}{size} the upper right one; the letter I is not used), or: pass"
        )

    def enter(self) -> None:
        """Set the board size, which the environment keeps in module variables that all boards of the process share."""
        from pettingzoo.classic.go import go_base

        if self._size != go_base.N:
            self.env._overwrite_go_global_variables(board_size=self._size)

    def menu(self, state: EnvState, seat: Seat) -> dict[str, Any]:
        """Returns the legal points of the environment, and pass."""
        names = self._names
        return {names[action]: int(action) for action in self.env.next_legal_moves}

    def text(self, state: EnvState, seat: Seat) -> str:
        """Returns the board, captures, the last moves and the colour of the seat."""
        position, size = self.env._go, self._size
        columns = "   " + " ".join(_COLUMNS[:size])
        rows = [f"{size - y:>2} " + " ".join(_STONES[int(v)] for v in row) for y, row in enumerate(position.board)]
        stones = "XO"[state.seats.index(seat)]
        lines = [f"You are {seat} and play {stones}.", *rows, columns]
        lines.append(f"Captured by X: {position.caps[0]}, by O: {position.caps[1]}.")
        if state.played:
            lines.append("Last moves: " + " ".join(text for turn in state.played[-6:] for text in turn.values()))
        return "\n".join([*lines, state.status(seat)])
