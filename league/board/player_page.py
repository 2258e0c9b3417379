"""The page of a player: its row in words, and its tabs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec
from rich.cells import cell_len

from league.board.cells import clean, fit, number
from league.board.grid import Grid, grid_lines, list_layout, list_part
from league.board.lines import Line, SameObject, styled
from league.board.panel_lines import chart, extent
from league.board.player_details import PLAYING, MatchLine, OpponentLine, PlayerDetails
from league.board.render import header, rule
from league.board.short_names import one_line_labels
from league.board.standing_columns import group_size, mean_interval, mean_score, range_cells
from league.board.standings_page import LABEL, choice_tabs, choices, tab_line
from league.board.state import BoardState
from league.board.view_state import Layout, Target, ViewState
from league.records.leaderboard import Standing

_OpponentKey = Callable[[OpponentLine], tuple[bool, float, str]]
_OPPONENT_COLUMNS: dict[str, _OpponentKey] = {
    "matches": lambda r: (False, -r.matches, r.player),
    "share": lambda r: (r.share is None, -(r.share or 0.0), r.player),
    "mean": lambda r: (False, -r.mean, r.player),
    "opponent": lambda r: (False, 0.0, r.player),
}
"""column that orders the opponents -> sort key"""


def opponents_tab(
    state: BoardState, view: ViewState, details: PlayerDetails, width: int, height: int
) -> tuple[list[Line], Layout]:
    """Returns a row for each opponent."""
    records = opponents_in_order(details, view)
    lines, spans = opponent_lines(records, width)
    columns = ("opponent", "share", "", "matches", "", "", "", "mean")
    part = list_part(lines, [r.player for r in records], width, height, view.top, view.cursor)
    keys = [record.player for record in records]
    targets = [Target(0, start, end, "sort_by", key) for key, (start, end) in zip(columns, spans, strict=False) if key]
    return part.lines, list_layout(part, keys, width, targets, tuple(filter(None, columns)))


def opponents_in_order(details: PlayerDetails, view: ViewState) -> list[OpponentLine]:
    """Returns the records against opponents, ordered by the column of the view."""
    records = sorted(details.opponents, key=_OPPONENT_COLUMNS.get(view.sort, _OPPONENT_COLUMNS["matches"]))
    return records[::-1] if view.reverse else records


def opponent_lines(records: list[OpponentLine], width: int) -> tuple[list[Line], list[tuple[int, int]]]:
    """Returns a header and a line for each opponent, and the cells of each column."""
    head = ("opponent", "points", "95%", "matches", "won", "drawn", "lost", "mean score")
    rows = tuple(_opponent(record) for record in records)
    styles = tuple(("", ("green" if record.low > 0.5 else "red" if record.high < 0.5 else "")) for record in records)
    return grid_lines(Grid(head, rows, styles), width)


def _opponent(record: OpponentLine) -> tuple[str, ...]:
    share = record.share
    points = ("–", "") if share is None else (f"{share:.0%}", f"{record.low:.0%}–{record.high:.0%}")
    counts = (f"{n:,}" for n in (record.matches, record.wins, record.draws, record.losses))
    return clean(record.player), *points, *counts, number(record.mean, 2, sign=True)


PARTS = ("overview", "opponents", "matches")
TALLEST = 14
"""lines of the chart at most"""
EARLY = 10
"""the chart of more than five times as many results omits so many, and at least a twentieth"""


def player_page(state: BoardState, view: ViewState, width: int, height: int) -> tuple[list[Line], Layout]:
    """Returns the lines of the page, at most `height`, and their layout."""
    current = view.details
    details = current if current is not None and current.player == view.player else PlayerDetails(view.player)
    title = f"{state.title or state.snapshot.run} › {view.player}"
    lines = header(msgspec.structs.replace(state, title=title), width)[:1]
    lines += [(text, []) for text in _facts(state, view, width, 2 if height >= 16 else 1)]
    tabs, targets = choice_tabs(state, view, width, len(lines))
    lines += tabs
    names = list(PARTS)
    line, found_targets = tab_line(names, tuple(map(str, range(len(PARTS)))), str(view.tab), width, len(lines), "tab")
    lines.append(line)
    body, layout = _BODIES[view.tab](state, view, details, width, max(1, height - len(lines) - 1))
    lines.append(rule(_progress(details), width))
    shift = len(lines)
    moved = (msgspec.structs.replace(t, y=t.y + shift) for t in layout.targets)
    games, roles = choices(state, view)
    layout = msgspec.structs.replace(
        layout, games=games, roles=roles, tabs=len(PARTS), targets=(*targets, *found_targets, *moved)
    )
    return lines + body, layout


def _progress(details: PlayerDetails) -> str:
    if details.error:
        return f"cannot read the matches: {details.error}"
    if details.read < details.total:
        return f"reading the log: {details.read:,} of {details.total:,} results"
    return f"{details.read:,} results read" if details.total else "reading the log"


def _facts(state: BoardState, view: ViewState, width: int, most: int) -> list[str]:
    """Returns the player's row in the selected table, in words, in at most `most` lines."""
    rows = _rows(state, view.game, view.role)
    row = next((row for row in rows if row.player == view.player), None)
    if row is None:
        return [fit("no matches here yet", width)]
    facts = []
    if row.rated:
        among = range_cells([row], rows)[0]
        facts.append(f"rank {row.rank or '–'} of {group_size(row, rows)}" + (f" ({among})" if among else ""))
        facts.append(f"rating {number(row.rating)} ±{number((row.high - row.low) / 2)}")
    if row.score is not None:
        facts.append(f"mean score {mean_score(row)} {mean_interval(row)}".rstrip())
    facts.append(f"{row.games:,} matches: {row.wins:,} won, {row.draws:,} drawn, {row.losses:,} lost")
    facts += [f"{n:,} {name}" for name, n in (("forfeits", row.forfeits), ("voids", row.voids)) if n]
    if row.tokens or row.prompt_tokens:
        facts.append(f"{row.prompt_tokens:,} tokens read, {row.tokens:,} written")
    if failed := ", ".join(f"{n:,} {clean(name)}" for name, n in row.faults.items() if n):
        facts.append(f"failed answers: {failed}")
    lines = [""]
    for fact in facts:
        longer = f"{lines[-1]} · {fact}" if lines[-1] else fact
        if cell_len(longer) > width and len(lines) < most:
            lines.append(fact)
        else:
            lines[-1] = longer
    return [fit(line, width) for line in lines]


