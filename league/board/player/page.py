"""The page of a player: its row in words, and its tabs."""

from __future__ import annotations

import msgspec
from rich.cells import cell_len

from league.board.cells import clean, fit, number
from league.board.lines import Line
from league.board.player.matches import matches_tab
from league.board.player.opponents import opponents_tab
from league.board.player.overview import overview_tab
from league.board.player_details import PlayerDetails
from league.board.render import header, rule
from league.board.standing_columns import mean_interval, mean_score, range_cells
from league.board.standings_page import choice_tabs, choices, tab_line
from league.board.state import BoardState
from league.board.view_state import Layout, ViewState
from league.records.leaderboard import Standing

PARTS = ("overview", "opponents", "matches")


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
        facts.append(f"rank {row.rank or '–'} of {len(rows)}" + (f" ({among})" if among else ""))
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


_BODIES = (overview_tab, opponents_tab, matches_tab)
