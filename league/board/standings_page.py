"""The first page of the interactive board: tabs of games and roles, the leaderboard, panels and log."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import msgspec
from rich.cells import cell_len

from league.board.cells import clean, fit
from league.board.lines import Line, SameObject
from league.board.printed import of_game
from league.board.render import compose
from league.board.short_names import one_line_labels
from league.board.standing_columns import CATEGORIES, Games
from league.board.state import BoardState
from league.board.table import TablePart, TableRows, by_game, table_part, table_rows
from league.board.view_state import Layout, Target, ViewState
from league.records.leaderboard import Leaderboard, Standing

LABEL = 18
"""cells of a tab's label at most"""


def standings_page(state: BoardState, view: ViewState, width: int, height: int) -> tuple[list[Line], Layout]:
    """Returns the lines of the page, at most `height`, and their layout."""
    selection = selected(state, view)
    above = 3 if height >= 10 and state.snapshot.matches.total else 2
    tabs, targets = choice_tabs(state, view, width, above)
    choice = (view.game, view.role, view.sort, view.reverse, view.filter)
    rows = _laid_out(SameObject(state.snapshot), state.games, *choice, width)
    parts: list[TablePart] = []

    def make_table(room: int) -> list[Line]:
        parts.append(table_part(selection, rows, width, room, view))
        return parts[-1].lines

    lines, table_at = compose(selection, width, height, make_table, tabs)
    part = parts[-1]
    games, roles = choices(state, view)
    names = tuple(row.player for row in rows.order)
    return lines, Layout(
        rows=names,
        total=len(names),
        visible=part.visible,
        top=part.top,
        columns=tuple(key for key, _, _ in part.columns if is_sortable(key)),
        games=games,
        roles=roles,
        targets=(*targets, *_table_targets(part, table_at, names, width)),
    )


@lru_cache(2)
def _laid_out(
    of: SameObject[Leaderboard],
    games: tuple[str, ...],
    game: str,
    role: str,
    sort: str,
    reverse: bool,
    filter: str,
    width: int,
) -> TableRows:
    """Returns all rows. Moving the cursor does not lay them out again, which is most of the time that a frame takes."""
    selection = selected(BoardState(of.value, games=games), ViewState(game=game, role=role))
    rows = filtered(selection.snapshot.standings, of.value.games, filter)
    order = ordered(rows, sort, by_game(selection), reverse=reverse)
    return table_rows(selection, width, order, sort)


def choice_tabs(state: BoardState, view: ViewState, width: int, y: int) -> tuple[list[Line], list[Target]]:
    """Returns lines of games and roles, if there is a choice, from line `y` on, and where they can be clicked."""
    games, roles = choices(state, view)
    lines: list[Line] = []
    targets: list[Target] = []
    if games:
        labels = ["all games", *one_line_labels(games[1:], LABEL).values()]
        line, targets = tab_line(labels, games, view.game, width, y, "game")
        lines.append(line)
    if roles:
        labels = ["all roles", *(fit(f"as {clean(role)}", LABEL) for role in roles[1:])]
        line, role_targets = tab_line(labels, roles, view.role, width, y + len(lines), "as_role")
        lines.append(line)
        targets += role_targets
    return lines, targets


