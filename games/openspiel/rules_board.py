"""Rules of board and dice games as OpenSpiel 2.0.2 implements them, with its notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Rules: TypeAlias = Callable[[Any, dict[str, Any]], str]
"""(pyspiel.Game, its parameters with defaults) -> rules text"""


TIC_TAC_TOE = (
    "Tic-tac-toe on a 3x3 board. player_0 plays x and moves first, player_1 plays o. On your turn, mark one empty "
    "cell. Three of your marks in a row, column or diagonal win; a full board without such a line is a draw.\n"
    "An action is mark(row,column), with rows counted from the top and columns from the left, both from 0: x(1,1) "
    "is the centre. A dot is an empty cell."
)


def connect_four(_game: Any, p: dict[str, Any]) -> str:
    """Connect four."""
    n = p["x_in_row"]
    return (
        f"Connect four on a board of {p['rows']} rows and {p['columns']} columns. player_0 plays x and moves first, "
        "player_1 plays o. On your turn, drop one disc into a column that is not full; it falls to the lowest empty "
        f"cell. {n} of your discs in a line (across, down or diagonal) win; a full board without such a line is a "
        "draw.\n"
        "An action is your mark and the column from the left, from 0: x3 or o3."
    )


ULTIMATE_TIC_TAC_TOE = (
    "Ultimate tic-tac-toe: a 3x3 arrangement of nine local 3x3 boards, numbered 0 1 2 / 3 4 5 / 6 7 8. player_0 "
    "plays x and moves first, player_1 plays o. The cell you mark in a local board determines the local board in "
    "which your opponent must play next: cell (row,column) stands for board 3*row+column. If that board is "
    "finished, or at the start of the game, the player to move first chooses any unfinished board and then marks "
    "a cell in it. Three marks in a line win a local board; a full local board without a line belongs to neither "
    "player. Three local boards in a line win the game; if all local boards are finished without such a line, the "
    "game is a draw.\n"
    "Actions: 'Choose local board 4', then 'Local board 4: x(0,2)' (row, column from the top left, from 0)."
)


def breakthrough(_game: Any, p: dict[str, Any]) -> str:
    """Breakthrough."""
    rows = p["rows"]
    high = f" Row {rows} is printed as {chr(48 + rows)}." if rows > 9 else ""
    return (
        f"Breakthrough on {p['columns']} columns (letters from a) and {rows} rows (1 at the bottom). player_0 has the "
        "black pieces b at the top, moves first and moves down; player_1 has the white pieces w at the bottom and "
        "moves up. A piece moves one square straight or diagonally forward to an empty square, or captures an enemy "
        "piece one square diagonally forward (never straight). You win by reaching the far row "
        f"(black row 1, white row {rows}) or by capturing every enemy piece. There are no draws.\n"
        f"An action is from-square to-square, with * for a capture: e5e4, e4f3*.{high}"
    )


def hex_game(_game: Any, p: dict[str, Any]) -> str:
    """Hex."""
    swap = (
        " After the first stone, the second player may take it over instead of placing one (swap)."
        if p.get("swap")
        else ""
    )
    return (
        f"Hex on {p['num_cols']} columns (letters from a) and {p['num_rows']} rows (numbers from 1 at the top); each "
        "row is drawn half a cell to the right of the one above, so a cell touches left, right, the two above (same "
        "column, next column) and the two below (same column, previous column). player_0 places x, moves first and "
        "wins with a chain of x from the top row to the bottom row; player_1 places o and wins with a chain of o "
        f"from the left column to the right column. Stones never move; there are no draws.{swap}\n"
        "An action is an empty cell: c3 is column c, row 3."
    )


def nim(_game: Any, p: dict[str, Any]) -> str:
    """Nim."""
    end = "loses" if p["is_misere"] else "wins"
    return (
        f"Nim. The piles start with {str(p['pile_sizes']).replace(';', ', ')} objects. Players take turns, player_0 "
        "first; on your turn, take any number of objects, at least one, from one pile. The player who takes the last "
        f"object {end}.\n"
        "An action names the pile (counted from 1) and the number of objects: pile:2, take:3;"
    )


def dots_and_boxes(_game: Any, p: dict[str, Any]) -> str:
    """Dots and boxes."""
    goal = (
        "Your return is the difference in boxes."
        if p["utility_margin"]
        else "The player with more boxes wins; equal numbers are a draw."
    )
    return (
        f"Dots and boxes, {p['num_rows']} rows by {p['num_cols']} columns of boxes. Players take turns, player_0 "
        "(P1) first; on your turn, draw one line between two adjacent dots. If you draw the fourth side of a box, the "
        f"box is yours and you move again. The game ends when every line is drawn. {goal}\n"
        "An action is P1(h,row,column) for a horizontal line to the right of the dot at row, column, or "
        "P1(v,row,column) for a vertical line below it. Dots are counted from 0 at the top left; player_1 writes P2."
    )


def chess(_game: Any, p: dict[str, Any]) -> str:
    """Chess."""
    variant = "Chess960: the back rows start shuffled. " if p["chess960"] else ""
    return (
        f"Chess. {variant}player_1 is White and moves first, player_0 is Black. Checkmate wins. Draws: stalemate, the "
        "same position three times, 50 moves of each side without a capture or a pawn move, or insufficient material "
        "for checkmate.\nAn action is a move in standard algebraic notation, + for check and # for mate: e4, Nf3, "
        "exd5, Bb5+, O-O, e8=Q. The position is given in FEN."
    )


OTHELLO = (
    "Othello on 8x8. player_0 is Black (x) and moves first, player_1 is White (o). Place a disc so that at least "
    "one straight line of enemy discs (any of the 8 directions) lies between it and another disc of yours; all "
    "such lines flip to your colour. A player who cannot do this must pass. The game ends when neither player can "
    "move; the player with more discs wins, and equal numbers are a draw.\n"
    "An action is a cell, the column letter followed by the row number from the top (d3), or pass."
)


MANCALA = (
    "Mancala (Kalah). player_0 moves first and owns pits 1-6 and store 7; player_1 owns pits 8-13 and store 0. "
    "Each pit starts with 4 beans. Choose one of your pits with beans; its beans are sown one by one into the "
    "following pits in increasing order (0 follows 13), including your own store but not your opponent's. If "
    "the last bean falls into your store, you move again. If it falls into an empty pit of yours and the opposite "
    "pit (the numbers add up to 14) holds beans, that bean and those beans go to your store. The game ends when "
    "one side's six pits are empty; beans left on the other side count for their owner. The player with more "
    "beans wins; equal numbers are a draw.\n"
    "An action is the number of the pit."
)


def pig(game: Any, p: dict[str, Any]) -> str:
    """Pig."""
    sides, goal, n = p["diceoutcomes"], p["winscore"], game.num_players()
    bust = "loses the turn total and ends the turn"
    if p.get("piglet"):
        dice = f"A roll adds 1 to your turn total, but with probability 1/{sides} it {bust} instead."
    else:
        dice = f"A roll of 2 to {sides} is added to your turn total; a roll of 1 {bust}."
    others = "-1" if n == 2 else f"-1/{n - 1}"
    return (
        f"Pig for {n} players with a {sides}-sided die, player_0 first. On your turn, roll as many times as you like. "
        f"{dice} Stop banks the turn total and ends your turn. The first player to bank {goal} points wins (return 1, "
        f"the others {others}); after {p['horizon']} decisions without a winner, all players get 0.\n"
        "Actions: roll, stop."
    )


BOARD_RULES: dict[str, Rules | str] = {
    "breakthrough": breakthrough,
    "chess": chess,
    "connect_four": connect_four,
    "dots_and_boxes": dots_and_boxes,
    "hex": hex_game,
    "mancala": MANCALA,
    "nim": nim,
    "othello": OTHELLO,
    "pig": pig,
    "tic_tac_toe": TIC_TAC_TOE,
    "ultimate_tic_tac_toe": ULTIMATE_TIC_TAC_TOE,
}
