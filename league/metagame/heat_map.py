"""The payoff matrix as text, for the live board and `arena board`."""

from __future__ import annotations

from rich.cells import cell_len

from league.board import Panel
from league.board.cells import clean, pad
from league.board.short_names import shortened
from league.metagame.payoff import PayoffMatrix

NAME_MAX, CELL = 16, 4
SHADES = " ░▒▓█"


def heat_map_panel(payoff: PayoffMatrix, width: int = 100, game: str = "") -> Panel:
    """Returns a panel for the board, with the players in the order of `payoff`. `game`: if there are others."""
    where = f" in {clean(game)}" if game else ""
    return Panel(f"who beats whom{where}: points of 100, row against column", tuple(heat_map_lines(payoff, width)))


def heat_map_lines(payoff: PayoffMatrix, width: int) -> list[str]:
    """Returns one line per player; players that do not fit into `width` cells are omitted.

    A cell has the share of points and a shade, darker for more points; `·` for pairs that never met.
    """
    names = shortened([clean(p) for p in payoff.players], NAME_MAX)
    label = max((cell_len(name) for name in names), default=0)
    number = len(str(len(names)))
    room = max(1, (width - label - number - 2) // (CELL + 1))
    count = min(len(names), room)
    share = payoff.share
    lines = [" " * (number + label + 2) + " ".join(str(j + 1).rjust(CELL) for j in range(count))]
    for i in range(count):
        cells = [_cell(i, j, float(share[i, j])) for j in range(count)]
        lines.append(f"{i + 1:>{number}} {pad(names[i], label)} {' '.join(cells)}")
    if count < len(names):
        lines.append(f"{len(names) - count} more players in a wider window")
    return lines


def _cell(i: int, j: int, share: float) -> str:
    if i == j:
        return "–".rjust(CELL)
    if share != share:  # NaN: never met
        return "·".rjust(CELL)
    return SHADES[min(4, int(share * 5))] + f"{100 * share:.0f}".rjust(CELL - 1)