def choices(state: BoardState, view: ViewState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the games and the roles that can be selected; () if there is only one."""
    games = tuple(game for game, rows in state.snapshot.games.items() if rows)
    words = view.filter.casefold().split()
    games = tuple(game for game in games if any(word in game.casefold() for word in words)) or games
    game = view.game or (games[0] if len(games) == 1 else "")
    roles = tuple(role for role, rows in state.snapshot.roles.get(game, {}).items() if rows)
    return ("", *games) if len(games) > 1 else (), ("", *roles) if len(roles) > 1 else ()


def selected(state: BoardState, view: ViewState) -> BoardState:
    """Returns the state with the standings of the selected game and role alone."""
    snapshot = state.snapshot
    game = view.game or (next(iter(snapshot.games)) if len(snapshot.games) == 1 else "")
    if game not in snapshot.games:
        return state
    title = state.title or snapshot.run
    one = of_game(snapshot, game) if view.game else snapshot
    if view.role in snapshot.roles.get(game, {}):
        one = msgspec.structs.replace(one, standings=snapshot.roles[game][view.role], games={}, roles={})
    return msgspec.structs.replace(state, snapshot=one, title=title, games=())


def tab_line(
    labels: list[str], values: tuple[str, ...], chosen: str, width: int, y: int, command: str
) -> tuple[Line, list[Target]]:
    """Labels in one line, the chosen one reversed, and where they can be clicked.

    Those that do not fit are left out on both sides of the chosen one.
    """
    at = values.index(chosen) if chosen in values else 0
    first, last = _around(at, [cell_len(label) + 3 for label in labels], width - 4)
    text = "‹ " if first else ""
    styles: list[tuple[int, int, str]] = []
    targets = []
    for i in range(first, last + 1):
        label = f" {labels[i]} "
        styles.append((len(text), len(text) + len(label), "bold reverse" if i == at else "cyan"))
        x = cell_len(text)
        targets.append(Target(y, x, x + cell_len(label), command, values[i]))
        text += label + " "
    return (text + "›" if last + 1 < len(labels) else text, styles), targets


def _around(at: int, sizes: list[int], room: int) -> tuple[int, int]:
    """Returns the first and the last of the neighbours of `at` that fit into `room` with it."""
    first = last = at
    used = sizes[at]
    while True:
        if last + 1 < len(sizes) and used + sizes[last + 1] <= room:
            last += 1
            used += sizes[last]
        elif first > 0 and used + sizes[first - 1] <= room:
            first -= 1
            used += sizes[first]
        else:
            return first, last


def _table_targets(part: TablePart, table_at: int, rows: tuple[str, ...], width: int) -> list[Target]:
    heads = [
        Target(table_at + line, start, end, "sort_by", key)
        for line in range(part.heads)
        for key, start, end in part.columns
        if is_sortable(key)
    ]
    first = table_at + part.heads
    return heads + [
        Target(first + i, 0, width, "row", rows[part.top + i]) for i in range(min(part.visible, len(rows) - part.top))
    ]


Value = float | str | None

_ASCENDING = {"rank", "player", "range"}
"""columns whose smallest value comes first; all others start with the largest"""

_VALUES: dict[str, Callable[[Standing], Value]] = {
    "rank": lambda row: row.rank,
    "player": lambda row: row.player,
    "range": lambda row: row.rank_low,
    "points": lambda row: row.points,
    "rating": lambda row: row.rating if row.rated else None,
    "interval": lambda row: row.high - row.low if row.rated else None,
    "batch": lambda row: row.bt_rating,
    "above": lambda row: row.above_next,
    "best": lambda row: row.p_best,
    "online": lambda row: row.online_rating,
    "games": lambda row: row.games,
    "distinct": lambda row: row.distinct,
    "wdl": lambda row: (row.wins + row.draws / 2) / row.games if row.games else None,
    "forfeits": lambda row: row.forfeits,
    "voids": lambda row: row.voids,
    "faults": lambda row: sum(row.faults.values()),
    "score": lambda row: row.score,
}
"""key of a column -> what its rows are ordered by; None comes last"""


def is_sortable(column: str) -> bool:
    """Returns whether rows can be ordered by this column."""
    return column in _VALUES or column in CATEGORIES or column.startswith("game:")


def ordered(rows: Sequence[Standing], column: str, games: Games, *, reverse: bool = False) -> tuple[Standing, ...]:
    """Returns the rows by a column, those without a value last; "": unchanged. `games` as in `all_columns`."""
    if not is_sortable(column):
        return tuple(rows[::-1] if reverse else rows)
    valued = [(value, row) for row in rows if (value := _value(row, column, games)) is not None]
    without = [row for row in rows if _value(row, column, games) is None]
    valued.sort(key=lambda pair: pair[0], reverse=(column not in _ASCENDING) != reverse)
    return (*(row for _, row in valued), *without)


def _value(row: Standing, column: str, games: Games) -> Value:
    if column.startswith("game:"):
        of_game = games.get(column.removeprefix("game:"), {}).get(row.player)
        return _VALUES["rating"](of_game) if of_game is not None else None
    if column in CATEGORIES:
        return row.faults.get(column, 0)
    value = _VALUES[column](row)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def filtered(rows: Sequence[Standing], games: Mapping[str, Sequence[Standing]], words: str) -> Sequence[Standing]:
    """Returns the rows of which each word is in the player's name or in the id of a game that the player has played."""
    parts = words.casefold().split()
    if not parts:
        return rows
    texts = {row.player: row.player.casefold() for row in rows}
    for game, played in games.items():
        for row in played:
            if row.player in texts:
                texts[row.player] += f"\n{game.casefold()}"
    return [row for row in rows if all(word in texts[row.player] for word in parts)]
