"""Renders a board state as text: a pure function of state and size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.text import Text

from league.board.cells import clean, fit, rate, span
from league.board.leaderboard_panels import leaderboard_panels
from league.board.lines import Line, crop, styled, to_text
from league.board.panel_lines import panel_lines
from league.board.state import ENDED, BoardState, Panel, done
from league.board.table import by_game, games_below, table, table_width

WIDEST = 160
"""cells; the widest that panels can make a board that is not on a terminal"""

TALLEST = 4
"""lines of a curve at most"""
CURVES = 100
"""cells; the least width of a board with curves that is not on a terminal"""

_STATUS_STYLES = {"running": "green", "finished": "green", "waiting": "dim", "stopping": "yellow"}


def render(state: BoardState, width: int, height: int | None = None) -> Text:
    """Returns the board in at most `width` cells and `height` lines (None: as many as needed).

    A note counts the omitted rows: `… 41 more players`. Long names are shortened with `…`; `league.board.columns`
    says which columns are omitted first. The text does not end in a newline.
    """
    return to_text(frame(state, width, height))


def frame(state: BoardState, width: int, height: int | None = None) -> list[Line]:
    """Returns the lines of `render`; the live board compares them with those of the previous frame."""
    width = max(1, width)
    lines = _compose(state, width, height)
    if height is not None:
        del lines[max(1, height) :]
    return [line if line[0].isascii() and len(line[0]) <= width else crop(line, width) for line in lines]


def natural_width(state: BoardState) -> int:
    """Returns the width that omits no column, and cuts no panel that is at most WIDEST wide."""
    panels = max((cell_len(line) for panel in state.panels for line in panel.lines), default=0)
    curves = CURVES if any(panel.curves for panel in state.panels) else 0
    return max(80, table_width(state), min(WIDEST, panels), curves)


def _compose(state: BoardState, width: int, height: int | None) -> list[Line]:
    if height is not None:
        return compose(state, width, height, lambda room: table(state, width, room))[0]
    return ending(state, width)


def ending(state: BoardState, width: int, height: int | None = None) -> list[Line]:
    """Returns what stays in the terminal after a run: all rows, and as much below them as `height` lines hold.

    The sentences come first, then the points per game, panels and log.
    """
    blank: list[Line] = [("", [])]
    panels = all_panels(state)
    leading = panel_block([panel for panel in panels if panel.leads], width, None)
    lines = [*header(state, width), *blank, *table(state, width, None), *_after(blank, leading)]
    others = [panel_block((panel,), width, None) for panel in panels if not panel.leads]
    below = _after(blank, games_below(state, width)) + (blank if others else [])
    for block in (below, *others, _after(blank, _log(state.log, width, 10))):
        if height is None or len(lines) + len(block) <= height:
            lines += block
    return lines


def all_panels(state: BoardState) -> list[Panel]:
    """Returns the panels in the order in which they get room."""
    standing = leaderboard_panels(state.snapshot)
    leading = [panel for panel in (*state.panels, *standing) if panel.leads]
    return [*leading, *(panel for panel in (*standing, *state.panels) if not panel.leads)]


def compose(
    state: BoardState, width: int, height: int, make_table: Callable[[int], list[Line]], tabs: Sequence[Line] = ()
) -> tuple[list[Line], int]:
    """Header, `tabs`, table, panels and log, which share the height, and the number of lines above the table.

    The log takes spare lines; the rest stay empty. `make_table` gets the most lines that the table may take.
    """
    spacious = height >= 20
    blank: list[Line] = [("", [])] if spacious else []
    top = [*header(state, width, bar=height >= 10), *tabs, *blank]
    below = 2 + bool(by_game(state))  # headings, and the line that counts games without a column
    short = len(state.snapshot.standings) <= height // 2
    kept = 0 if height < 12 else 3 if height >= 30 else 1  # lines of the log that are always there
    if short:  # its rows come before the log and the panels; beside a long table these have their share
        kept = max(0, min(kept, height - len(top) - len(state.snapshot.standings) - 3 - below))
    spare = height - len(top) - len(state.snapshot.standings) - below - (kept + 2) * bool(state.log)
    visible = all_panels(state)
    block = panel_block(visible, width, max(0 if short else height // 3, spare - 2), spare - 2)
    if tall := _tall(visible, spare - 2 - len(block)):
        block = panel_block(visible, width, spare - 2, spare - 2, tall)
    panels = _after(blank, block)
    log = _after(blank, _log(state.log, width, kept))
    room = height - len(top) - len(panels) - len(log)
    rows = make_table(max(1, room))
    if log and room > len(rows):
        log = _after(blank, _log(state.log, width, kept + room - len(rows)))
    fill: list[Line] = [("", [])] * (height - len(top) - len(rows) - len(panels) - len(log) if log else 0)
    return top + rows + panels + fill + log, len(top)


def _tall(panels: Sequence[Panel], free: int) -> int:
    """Returns the height of curves that fills `free` lines, up to TALLEST; 0: they stay a line each."""
    curves = sum(len(panel.curves) for panel in panels)
    return min(TALLEST, 1 + free // curves) if curves and free >= curves else 0


def _after(blank: list[Line], block: list[Line]) -> list[Line]:
    return blank + block if block else []


def header(state: BoardState, width: int, bar: bool = True) -> list[Line]:
    """Title and status, a progress bar if the total is known, and the figures that fit.

    A run that ended early, as by a stop rule, has no bar.
    """
    status = "● " + state.status
    style = _STATUS_STYLES.get(state.status, "red")
    title = fit(clean(state.title or state.snapshot.run), max(0, width - len(status) - 2))
    gap = width - cell_len(title) - len(status)
    if gap < 1:
        first = styled(fit(status, width), style)
    else:
        at = len(title) + gap
        first = title + " " * gap + status, [(0, len(title), "bold"), (at, at + len(status), style)]
    lines = [first]
    matches = state.snapshot.matches
    if bar and matches.total and (state.status not in ENDED or done(matches) >= matches.total):
        lines.append(_bar(done(matches) / matches.total, width))
    return [*lines, (_facts(state, width), [])]


def _bar(part: float, width: int) -> Line:
    part = min(1.0, max(0.0, part))
    label = f" {int(part * 100):3d}%"
    length = max(0, width - len(label))
    full = int(part * length)
    return "━" * full + "─" * (length - full) + label, [(0, full, "cyan"), (full, length, "dim")]


def _facts(state: BoardState, width: int) -> str:
    """Returns the progress of the run in figures; a short line omits the least important ones."""
    m = state.snapshot.matches
    total = max(done(m), m.total if m.total is not None else m.planned)
    played = f"{done(m):,} of {total:,} matches{'' if m.total is not None else ' planned so far'}"
    facts = [
        (-1, state.activity),
        (0, played if total else "no figures yet"),
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


def panel_block(panels: Sequence[Panel], width: int, height: int | None, spare: int = 0, tall: int = 1) -> list[Line]:
    """Returns the panels that fit, each under its title, then a note that counts the omitted ones.

    A panel that does not fit is cut to its first lines if it allows that. Optional panels are omitted without a note
    and take only the `spare` lines that no row of the table needs. Curves are `tall` lines high.
    """
    lines: list[Line] = []
    missed = cut = 0
    for panel in panels:
        title = rule(panel.title, width)
        block = [styled(title[0], "yellow") if panel.warns else title, *panel_lines(panel, width, tall)]
        room = None if height is None else (spare if panel.optional else height) - len(lines)
        if room is None or (len(block) <= room and not missed + cut):
            lines += block
        elif panel.first and room >= panel.first + 2 and not missed + cut:
            lines += block[: room - 1]
            cut = len(block) - room + 1
        else:
            missed += not panel.optional
    more = [f"{n} {name}{'s' * (n > 1)}" for n, name in ((cut, "line"), (missed, "panel")) if n]
    return [*lines, rule(f"{' and '.join(more)} more in a taller window", width)] if more else lines


def _log(log: Sequence[str], width: int, count: int) -> list[Line]:
    """Returns the last `count` lines under a title, the newest last."""
    if not log or count <= 0:
        return []
    return [rule("log", width), *(styled(fit(clean(line), width), "dim") for line in log[-count:])]


def rule(title: str, width: int) -> Line:
    """Returns a title in a horizontal line."""
    text = fit(f"── {clean(title)} ", width)
    text += "─" * (width - cell_len(text))
    return styled(text, "dim")