def _rows(state: BoardState, game: str, role: str) -> tuple[Standing, ...]:
    snapshot = state.snapshot
    if role:
        only = game or next(iter(snapshot.games), "")
        return snapshot.roles.get(only, {}).get(role, ())
    return snapshot.games.get(game, ()) if game else snapshot.standings


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
    rank = f"{row.rank or '–'} of {group_size(row, rows)}" if row.rated else ""
    rating = (number(row.rating), f"±{number((row.high - row.low) / 2)}") if row.rated else ("–", "")
    counts = (f"{n:,}" for n in (row.games, row.wins, row.draws, row.losses))
    return [(label, rank, *rating, *counts, mean_score(row), mean_interval(row))]


def matches_tab(
    state: BoardState, view: ViewState, details: PlayerDetails, width: int, height: int
) -> tuple[list[Line], Layout]:
    """Returns a row for each match, newest first; those that are being played come before all others."""
    lines = _match_lines(SameObject(details), tuple(state.snapshot.games), width)
    keys = [match.match for match in details.matches]
    part = list_part(lines, keys, width, height, view.top, view.cursor)
    return part.lines, list_layout(part, keys, width, [], ())


@lru_cache(2)
def _match_lines(of: SameObject[PlayerDetails], games: tuple[str, ...], width: int) -> list[Line]:
    labels = one_line_labels(games, LABEL)
    rows = tuple(_match(match, labels) for match in of.value.matches)
    styles = tuple(("", _result_style(match)) for match in of.value.matches)
    head = ("match", "score", "against", "game", "role", "turns", "status")
    return grid_lines(Grid(head, rows, styles, left=(2, 3, 4, 6)), width)[0]


def _match(match: MatchLine, labels: dict[str, str]) -> tuple[str, ...]:
    game = labels.get(match.game, clean(match.game))
    status = "" if match.status == "finished" else "forfeited" if match.forfeited else clean(match.status)
    against = ", ".join(map(clean, match.opponents)) or "itself"
    return (
        str(match.index),
        "" if match.status == PLAYING else number(match.score, 2, sign=True),
        against,
        game,
        clean(match.role),
        str(match.turns),
        status,
    )


def _result_style(match: MatchLine) -> str:
    if match.status in ("void", PLAYING):
        return "dim" if match.status == "void" else "cyan"
    return "red" if match.forfeited or match.score < 0 else "green" if match.score > 0 else ""


_BODIES = (overview_tab, opponents_tab, matches_tab)
