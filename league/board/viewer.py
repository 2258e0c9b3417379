"""The view of an interactive board: a thread reads keys and clicks, another reads the details of the player shown."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial

from msgspec.structs import replace

from league.board.controller import respond
from league.board.keyboard import UserEvent
from league.board.lines import Line
from league.board.pages import draw
from league.board.player_details import DetailsSource, PlayerDetails
from league.board.state import BoardState
from league.board.view_state import Layout, Request, ViewState

ESCAPE = 0.1
"""seconds after which an Escape is a key and not the start of a sequence"""


AGAIN = 1.0
"""seconds after which the details of a player are read again while its page is shown"""


class Viewer:
    """Keeps the view. `changed` is called after it changes, `requested` with what it asks for; both in a thread."""

    source: DetailsSource | None = None
    """where details of players come from"""

    def __init__(self, changed: Callable[[], None], requested: Callable[[Request], None], *, watching: bool) -> None:
        self.view = ViewState(watching=watching)
        self._changed, self._requested = changed, requested
        self._lock = threading.RLock()
        self._state: BoardState | None = None
        self._size = (80, 24)
        self._layout = Layout()
        self._stale = False
        """whether the layout is that of another view"""
        self._moved = threading.Condition(self._lock)
        """notified when the view shows another subject"""
        self._closed = False

    def attach(self, source: DetailsSource) -> None:
        """Read details from `source`, also for a page that is open already."""
        with self._lock:
            self.source = source
            self._moved.notify_all()

    def draw(self, state: BoardState, size: tuple[int, int]) -> list[Line]:
        """Returns the frame to show."""
        with self._lock:
            self._state, self._size, self._stale = state, size, False
            lines, self._layout = draw(state, self.view, *size)
            return lines

    def take(self, events: Iterable[UserEvent]) -> None:
        """Apply events to the view, each to what the viewer would see after the one before."""
        for event in events:
            with self._lock:
                if self._stale and self._state is not None:
                    self.draw(self._state, self._size)
                before = self.view
                after = respond(before, event, self._layout)
                request = after.request
                self.view = replace(after, request="")
                # A layout holds for any selected row and any scrolled line, so a held key costs no frame each time.
                self._stale |= replace(after, cursor="", top=0) != replace(before, cursor="", top=0)
                if _subject(after) != _subject(before):
                    self._moved.notify_all()
            if request:
                self._requested(request)
        self._changed()

    def start(self, fd: int, stack: ExitStack) -> None:
        """Start the threads; keys are read from `fd`. `stack` ends them."""
        awake, wake = os.pipe()
        keys = threading.Thread(target=self._read_loop, args=(fd, awake), name="board-keys", daemon=True)
        details = threading.Thread(target=self._details_loop, name="board-details", daemon=True)
        keys.start()
        details.start()
        stack.callback(os.close, awake)
        stack.callback(keys.join)
        stack.callback(os.close, wake)
        stack.callback(details.join)
        stack.callback(self._close)

    def _close(self) -> None:
        with self._lock:
            self._closed = True
            self._moved.notify_all()

    def _details_loop(self) -> None:
        """Read what the page shows from the source, again after a while, and at once while there is more to read."""
        while True:
            with self._lock:
                self._moved.wait_for(lambda: self._closed or (self.source and _subject(self.view)))
                view, source = self.view, self.source
            if self._closed or source is None:
                return
            details, subject = _read(source, view), _subject(view)
            with self._lock:
                if _subject(self.view) == subject:
                    if self.view.details != details:
                        self.view = replace(self.view, details=details)
                        self._changed()
                    pause = 0.0 if details.read < details.total else AGAIN
                    self._moved.wait_for(partial(self._left, subject), pause)

    def _left(self, subject: tuple[str, ...]) -> bool:
        return self._closed or _subject(self.view) != subject

    def _read_loop(self, fd: int, awake: int) -> None:
        parser, pending = None, False
        with contextlib.suppress(OSError):  # the terminal is gone
            while True:
                ready = select.select([fd, awake], [], [], ESCAPE if pending else None)[0]
                if awake in ready:
                    return
                data = os.read(fd, 1024) if ready else b""
                if ready and not data:
                    return
                if parser is None:
                    from league.board.keyboard import KeyParser  # at the first key: the import would delay frames

                    parser = KeyParser()
                events = parser.feed(data) if ready else parser.flush()
                pending = bool(ready)
                if events:
                    self.take(events)


def _subject(view: ViewState) -> tuple[str, ...]:
    """Returns what the details of a page depend on; () if it has none."""
    if view.page == "player":
        return "player", view.player, view.game, view.role
    return ("match", view.match) if view.page == "match" else ()


def _read(source: DetailsSource, view: ViewState) -> PlayerDetails:
    try:
        if view.page == "match":
            return source.pages(view.match)
        return source.details(view.player, view.game, view.role)
    except Exception as error:  # noqa: BLE001  such as a lost or damaged database; the board stays
        return PlayerDetails(view.player, error=str(error) or type(error).__name__)


def readable(fd: int) -> bool:
    """Returns whether this descriptor of a terminal can be read."""
    return fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE != os.O_WRONLY
