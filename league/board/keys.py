"""The keys of the interactive board. The table is the only place that names them: key, command and help follow."""

from __future__ import annotations

import msgspec


class Binding(msgspec.Struct, frozen=True):
    """The keys of a command, as `Key.name`, and as the help page shows them."""

    command: str
    keys: tuple[str, ...]
    label: str
    meaning: str


BINDINGS = (
    Binding("up", ("up", "k"), "↑ k", "row up, or scroll up"),
    Binding("down", ("down", "j"), "↓ j", "row down, or scroll down"),
    Binding("page_up", ("pageup", "c-b"), "PgUp", "page up"),
    Binding("page_down", ("pagedown", "c-f", " "), "PgDn Space", "page down"),
    Binding("first", ("home",), "Home", "first row"),
    Binding("last", ("end",), "End", "last row"),
    Binding("open", ("enter",), "Enter", "open the selected row: a player, then a match"),
    Binding("back", ("escape", "backspace"), "Esc", "back to the page before"),
    Binding("next_tab", ("right", "tab"), "→ Tab", "next game, part of a player, or position of a match"),
    Binding("previous_tab", ("left", "s-tab"), "← Shift-Tab", "the previous one"),
    Binding("next_game", ("g",), "g", "next game"),
    Binding("previous_game", ("G",), "G", "previous game"),
    Binding("role", ("r",), "r", "next role of the game"),
    Binding("explain", ("e",), "e", "explain the selected row in words"),
    Binding("search", ("/",), "/", "go to a row whose name contains what you type; n: to the next one"),
    Binding("next_match", ("n",), "n", "next row that contains the text of the search"),
    Binding("filter", ("f",), "f", "show only players, and players of games, whose names contain what you type"),
    Binding("sort_right", ("s", ">"), "s >", "order the rows by the next column"),
    Binding("sort_left", ("S", "<"), "S <", "order the rows by the previous column"),
    Binding("invert", ("i",), "i", "reverse the order"),
    Binding("panels", ("p",), "p", "everything below the table in full: curves, stop rules, warnings"),
    Binding("log", ("l",), "l", "log"),
    Binding("help", ("?", "h", "f1"), "? h", "this page: keys and the meaning of the columns"),
    Binding("mouse", ("m",), "m", "mouse off, so that the terminal can select text; and on again"),
    Binding("quit", ("q",), "q", "watch: leave; tournament and train: stop as Ctrl-C does, after a question"),
)

COMMANDS = {key: binding.command for binding in BINDINGS for key in binding.keys}
"""name of a key -> command"""
