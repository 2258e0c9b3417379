"""A board as text: a pure function of state and size.

The frame is one preformatted rich Text, because laying out a rich Table of 64 players takes longer than a frame may.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Span, Text

from league.board.cells import clean, cut, fit, pad, rate, span
from league.board.columns import Column, Games, choose
from league.board.columns import natural_width as natural_columns
from league.board.returns import (
    apart_panel,
    cycle_panel,
    pool_panel,
    prior_panel,
    repeat_panel,
    return_panels,
)
from league.board.state import BoardState, Panel, done
from league.standings import MatchCounts, Snapshot, Standing

WIDEST = 160
"""cells to which panels may widen a board that is no terminal"""

Line = tuple[str, list[tuple[int, int, str]]]
"""a line's text and its (start, end, style) in characters"""

_STATUS = {"running": "green", "finished": "green", "waiting": "dim", "stopping": "yellow"}


def render(state: BoardState, width: int, height: int | None = None) -> Text:
    """The board in at most `width` cells and `height` lines (None: as many as it takes).

    What does not fit is left out and said so: rows end in `… 41 more players`, names in `…`, columns go in the order
    given in `league.board.columns`. The text does not end in a newline.
    """
    return _text(frame(state, width, height))


def table_text(standings: Sequence[Standing], width: int) -> Text:
    """A table without header and log, all rows."""
    state = BoardState(Snapshot("", tuple(standings), {}, {}, MatchCounts()))
    return _text([_crop(line, width) for line in table(state, width, None)])


def frame(state: BoardState, width: int, height: int | None = None) -> list[Line]:
    """`render` before it becomes a Text: what the live board compares with the frame before."""
    width = max(1, width)
    lines = _compose(state, width, height)
    if height is not None:
        del lines[max(1, height) :]
    return [line if line[0].isascii() and len(line[0]) <= width else _crop(line, width) for line in lines]


def _crop(line: Line, width: int) -> Line:
    """A line cut to the width; nothing changes where it fits already."""
    text, styles = line
    if (cut := fit(text, width)) == text:
        return line
    return cut, [(a, min(b, len(cut)), style) for a, b, style in styles if a < len(cut)]


