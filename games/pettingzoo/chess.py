"""Chess, with moves in UCI notation."""

from __future__ import annotations

from typing import Any

from games.game import Seat
from games.pettingzoo.interface import BoardInterface, EnvState, in_turns


class Chess(BoardInterface):
    """chess_v6."""

    named = ("white", "black")
    max_turns = 1000
    chance = False
    outcomes = (
        in_turns(("player_0", "player_1"), "f2f3 e7e5 g2g4 d8h4", -1.0),
        in_turns(("player_0", "player_1"), "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", 1.0),
    )
    rules = (
        "Chess with the standard rules. player_0 plays White and moves first, player_1 plays Black. Checkmate wins: +1 "
        "for the winner, -1 for the loser. The game is drawn, 0 for both, by stalemate, by insufficient material, and "
        "as soon as the player to move could claim a draw: by the fifty-move rule, or because a position has occurred "
        f"three times or would occur a third time after a legal move. It is also drawn after {max_turns} moves of both "
        "sides together.\n"
        "An action is a move in UCI notation: the square moved from and the square moved to, e2e4; castling is the "
        "king's move, e1g1; a promotion names the piece, e7e8q."
    )

    def menu(self, state: EnvState, seat: Seat) -> dict[str, Any]:
        """Returns the legal actions of the environment, named by their UCI moves."""
        from pettingzoo.classic.chess import chess_utils

        board, player = self.env.board, state.seats.index(seat)
        actions = chess_utils.legal_moves(board)
        return {chess_utils.action_to_move(board, action, player).uci(): action for action in actions}

    def text(self, state: EnvState, seat: Seat) -> str:
        """Returns the board from White's side, the position in FEN and the last moves."""
        board = self.env.board
        rows = [f"{8 - i} {row}" for i, row in enumerate(str(board).split("\n"))]
        colour = ("White", "Black")[state.seats.index(seat)]
        moves = " ".join(text for turn in state.played[-8:] for text in turn.values())
        lines = [f"You are {seat} and play {colour}, the {'upper' if colour == 'White' else 'lower'} case letters."]
        lines += [*rows, "  a b c d e f g h", f"FEN: {board.fen()}"]
        if moves:
            lines.append(f"Last moves: {moves}")
        check = " You are in check." if state.acting == (seat,) and board.is_check() else ""
        return "\n".join([*lines, state.status(seat) + check])
