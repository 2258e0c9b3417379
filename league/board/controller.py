"""How events change what a board shows: a pure function of the view, the event and the last frame's layout."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from league.board.keyboard import Click, Key, UserEvent, Wheel
from league.board.keys import COMMANDS
from league.board.player_details import PLAYING
from league.board.view_state import Layout, PageName, Typing, ViewState

NOTCH = 3
"""rows per notch of the mouse wheel"""

TEXT_PAGES: tuple[PageName, ...] = ("panels", "log", "help", "explain")
LONGEST = 60
"""characters of a search or filter, at most"""
END = -1
"""`ViewState.top` of a page that stays at its end while it grows"""

MATCHES = 2
"""the tab of the page `player` whose rows are matches; all other rows with a cursor are players"""

NEWEST = 1 << 30
"""`ViewState.tab` of a match that shows its last position, also when more follow"""

Command = Callable[[ViewState, Layout, str], ViewState]


def respond(view: ViewState, event: UserEvent, layout: Layout) -> ViewState:
    """Returns the view after an event. An event without a meaning on this page changes nothing."""
    if view.asking:
        stop = event == Key("y")
        return replace(view, asking=False, request="stop" if stop else "")
    if view.typing and isinstance(event, Key):
        return _type(view, event.name, layout)
    if isinstance(event, Wheel):
        return _move(view, layout, event.notches * NOTCH)
    if isinstance(event, Click):
        hits = (t for t in layout.targets if t.y == event.y and t.start <= event.x < t.end)
        target = next(hits, None)
        return view if target is None else _COMMANDS[target.command](view, layout, target.value)
    command = COMMANDS.get(event.name)
    return view if command is None else _COMMANDS[command](view, layout, "")


def _type(view: ViewState, key: str, layout: Layout) -> ViewState:
    """Returns the view after a key of a search or filter: Enter keeps the text, Escape removes it."""
    if key == "enter":
        return replace(view, typing="")
    text = view.search if view.typing == "search" else view.filter
    text = text[:-1] if key == "backspace" else (text + key)[:LONGEST] if len(key) == 1 else text
    text, typing = ("", "") if key == "escape" else (text, view.typing)
    if view.typing == "filter":
        return replace(view, filter=text, typing=typing, top=0)
    return _match(replace(view, search=text, typing=typing), layout, 0)


def _match(view: ViewState, layout: Layout, step: int) -> ViewState:
    """Moves the cursor to the first row from `step` rows after it that the search matches, else not at all."""
    if not view.search:
        return view
    at = layout.rows.index(view.cursor) + step if view.cursor in layout.rows else 0
    rows = (*layout.rows[at:], *layout.rows[:at])
    match = next((row for row in rows if view.search.casefold() in row.casefold()), view.cursor)
    return replace(view, cursor=match, top=layout.top)


def _move(view: ViewState, layout: Layout, by: int) -> ViewState:
    """Move the cursor, or scroll a page without one."""
    if not layout.rows:
        last = max(0, layout.total - layout.visible)
        top = max(0, (last if view.top == END else min(last, view.top)) + by)
        if top >= last:
            top = END if view.page == "log" else last
        return replace(view, top=top)
    if view.cursor in layout.rows:
        at = layout.rows.index(view.cursor) + by
    else:  # the first step selects a visible row
        at = layout.top if by > 0 else min(len(layout.rows), layout.top + layout.visible) - 1
    return replace(view, cursor=layout.rows[min(len(layout.rows) - 1, max(0, at))], top=layout.top)


def _end(view: ViewState, layout: Layout, row: int) -> ViewState:
    if not layout.rows:
        return _move(view, layout, layout.total if row else -layout.total)
    return replace(view, cursor=layout.rows[row], top=layout.top)


def _page(view: ViewState, layout: Layout, pages: int) -> ViewState:
    return _move(view, layout, pages * max(1, layout.visible - 1))


def _cycle(choices: tuple[str, ...], now: str, by: int) -> str:
    if not choices:
        return now
    at = choices.index(now) if now in choices else 0
    return choices[(at + by) % len(choices)]


def _tab(view: ViewState, layout: Layout, by: int) -> ViewState:
    if layout.tabs and view.page == "match":  # a match has a first and a last position
        at = max(0, min(view.tab, layout.tabs - 1) + by)
        return _part(view, layout, str(at if at < layout.tabs - 1 else NEWEST))
    if layout.tabs:
        return _part(view, layout, str((view.tab + by) % layout.tabs))
    return _game(view, layout, _cycle(layout.games, view.game, by))


def _game(view: ViewState, _: Layout, game: str) -> ViewState:
    return view if game == view.game else replace(view, game=game, role="", top=0, details=None)


def _part(view: ViewState, _: Layout, tab: str) -> ViewState:
    return replace(view, tab=int(tab), top=0, cursor="", sort="", reverse=False)


def _role(view: ViewState, layout: Layout, role: str) -> ViewState:
    return replace(view, role=role, top=0, details=None) if role in layout.roles else view


def _sort(view: ViewState, layout: Layout, by: int) -> ViewState:
    if not layout.columns:
        return view
    return replace(view, sort=_cycle(("", *layout.columns), view.sort, by), reverse=False, top=0)


def _sort_by(view: ViewState, layout: Layout, column: str) -> ViewState:
    """A click on a header: order by it; the next click reverses the order, the third restores the leaderboard's."""
    if view.sort != column:
        return replace(view, sort=column, reverse=False, top=0)
    return replace(view, sort="" if view.reverse else column, reverse=not view.reverse, top=0)


