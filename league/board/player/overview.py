"""The tab `overview` of a player's page: its rating over time, its games and roles, and opponents if there is room."""

from __future__ import annotations

from functools import lru_cache

from league.board.cells import clean, fit, number
from league.board.curves import chart, extent
from league.board.game_labels import one_line_labels
from league.board.grid import Grid, grid_lines
from league.board.lines import Line, SameObject, styled
from league.board.player.opponents import opponent_lines, opponents_in_order
from league.board.player_details import PlayerDetails
from league.board.standing_columns import mean_interval, mean_score
from league.board.standings_page import LABEL
from league.board.state import BoardState
from league.board.view_state import Layout, ViewState
from league.records.leaderboard import Standing

TALLEST = 14
"""lines of the chart at most"""
EARLY = 10
"""the chart of more than five times as many results omits so many, and at least a twentieth"""


def overview_tab(
    state: BoardState, view: ViewState, details: PlayerDetails, width: int, height: int
) -> tuple[list[Line], Layout]:
    """Returns the rating over time, the player's row in every game and role, and opponents as far as there is room."""
    table = _places(state, view.player, width)
    tall = min(TALLEST, max(2, height - len(table) - 3))
    blank: list[Line] = [("", [])] if height > 14 else []
    lines = [*_chart(SameObject(details), width, tall), *blank, *table]
    if details.opponents and height - len(lines) > 3:  # room that nothing else needs
        lines += [*blank, *opponent_lines(opponents_in_order(details, view), width)[0][: height - len(lines) - 1]]
    top = max(0, min(view.top, len(lines) - height))
    return lines[top : top + height], Layout(total=len(lines), visible=height, top=top)


@lru_cache(2)
def _chart(of: SameObject[PlayerDetails], width: int, height: int) -> list[Line]:
    """Returns the curve of ratings; of many, without the first ones, which the prior decides."""
    ratings = of.value.ratings
    first = max(EARLY, len(ratings) // 20) if len(ratings) > 5 * EARLY else 0
    ratings = ratings[first:]
    if len(ratings) < 2:
        return [styled("rating over time: fewer than two rated results so far", "dim")]
    low, high = extent(ratings)
    room = max(len(number(low)), len(number(high)))
    curve = chart(ratings, max(1, width - room - 1), height)
    lines = [styled(fit("rating over time, TrueSkill result by result", width), "bold")]
    for i, line in enumerate(curve):
        label = number(high) if i == 0 else number(low) if i == height - 1 else ""
        lines.append((f"{label:>{room}} {line}", [(0, room, "dim"), (room, room + 1 + len(line), "cyan")]))
    ends = f"result {first + 1:,}", f"{first + len(ratings):,}"
    lines.append(styled(" " * (room + 1) + ends[0] + ends[1].rjust(width - room - 1 - len(ends[0])), "dim"))
    return lines


def _places(state: BoardState, player: str, width: int) -> list[Line]:
    """Returns a row for each game and each of its roles."""
    rows: list[tuple[str, ...]] = []
    labels = one_line_labels(list(state.snapshot.games), LABEL)
    for game, standings in state.snapshot.games.items():
        rows += _place(labels[game], standings, player)
        roles = state.snapshot.roles.get(game, {})
        if len(roles) > 1:
            for role, of_role in roles.items():
                rows += _place(f"  as {clean(role)}", of_role, player)
    head = ("game and role", "rank", "rating", "95%", "matches", "won", "drawn", "lost", "mean score", "95%")
    return grid_lines(Grid(head, tuple(rows)), width)[0]


def _place(label: str, rows: tuple[Standing, ...], player: str) -> list[tuple[str, ...]]:
    row = next((row for row in rows if row.player == player), None)
    if row is None:
        return []
    rank = f"{row.rank or '–'} of {len(rows)}" if row.rated else ""
    rating = (number(row.rating), f"±{number((row.high - row.low) / 2)}") if row.rated else ("–", "")
    counts = (f"{n:,}" for n in (row.games, row.wins, row.draws, row.losses))
    return [(label, rank, *rating, *counts, mean_score(row), mean_interval(row))]
