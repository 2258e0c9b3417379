"""What the viewer of a board has chosen to see. Events change it (`league.board.controller`), pages show it."""

from __future__ import annotations

from typing import Literal

import msgspec

from league.board.player_details import PlayerDetails

PageName = Literal["standings", "player", "match", "panels", "log", "help", "explain"]
Typing = Literal["", "search", "filter"]
Request = Literal["", "leave", "stop"]


class ViewState(msgspec.Struct, frozen=True):
    """The page, the selection and the order of rows."""

    page: PageName = "standings"
    game: str = ""
    """the game whose standings are shown; "": all games"""
    role: str = ""
    """the role of that game; "": all roles"""
    sort: str = ""
    """key of the column that orders the rows; "": the order of the leaderboard"""
    reverse: bool = False
    cursor: str = ""
    """key of the selected row: a player, a match; "": none"""
    top: int = 0
    """index of the first visible row"""
    player: str = ""
    """of the page `player`"""
    tab: int = 0
    """of the page `player`"""
    match: str = ""
    """of the page `match`"""
    details: PlayerDetails | None = None
    """of the pages `player` and `match`, once they are read"""
    back: ViewState | None = None
    """the view to which Escape returns"""
    mouse: bool = True
    """whether the board takes clicks; if not, the terminal selects text with the mouse"""
    search: str = ""
    """a part of the names of rows to which the search goes"""
    filter: str = ""
    """words; only rows that contain each of them, in the player's name or a game of it, are shown"""
    typing: Typing = ""
    """which of these texts takes the keys"""
    asking: bool = False
    """whether the viewer is asked to confirm that the run is to be stopped"""
    request: Request = ""
    """what the board is to do, once"""
    watching: bool = False
    """whether another process plays the run: leaving the board then does not stop it"""


class Target(msgspec.Struct, frozen=True):
    """An area of one line that can be clicked."""

    y: int
    start: int
    end: int
    """the first cell after it"""
    command: str
    value: str = ""


class Layout(msgspec.Struct, frozen=True):
    """What a frame showed, so that the next event can refer to it."""

    rows: tuple[str, ...] = ()
    """keys of all rows of the list that has a cursor, in the order shown; (): the page only scrolls"""
    total: int = 0
    """number of rows or lines of the list, visible or not"""
    visible: int = 1
    """number of rows or lines on the screen"""
    top: int = 0
    """index of the first one on the screen"""
    columns: tuple[str, ...] = ()
    """keys of the columns that can order the rows, from left to right"""
    games: tuple[str, ...] = ()
    """the games to choose from, after "" for all games; () if there is nothing to choose"""
    roles: tuple[str, ...] = ()
    """the roles of the selected game, after "" for all roles; () if there is nothing to choose"""
    tabs: int = 0
    """number of tabs of the page `player`"""
    targets: tuple[Target, ...] = ()
