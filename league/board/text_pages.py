"""Pages of the interactive board that are text to scroll: panels in full, the log, and help."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from rich.cells import cell_len

from league.board.cells import clean, fit, number, pad
from league.board.keys import BINDINGS
from league.board.lines import Line, styled
from league.board.render import all_panels, header, panel_block, rule
from league.board.standing_columns import (
    LEGEND,
    chance,
    group_size,
    mean_interval,
    mean_score,
    points,
    rank_ranges,
    unanswered,
)
from league.board.standings_page import selected
from league.board.state import BoardState
from league.board.table import window
from league.board.view_state import Layout, ViewState
from league.records.leaderboard import Leaderboard, Standing

COLOURS = (
    ("green", "green", "running, finished; better than the opponent (95%, at every look)"),
    ("red", "red", "failed, forfeits; worse than the opponent; alarms"),
    ("yellow", "yellow", "stopping; failed answers; warnings"),
    ("cyan", "cyan", "curves, intervals and tabs"),
    ("bold", "bold", "rank 1; the column that orders the rows is underlined"),
)
"""style, word, meaning"""


def text_page(
    title: str, text: list[Line], state: BoardState, view: ViewState, width: int, height: int
) -> tuple[list[Line], Layout]:
    """Returns the run's first line, a title that says which lines are visible, and as many lines of `text` as fit."""
    top_lines = header(state, width)[:1]
    visible = max(1, height - len(top_lines) - 1)
    top = window(view.top, visible, len(text))
    part_lines = text[top : top + visible]
    part = f", lines {top + 1}–{top + len(part_lines)} of {len(text)}" if len(text) > visible else ""
    layout = Layout(total=len(text), visible=visible, top=top)
    return [*top_lines, rule(title + part, width), *part_lines], layout


def help_page(state: BoardState, view: ViewState, width: int, height: int) -> tuple[list[Line], Layout]:
    """Keys, mouse, colours, and the meaning of the columns."""
    label = max(map(cell_len, (*(b.label for b in BINDINGS), *(name for name, _ in LEGEND)))) + 2
    text: list[Line] = []
    for binding in BINDINGS:
        text += _entry(binding.label, binding.meaning, label, width, "bold")
    text += _entry(
        "mouse", "click a row, again to open it; a header to order by it; a tab; the wheel scrolls", label, width
    )
    text += [("", []), rule("colours", width)]
    for style, word, meaning in COLOURS:
        text += _entry(word, meaning, label, width, style)
    text += [("", []), rule("columns", width)]
    for name, meaning in LEGEND:
        text += _entry(name, meaning, label, width, "bold")
    return text_page("help", text, state, view, width, height)


def _entry(name: str, meaning: str, label: int, width: int, style: str = "bold") -> list[Line]:
    """Returns a name and its meaning beside it, wrapped; on a narrow board below it."""
    if width < label + 30:
        below = textwrap.wrap(meaning, max(1, width - 2))
        return [styled(fit(name, width), style), *((f"  {line}", []) for line in below)]
    first, *rest = textwrap.wrap(meaning, width - label)
    text = pad(name, label) + first
    return [(text, [(0, len(name), style)]), *((" " * label + line, []) for line in rest)]


def panels_page(state: BoardState, view: ViewState, width: int, height: int) -> tuple[list[Line], Layout]:
    """Returns every panel in full."""
    lines = panel_block(all_panels(state), width, None)
    return text_page("panels", lines or [styled("this run has no panels", "dim")], state, view, width, height)


def match_page(state: BoardState, view: ViewState, width: int, height: int) -> tuple[list[Line], Layout]:
    """Returns the overview of a match, or the position that the arrow keys have chosen."""
    details = view.details
    if details is None or details.error:
        why = "reading the match" if details is None else f"cannot read the match: {details.error}"
        return text_page(f"match {view.match}", _text([why], width), state, view, width, height)
    pages = details.pages
    number, last = min(view.tab, len(pages) - 1), len(pages) - 1
    part = f"position {number - 1} of {last - 1}" if number else "overview" + ": → steps through it" * (last > 0)
    part += ", being played" * details.live
    # The lines of a position are a drawing, which is cut and not wrapped.
    text = [(fit(line, width), []) for line in pages[number]] if number else _text(pages[0], width)
    page, layout = text_page(f"match {view.match}, {part}", text, state, view, width, height)
    return page, msgspec.structs.replace(layout, tabs=len(pages))


def explain_page(state: BoardState, view: ViewState, width: int, height: int) -> tuple[list[Line], Layout]:
    """Returns what the numbers of a row mean, in sentences."""
    text = _text(explanation(selected(state, view).snapshot, view.player), width)
    return text_page(f"what the row of {view.player} says", text, state, view, width, height)


