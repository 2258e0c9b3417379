"""Draws the interactive board: a pure function of the run's state, the view and the size of the terminal."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace
from rich.cells import cell_len

from league.board.cells import clean, fit
from league.board.lines import Line, crop, styled
from league.board.player_page import player_page
from league.board.standings_page import standings_page
from league.board.state import BoardState
from league.board.text_pages import explain_page, help_page, log_page, match_page, panels_page
from league.board.view_state import Layout, PageName, Target, ViewState

Page = Callable[[BoardState, ViewState, int, int], tuple[list[Line], Layout]]

PAGES: dict[PageName, Page] = {
    "standings": standings_page,
    "player": player_page,
    "match": match_page,
    "panels": panels_page,
    "log": log_page,
    "help": help_page,
    "explain": explain_page,
}

_HINTS = {
    "standings": (
        "quit",
        "help",
        "open",
        "explain",
        "search",
        "filter",
        "sort_right",
        "next_game",
        "role",
        "panels",
        "log",
    ),
    "player": ("back", "quit", "help", "next_tab", "next_game", "role", "sort_right", "open"),
    "match": ("back", "quit", "help", "previous_tab", "next_tab", "panels", "log"),
}
"""page -> commands in the last line, the most important first"""
_HINTS_OF_TEXT = ("back", "quit", "help", "panels", "log")
_WORDS = {
    "quit": ("q", "quit"),
    "help": ("?", "help"),
    "open": ("Enter", "open"),
    "explain": ("e", "explain"),
    "search": ("/", "search"),
    "filter": ("f", "filter"),
    "back": ("Esc", "back"),
    "sort_right": ("s", "sort"),
    "next_tab": ("Tab →", "next"),
    "previous_tab": ("←", "previous"),
    "next_game": ("g", "game"),
    "role": ("r", "role"),
    "panels": ("p", "panels"),
    "log": ("l", "log"),
}
FOOTER = 8
"""lines of a terminal from which the last one shows keys"""
QUESTION = "stop this run? y: yes · other keys: no · matches in flight are played to the end; it can be resumed"


def draw(state: BoardState, view: ViewState, width: int, height: int) -> tuple[list[Line], Layout]:
    """Returns the frame of a terminal and its layout."""
    width, foot = max(1, width), height >= FOOTER or view.asking
    lines, layout = PAGES[view.page](state, view, width, max(1, height - foot))
    lines = lines[: max(0, height - foot)]
    layout = replace(layout, targets=tuple(t for t in layout.targets if t.y < len(lines)))
    if foot:
        lines += [("", [])] * (height - 1 - len(lines))
        line, targets = _footer(state, view, layout, width, height - 1)
        lines.append(line)
        layout = replace(layout, targets=(*layout.targets, *targets))
    return [line if line[0].isascii() and len(line[0]) <= width else crop(line, width) for line in lines], layout


def _applies(command: str, layout: Layout) -> bool:
    """Returns whether a command of `_HINTS` does something on the page."""
    needs = {
        "next_tab": bool(layout.games) or layout.tabs > 1,
        "previous_tab": layout.tabs > 1,
        "next_game": bool(layout.games),
        "role": bool(layout.roles),
        "sort_right": bool(layout.columns),
        "open": bool(layout.rows),
        "explain": bool(layout.rows),
        "search": bool(layout.rows),
    }
    return needs.get(command, True)


def _footer(state: BoardState, view: ViewState, layout: Layout, width: int, y: int) -> tuple[Line, list[Target]]:
    """Returns the question if there is one; otherwise the keys that fit, which can be clicked too."""
    if view.asking:
        question = QUESTION
        if state.status == "stopping":
            question = "abandon the matches in flight? y: yes · other keys: no · a resumed run plays them again"
        return styled(fit(question, width).ljust(width), "bold reverse yellow"), []
    if view.typing:
        prompt = f"/{view.search}" if view.typing == "search" else f"filter: {view.filter}"
        return styled(fit(f"{clean(prompt)}▏  Enter: keep · Esc: remove", width), "bold yellow"), []
    text, styles, targets = "", [], []
    if view.filter and view.page == "standings":
        text = fit(f"filter: {clean(view.filter)}   ", max(0, width - 12))
        styles.append((0, len(text), "bold yellow"))
    for command in _HINTS.get(view.page, _HINTS_OF_TEXT):
        if not _applies(command, layout):
            continue
        key, word = _WORDS[command]
        hint = f"{key} {word}"
        if cell_len(text) + cell_len(hint) > width:
            break
        styles += [(len(text), len(text) + len(key), "bold cyan"), (len(text) + len(key), len(text) + len(hint), "dim")]
        x = cell_len(text)
        targets.append(Target(y, x, x + cell_len(hint), command))
        text += hint + "   "
    return (text.rstrip(), styles), targets
