"""Shows the standings of a run: live in a terminal with pages and keys, as plain lines, printed once, or as JSON."""

from league.board.base import Board
from league.board.factory import open_board
from league.board.state import BoardState, Panel, Progress, RateMeter

__all__ = ["Board", "BoardState", "Panel", "Progress", "RateMeter", "open_board"]