def log_page(state: BoardState, view: ViewState, width: int, height: int) -> tuple[list[Line], Layout]:
    """Returns the log with its long lines wrapped; it stays at its end unless it is scrolled."""
    lines = _text(state.log, width)
    return text_page("log", lines or [styled("nothing is logged yet", "dim")], state, view, width, height)


def _text(lines: Iterable[str], width: int) -> list[Line]:
    return [line for entry in lines for line in _wrapped(clean(entry), width)]


def _wrapped(text: str, width: int) -> list[Line]:
    return [(fit(line, width), []) for line in textwrap.wrap(text, width, subsequent_indent="  ")] or [("", [])]


def explanation(board: Leaderboard, player: str) -> Iterator[str]:
    """Yields one paragraph a topic: rank, rating, matches, failures, games. Nothing if the player has no row."""
    rows = board.standings
    at = next((i for i, row in enumerate(rows) if row.player == player), None)
    if at is None:
        return
    row = rows[at]
    yield from _strength(row, rows, at)
    yield _matches(row)
    yield from _failures(row)
    for game, standings in board.games.items():
        for one in standings:
            if one.player == player:
                yield _in_game(game, one, group_size(one, standings))


def _strength(row: Standing, rows: Sequence[Standing], at: int) -> Iterator[str]:
    name = clean(row.player)
    if not row.rated:
        yield f"{name} has played only games that are not rated: mean returns compare players there."
        return
    size = group_size(row, rows)
    if not row.games:
        yield f"{name} has no rank, because it has no match yet."
    elif row.rank is None:
        yield f"{name} has no rank: no matches of a common game link it to some other player."
    else:
        best, worst = rank_ranges((row,), rows)[0]
        among = len(rows) if size == len(rows) else f"the {size} players that matches link to it"
        place = f"{name} is ranked {row.rank} of {among}. "
        if best == worst:
            yield f"{place}With 95% probability this and all other rank ranges of the board are right."
        else:
            yield f"{place}Its true rank is from {best} to {worst}; with 95% probability all such ranges are right."
    follower = rows[at + 1] if at + 1 < len(rows) else None
    if follower is not None and row.above_next is not None:
        next_name = clean(follower.player)
        yield f"It is better than the next row, {next_name}, with a probability of {chance(row.above_next)}."
    if row.p_best is not None:
        players = "all players" if size == len(rows) else "those"
        yield f"It is the best of {players} that still play with a probability of {chance(row.p_best)}."
    reference = next((r for r in rows if r.points is not None and r.points_low == r.points_high), None)
    if reference is not None and row.points is not None and row is not reference and not unanswered(row):
        yield f"Against {clean(reference.player)} it is expected to make {_points(row)} of 100 points."
    yield (
        f"Its rating is {number(row.rating)}, with 95% probability between {number(row.low)} and {number(row.high)}. "
        "The average player has 25; a player that is 4.2 points stronger wins about three of four games that are not "
        "drawn."
    )


def _points(row: Standing) -> str:
    text = points(row)
    return text if text.startswith("at ") else text.replace("(", "(95%: ").replace("–", " to ")


def _matches(row: Standing) -> str:
    text = f"{row.games:,} matches count: {row.wins:,} won, {row.draws:,} drawn, {row.losses:,} lost."
    if row.distinct is not None and row.distinct < row.games:
        text += f" {row.games - row.distinct:,} of them repeat earlier ones move for move and tell nothing new."
    if row.provisional:
        text += " That is less than a third of what others have, so its rank may still change much."
    return text


def _failures(row: Standing) -> Iterator[str]:
    if unanswered(row):
        yield f"It gave no legal answer in any of its {row.games:,} matches, so its rating says nothing of its skill."
    elif row.forfeits:
        yield f"{row.forfeits:,} of the lost matches were forfeited: every retry failed to give a legal answer."
    if faults := {kind: n for kind, n in row.faults.items() if n}:
        listed = ", ".join(f"{n:,} {clean(kind)}" for kind, n in faults.items())
        yield f"Answers that failed, retried ones included: {listed}."
    if row.voids:
        yield f"{row.voids:,} more matches are void because of it, as when an endpoint fails; they count for nobody."
    if row.retired:
        yield "It is retired: it is paired no more, and keeps its rating."


def _in_game(game: str, row: Standing, players: int) -> str:
    score = f"mean return {mean_score(row)} {mean_interval(row)}".strip()
    if not row.rated:
        return f"{clean(game)}: {score} in {row.games:,} matches."
    if unanswered(row):
        return f"{clean(game)}: no legal answer in {row.games:,} matches."
    return f"{clean(game)}: rank {row.rank or '–'} of {players}, rating {number(row.rating)}, {score}."
