"""Renders boards. Each function turns OpenSpiel's text for one player into the observation of a seat."""

from __future__ import annotations

import re
from collections import Counter

from games.openspiel.view_context import Renderer, ViewContext, grid

_XO = ("x", "o")
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _numbers(n: int) -> list[str]:
    return [str(i) for i in range(n)]


def tic_tac_toe(raw: str, view: ViewContext) -> str:
    """Returns the 3x3 board with row and column numbers."""
    board = grid(raw.split(), _numbers(3), _numbers(3))
    return f"You are {_XO[view.player]}. {view.status}\n{board}"


def connect_four(raw: str, view: ViewContext) -> str:
    """Returns the board, bottom row last, with column numbers."""
    frame, start = view.frame or _frame(view, raw)
    text = frame[:]
    text[start::2] = raw.replace("\n", "").encode()  # every other byte: half of the time of a join of the cells
    return text.decode()


def _frame(view: ViewContext, raw: str) -> tuple[bytearray, int]:
    """Returns a text with any cells, for all positions of a view, and where its first cell is."""
    rows = raw.split()
    columns = " ".join(str(i % 10) for i in range(len(rows[0])))
    head = f"You are {_XO[view.player]}. {view.status}\n{columns}\n"
    view.frame = bytearray((head + "\n".join(map(" ".join, rows))).encode()), len(head)
    return view.frame


def ultimate_tic_tac_toe(raw: str, view: ViewContext) -> str:
    """Returns the nine local boards, which of them are won, and the board of the next mark."""
    body, _, tail = raw.partition("Current player")
    bands = [band.split("\n") for band in body.strip().split("\n\n")]
    boards = ["".join(line.split()[c] for line in band) for band in bands for c in range(3)]
    won: dict[str, list[str]] = {"x": [], "o": []}
    for number, cells in enumerate(boards):
        for a, b, c in _LINES:
            if cells[a] == cells[b] == cells[c] != ".":
                won[cells[a]].append(str(number))
                break
    local_boards = "\n".join(f"{n}: {cells[:3]}/{cells[3:6]}/{cells[6:]}" for n, cells in enumerate(boards))
    forced = tail.rpartition("Forced board: ")[2].strip()
    to_go = "any unfinished board" if forced == "any" else f"board {forced}"
    where = "" if view.over else f"The next mark goes to {to_go}.\n"
    return (
        f"You are {_XO[view.player]}. {view.status}\n{where}"
        f"Boards won: x {', '.join(won['x']) or 'none'}; o {', '.join(won['o']) or 'none'}\n"
        f"Local boards (row 0/row 1/row 2):\n{local_boards}"
    )


def breakthrough(raw: str, view: ViewContext) -> str:
    """Returns OpenSpiel's board with the player's colour and direction."""
    side = ("b (black), moving down", "w (white), moving up")[view.player]
    width = len(raw.rstrip().split("\n")[-1])
    lines = [line if len(line) == width else line.rjust(width) for line in raw.rstrip().split("\n")]
    return f"You are {side}. {view.status}\n" + "\n".join(lines)


_HEX = str.maketrans("yzXpqO", "xxxooo")


def hex_board(raw: str, view: ViewContext) -> str:
    """Returns the slanted board with letters for columns and numbers for rows."""
    if view.params.get("string_rep", "standard") != "standard":
        return f"{view.status}\n{raw.rstrip()}"
    rows = [line.split() for line in raw.rstrip().split("\n")]
    letters = " ".join(chr(ord("a") + i) for i in range(len(rows[0])))
    lines = [
        f"{' ' * i}{i + 1:>2} {''.join(c + ' ' for c in row).translate(_HEX).rstrip()}" for i, row in enumerate(rows)
    ]
    side = ("x: join the top row to the bottom row", "o: join the left column to the right column")[view.player]
    return f"You are {side}. {view.status}\n   {letters}\n" + "\n".join(lines)


def nim(raw: str, view: ViewContext) -> str:
    """Returns the objects left in each pile."""
    piles = raw.partition(":")[2].split()
    return f"{view.status} Objects left: " + ", ".join(f"pile {i}: {n}" for i, n in enumerate(piles, 1))


def dots_and_boxes(raw: str, view: ViewContext) -> str:
    """Returns the drawing and the boxes each player owns."""
    owned = Counter(c for line in raw.split("\n") for c in line if c in "12")
    number, other = str(view.player + 1), str(2 - view.player)
    return f"You are P{number}. {view.status} Boxes: you {owned[number]}, P{other} {owned[other]}.\n{raw.rstrip()}"


def chess(raw: str, view: ViewContext) -> str:
    """Returns the position in FEN."""
    return f"You are {('Black', 'White')[view.player]}. {view.status}\nFEN: {raw.strip()}"


_FEN = re.compile(r"((?:[1-8a-zA-Z]{1,8}/){7}[1-8a-zA-Z]{1,8}) ([wb]) ")


def board_of_fen(text: str) -> str:
    """Returns the board of a position in FEN, for people, with whose turn it is; "" if the text is not one."""
    match = _FEN.match(text)
    if match is None:
        return ""
    rows = [re.sub(r"\d", lambda digit: "." * int(digit[0]), row) for row in match[1].split("/")]
    side = {"w": "White", "b": "Black"}[match[2]]
    return f"{grid(rows, list('abcdefgh'), [str(n) for n in range(8, 0, -1)])}\n{side} to move."


def othello(raw: str, view: ViewContext) -> str:
    """Returns OpenSpiel's board and the numbers of discs."""
    board = raw.rstrip().split("\n")
    start = next(i for i, line in enumerate(board) if line.strip().startswith("a b"))
    discs = Counter("".join(line[2:-1] for line in board[start + 1 : start + 9]))
    side = ("x (Black)", "o (White)")[view.player]
    rows = "\n".join(line.rstrip() for line in board[start : start + 9])
    return f"You are {side}. {view.status} Discs: x {discs['x']}, o {discs['o']}.\n{rows}"


def mancala(raw: str, view: ViewContext) -> str:
    """Returns the number of beans in every pit, by pit number."""
    top, stores, bottom = raw.split("\n")[:3]
    beans = dict(zip(range(13, 7, -1), top.strip("-").split("-"), strict=True))
    beans |= dict(zip(range(1, 7), bottom.strip("-").split("-"), strict=True))
    left, right = re.split("-+", stores)

    def row(first: int, store: int, held: str) -> str:
        return " ".join(f"{pit}:{beans[pit]}" for pit in range(first, first + 6)) + f" store {store}:{held}"

    rows = [row(1, 7, right), row(8, 0, left)]
    yours, theirs = rows[view.player], rows[1 - view.player]
    return f"{view.status} Beans as pit:beans.\nYours: {yours}\nTheirs: {theirs}"


def pig(raw: str, view: ViewContext) -> str:
    """Returns scores and the turn total."""
    scores, _, total = raw.partition("\n")[0].partition(", Turn total:")
    each = ", ".join(f"{view.name(i)} {s}" for i, s in enumerate(scores.split()[1:]))
    return f"{view.status} Banked: {each}. Turn total: {total.strip()}."


BOARDS: dict[str, Renderer] = {
    "breakthrough": breakthrough,
    "chess": chess,
    "connect_four": connect_four,
    "dots_and_boxes": dots_and_boxes,
    "hex": hex_board,
    "mancala": mancala,
    "nim": nim,
    "othello": othello,
    "pig": pig,
    "tic_tac_toe": tic_tac_toe,
    "ultimate_tic_tac_toe": ultimate_tic_tac_toe,
}
