"""Standings for people: live in a terminal, as plain lines, printed once, or as JSON."""

from league.board.opening import open_board
from league.board.plain import Board
from league.board.state import BoardState, Panel, Progress, RateMeter

__all__ = ["Board", "BoardState", "Panel", "Progress", "RateMeter", "open_board"]
