"""Go: points by column letter and row number, D4; the columns skip the letter I."""

from __future__ import annotations

from typing import Any

from games.errors import InputError
from games.game import Seat
from games.pettingzoo.adapter import EnvGame
from games.pettingzoo.kit import Turns, in_turns

_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_STONES = {0: ".", 1: "X", -1: "O"}


class Go(Turns):
    """go_v5, of any size up to 25."""

    named = ("black", "white")
    chance = False

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        size = self._size = env._N
        if not 1 <= size <= len(_COLUMNS):
            raise InputError(f"go_v5 is played on a board of 1 to {len(_COLUMNS)} lines, not board_size={size}")
        self._names = (*(f"{_COLUMNS[x]}{size - y}" for y in range(size) for x in range(size)), "pass")
        if env._komi >= 0:
            self.known = (in_turns(("black_0", "white_0"), "pass pass", -1.0),)
        self.max_turns = max(4 * size * size, 200)
        self.rules = (
            f"Go on a board of {size} by {size}. black_0 plays X and moves first, white_0 plays O. A stone is put "
            "on a free point, or the player passes. Opposing groups without a free neighbouring point are taken "
            "off; a move that leaves its own group without one is illegal, and so is taking back a single stone "
            "at once (ko). Two passes in a row end the game. Then each side counts its stones on the board and "
            f"the free points that only its stones border, White adds {env._komi:g}. The higher count wins, an "
            f"equal one is White's: +1 for the winner, -1 for the loser. After {self.max_turns} moves the game is "
            "a draw: 0 for both.\n"
            f"An action is a point, column letter and row number (A1 is the lower left corner, "
            f"{_COLUMNS[size - 1]}{size} the upper right one; the letter I is left out), or: pass"
        )

    def enter(self) -> None:
        """The environment keeps the board's size in variables of its module, shared by all boards of the process."""
        from pettingzoo.classic.go import go_base

        if self._size != go_base.N:
            self.env._overwrite_go_global_variables(board_size=self._size)

    def menu(self, game: EnvGame, seat: Seat) -> dict[str, Any]:
        """The environment's own legal points, and passing."""
        names = self._names
        return {names[action]: int(action) for action in self.env.next_legal_moves}

    def text(self, game: EnvGame, seat: Seat) -> str:
        """The board, captures, the last moves, the seat's stones."""
        position, size = self.env._go, self._size
        columns = "   " + " ".join(_COLUMNS[:size])
        rows = [f"{size - y:>2} " + " ".join(_STONES[int(v)] for v in row) for y, row in enumerate(position.board)]
        stones = "XO"[game.seats.index(seat)]
        lines = [f"You are {seat} and play {stones}.", *rows, columns]
        lines.append(f"Captured by X: {position.caps[0]}, by O: {position.caps[1]}.")
        if game.played:
            lines.append("Last moves: " + " ".join(text for turn in game.played[-6:] for text in turn.values()))
        return "\n".join([*lines, game.status(seat)])