def _select(view: ViewState, layout: Layout, row: str) -> ViewState:
    """Returns a click on a row: select it; a click on the selected row opens it."""
    return _open(view, layout, row) if row == view.cursor else replace(view, cursor=row, top=layout.top)


def _open(view: ViewState, layout: Layout, _: str) -> ViewState:
    """Open the selected player or match; without a selection, select the first visible row."""
    if not view.cursor and layout.rows:
        return _move(view, layout, 1)
    if view.cursor not in layout.rows:
        return view
    below, chosen = replace(view, top=layout.top), view.cursor
    opened = ViewState(game=view.game, role=view.role, mouse=view.mouse, watching=view.watching, back=below)
    if (view.page, view.tab) == ("player", MATCHES):
        playing = view.details is not None and any(
            match.match == chosen and match.status == PLAYING for match in view.details.matches
        )
        return replace(opened, page="match", match=chosen, tab=NEWEST if playing else 0)
    return replace(opened, page="player", player=chosen)


def _back(view: ViewState, _layout: Layout, _value: str) -> ViewState:
    if view.back is not None:
        return replace(view.back, mouse=view.mouse)
    return replace(view, cursor="", sort="", reverse=False, role="", game="", top=0, search="", filter="")


def _show(page: PageName) -> Command:
    def show(view: ViewState, layout: Layout, _: str) -> ViewState:
        if view.page == page:
            return _back(view, layout, "")
        below = view.back if view.page in TEXT_PAGES else replace(view, top=layout.top)
        top = END if page == "log" else 0
        return ViewState(page=page, top=top, mouse=view.mouse, watching=view.watching, back=below)

    return show


def _explain(view: ViewState, layout: Layout, _: str) -> ViewState:
    """Opens the explanation of the selected row, or of the first visible one."""
    if view.page == "explain":
        return _back(view, layout, "")
    player = view.player if view.page == "player" else view.cursor
    if view.page == "standings" and view.cursor not in layout.rows and layout.rows:
        player = layout.rows[min(layout.top, len(layout.rows) - 1)]
    if view.page not in ("standings", "player") or not player:
        return view
    below = replace(view, top=layout.top)
    return ViewState(
        page="explain",
        player=player,
        game=view.game,
        role=view.role,
        mouse=view.mouse,
        watching=view.watching,
        back=below,
    )


def _typing(text: Typing) -> Command:
    def start(view: ViewState, layout: Layout, _: str) -> ViewState:
        if not (layout.rows or view.filter) or (text == "filter" and view.page != "standings"):
            return view
        return replace(view, typing=text, search="" if text == "search" else view.search)

    return start


def _quit(view: ViewState, _layout: Layout, _value: str) -> ViewState:
    return replace(view, request="leave") if view.watching else replace(view, asking=True)


_COMMANDS: dict[str, Command] = {
    "up": lambda view, layout, _: _move(view, layout, -1),
    "down": lambda view, layout, _: _move(view, layout, 1),
    "page_up": lambda view, layout, _: _page(view, layout, -1),
    "page_down": lambda view, layout, _: _page(view, layout, 1),
    "first": lambda view, layout, _: _end(view, layout, 0),
    "last": lambda view, layout, _: _end(view, layout, -1),
    "open": _open,
    "back": _back,
    "next_tab": lambda view, layout, _: _tab(view, layout, 1),
    "previous_tab": lambda view, layout, _: _tab(view, layout, -1),
    "next_game": lambda view, layout, _: _game(view, layout, _cycle(layout.games, view.game, 1)),
    "previous_game": lambda view, layout, _: _game(view, layout, _cycle(layout.games, view.game, -1)),
    "role": lambda view, layout, _: _role(view, layout, _cycle(layout.roles, view.role, 1)),
    "sort_right": lambda view, layout, _: _sort(view, layout, 1),
    "sort_left": lambda view, layout, _: _sort(view, layout, -1),
    "invert": lambda view, _layout, _: replace(view, reverse=not view.reverse),
    "explain": _explain,
    "search": _typing("search"),
    "next_match": lambda view, layout, _: _match(view, layout, 1),
    "filter": _typing("filter"),
    "panels": _show("panels"),
    "log": _show("log"),
    "help": _show("help"),
    "mouse": lambda view, _layout, _: replace(view, mouse=not view.mouse),
    "quit": _quit,
    "row": _select,
    "sort_by": _sort_by,
    "game": _game,
    "as_role": _role,
    "tab": _part,
}
"""command -> what it does with the value of a click; commands of keys get no value"""