def _compose(state: BoardState, width: int, height: int | None) -> list[Line]:
    """Header, table, panels and log, shared out over the height; spare lines go to the log, then stay empty."""
    airy = height is None or height >= 20
    blank: list[Line] = [("", [])] if airy else []
    top = header(state, width, bar=height is None or height >= 10) + blank
    shown = (
        *apart_panel(state.snapshot),
        *pool_panel(state.snapshot),
        *prior_panel(state.snapshot),
        *repeat_panel(state.snapshot),
        *cycle_panel(state.snapshot),
        *return_panels(state.snapshot),
        *state.panels,
    )
    if height is None:
        panels = _after(blank, _panels(shown, width, None))
        tables = _per_game(state, width) + table(state, width, None)
        return top + tables + panels + _after(blank, _log(state.log, width, 10))
    kept = 0 if height < 12 else 3 if airy else 2
    spare = height - len(top) - len(state.snapshot.standings) - 2 - (kept + 2) * bool(state.log)
    panels = _after(blank, _panels(shown, width, max(height // 3, spare - 2), spare - 2))
    log = _after(blank, _log(state.log, width, kept))
    room = height - len(top) - len(panels) - len(log)
    rows = table(state, width, max(1, room))
    if log and room > len(rows):
        log = _after(blank, _log(state.log, width, kept + room - len(rows)))
    fill: list[Line] = [("", [])] * (height - len(top) - len(rows) - len(panels) - len(log) if log else 0)
    return top + rows + panels + fill + log


def _per_game(state: BoardState, width: int) -> list[Line]:
    """The table of each game, if there are several, and the title of the overall table after them."""
    games = {game: rows for game, rows in state.snapshot.games.items() if any(row.rated for row in rows)}
    if len(games) < 2:
        return []
    lines: list[Line] = []
    for game, rows in games.items():
        alone = BoardState(Snapshot("", rows, {}, {}, MatchCounts()))
        lines += [_line(fit(clean(game), width), "bold"), *table(alone, width, None), ("", [])]
    return [*lines, _line(fit("over all games", width), "bold")]


def _after(blank: list[Line], block: list[Line]) -> list[Line]:
    return blank + block if block else []


def header(state: BoardState, width: int, bar: bool = True) -> list[Line]:
    """Title and status, a progress bar where the end is known, and the facts that fit."""
    status = "● " + state.status
    title = fit(clean(state.title or state.snapshot.run), max(0, width - len(status) - 2))
    gap = width - cell_len(title) - len(status)
    if gap < 1:
        first = _line(fit(status, width), _style(state.status))
    else:
        at = len(title) + gap
        first = title + " " * gap + status, [(0, len(title), "bold"), (at, at + len(status), _style(state.status))]
    lines = [first]
    matches = state.snapshot.matches
    if bar and matches.total:
        lines.append(_bar(done(matches) / matches.total, width))
    return [*lines, (_facts(state, width), [])]


def _style(status: str) -> str:
    return _STATUS.get(status, "red")


def _bar(part: float, width: int) -> Line:
    part = min(1.0, max(0.0, part))
    label = f" {int(part * 100):3d}%"
    length = max(0, width - len(label))
    full = int(part * length)
    return "━" * full + "─" * (length - full) + label, [(0, full, "cyan"), (full, length, "dim")]


def _facts(state: BoardState, width: int) -> str:
    """The run in figures; the least needed are left out first where the line is short."""
    m = state.snapshot.matches
    total = max(done(m), m.total if m.total is not None else m.planned)
    facts = [
        (0, f"{done(m):,} of {total:,} matches" if total else "nothing planned yet"),
        (2, f"{m.in_flight:,} in flight" if state.status in ("running", "stopping") else ""),
        (4, f"{m.void:,} void" if m.void else ""),
        (3, f"{rate(state.matches_per_second)} matches/s" if state.matches_per_second is not None else ""),
        (5, f"{rate(state.tokens_per_second)} tokens/s" if state.tokens_per_second is not None else ""),
        (6, f"{span(state.elapsed)} elapsed" if state.elapsed is not None else ""),
        (1, f"{span(state.to_go)} to go" if state.to_go is not None else ""),
    ]
    facts = [f for f in facts if f[1]]
    while len(facts) > 1 and len(" · ".join(f[1] for f in facts)) > width:
        facts.remove(max(facts))
    return fit(" · ".join(f[1] for f in facts), width)


def table(state: BoardState, width: int, height: int | None) -> list[Line]:
    """Two header lines at most, a line for each player, and what was left out, in `height` lines."""
    everyone = state.snapshot.standings
    if not everyone:
        return [_line(fit("no standings yet: waiting for the first result", width), "dim")]
    by_game = _by_game(state)
    rows = everyone if height is None else everyone[: max(0, height - 1)]
    columns, missed = choose(rows or everyone[:1], everyone, by_game, width)
    heads = _heads(columns)
    if height is not None and height < 6:
        heads = heads[-1:] if height > 2 else []
    if height is not None and len(everyone) + len(heads) + bool(missed) > height:
        rows = everyone[: max(0, height - len(heads) - 1)]
    lines = heads + _rows(columns, rows)
    if left := _left_out(len(everyone) - len(rows), missed):
        lines.append(_line(fit(left, width), "dim"))
    return lines


def natural_width(state: BoardState) -> int:
    """The width that leaves no column out and cuts no panel, up to WIDEST."""
    table = natural_columns(state.snapshot.standings, _by_game(state)) if state.snapshot.standings else 0
    panels = max((cell_len(line) for panel in state.panels for line in panel.lines), default=0)
    return max(80, table, min(WIDEST, panels))


def _by_game(state: BoardState) -> Games:
    """The standings of each game by player; empty where one game is all there is.

    Games that are not rated have a panel instead.
    """
    games = state.games or tuple(state.snapshot.games)
    tables = {g: {s.player: s for s in state.snapshot.games.get(g, ())} for g in games}
    rated = {g: rows for g, rows in tables.items() if not rows or any(s.rated for s in rows.values())}
    return rated if len(games) > 1 else {}


def _left_out(players: int, games: int) -> str:
    """What the table has no room for; empty where it shows all."""
    parts = [f"{n} more {word}{'s' if n > 1 else ''}" for n, word in ((players, "player"), (games, "game")) if n]
    return f"… {' and '.join(parts)}; `arena board` shows all" if parts else ""


def _heads(columns: Sequence[Column]) -> list[Line]:
    """The header lines, without the upper one where it would be empty."""
    texts = ["".join(c.padded([c.head[i]])[0] for c in columns).rstrip() for i in range(2)]
    # Styled word by word: some viewers of pictures made from this drop styled leading spaces.
    return [(text, [(*m.span(), "dim") for m in re.finditer(r"\S+", text)]) for text in texts if text]


def _rows(columns: Sequence[Column], rows: Sequence[Standing]) -> list[Line]:
    """A line for each row: the top rank bold, failures coloured, zeros dim."""
    nominal = sum(c.gap + c.width for c in columns)
    styled, at = [], 0
    for column in columns:
        if column.styles is not None:
            styled.append((at + column.gap + column.width, column.cells, column.styles))
        at += column.gap + column.width
    lines: list[Line] = []
    for i, parts in enumerate(zip(*(c.padded(c.cells[: len(rows)]) for c in columns), strict=True)):
        text = "".join(parts)
        # Characters are fewer than cells where a name has wide ones; styled columns all lie to the right of it.
        shift = len(text) - nominal
        styles = [(b + shift - len(cells[i]), b + shift, marks[i]) for b, cells, marks in styled]
        lines.append((text, [(0, len(text), "bold"), *styles] if rows[i].rank == 1 else styles))
    return lines


def _panels(panels: Sequence[Panel], width: int, height: int | None, spare: int = 0) -> list[Line]:
    """The panels that fit whole, each under its title, or their first lines if those may stand alone; the others
    are counted, but for optional ones. These take only the `spare` lines that no row of the table needs.
    """
    lines: list[Line] = []
    missed = cut = 0
    for panel in panels:
        block = [_rule(panel.title, width), *((line, []) for line in _panel_lines(panel, width))]
        room = None if height is None else (spare if panel.optional else height) - len(lines)
        if room is None or (len(block) <= room and not missed + cut):
            lines += block
        elif panel.first and room >= panel.first + 2 and not missed + cut:
            lines += block[: room - 1]
            cut = len(block) - room + 1
        else:
            missed += not panel.optional
    more = [f"{cut} lines" if cut else "", f"{missed}" if missed and not cut else f"{missed} panels" if missed else ""]
    return [*lines, _rule(f"{' and '.join(filter(None, more))} more in a taller window", width)] if any(more) else lines


def _panel_lines(panel: Panel, width: int) -> list[str]:
    """A panel's lines, cut; figures too wide for the board lose their curves first, then of their names, then these."""
    lines = [clean(line) for line in panel.lines]
    if panel.figures and max(cell_len(line) for line in lines[-len(panel.figures) :]) > width:
        lines[-len(panel.figures) :] = [_figure(clean(name), clean(value), width) for name, value in panel.figures]
    return [fit(line, width) for line in lines]


def _figure(name: str, value: str, width: int) -> str:
    """A name, which loses what there is no room for, and its value at the right end."""
    room = width - len(value) - 1
    if room < 4:
        return value
    return f"{pad(cut(name, room), room)} {value}"


def _log(log: Sequence[str], width: int, count: int) -> list[Line]:
    """The newest lines under a title, newest last."""
    if not log or count <= 0:
        return []
    return [_rule("log", width), *(_line(fit(clean(line), width), "dim") for line in log[-count:])]


def _rule(title: str, width: int) -> Line:
    text = fit(f"── {clean(title)} ", width)
    text += "─" * (width - cell_len(text))
    return _line(text, "dim")


def _line(text: str, style: str) -> Line:
    return text, [(0, len(text), style)]


def _text(lines: Sequence[Line]) -> Text:
    """Lines and their styles as one Text that is never wrapped."""
    spans, at = [], 0
    for text, styles in lines:
        spans += [Span(at + a, at + b, style) for a, b, style in styles]
        at += len(text) + 1
    return Text("\n".join(text for text, _ in lines), spans=spans, no_wrap=True, overflow="crop", end="")


__all__ = ["Line", "frame", "header", "natural_width", "render", "table", "table_text"]
