"""Turns the bytes of a terminal into events. prompt_toolkit parses the escape sequences.

Only its parser is used, a pure function of the bytes: `Screen` sets the modes of the terminal. To import it takes 57 ms
of processor time, so the board does so in the thread that reads keys, at the first key. (blessed takes 40 ms, but
queries the terminal when it starts and reads keys from standard input.)
"""

from __future__ import annotations

import codecs

import msgspec
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding.bindings.mouse import xterm_sgr_mouse_events
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.mouse_events import MouseButton, MouseEventType


class Key(msgspec.Struct, frozen=True):
    """A key: a character, or a name such as `up`, `pageup`, `enter`, `escape` or `s-tab`."""

    name: str


class Click(msgspec.Struct, frozen=True):
    """The left mouse button was pressed on a cell; (0, 0) is the top left."""

    x: int
    y: int


class Wheel(msgspec.Struct, frozen=True):
    """The mouse wheel was turned by a number of notches; positive is down."""

    notches: int


UserEvent = Key | Click | Wheel


_NAMES = {"c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace"}
"""names of prompt_toolkit for keys that have a name of their own"""
_NO_KEY = {Keys.BracketedPaste, Keys.CPRResponse, Keys.Ignore}
"""a pasted text is not a command"""


class KeyParser:
    """Bytes -> events. A sequence may be split between two calls of `feed`."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._parser = Vt100Parser(self._take)
        self._events: list[UserEvent] = []
        self._unknown = False

    def feed(self, data: bytes) -> list[UserEvent]:
        """Returns the events that `data` completes."""
        self._unknown = False
        self._parser.feed(self._decoder.decode(data))
        return self._taken()

    def flush(self) -> list[UserEvent]:
        """Returns the events that are complete if no more bytes follow, such as a single Escape."""
        self._parser.flush()
        return self._taken()

    def _taken(self) -> list[UserEvent]:
        events, self._events = self._events, []
        return events

    def _take(self, press: KeyPress) -> None:
        if press.key == Keys.Vt100MouseEvent:
            self._events += _mouse(press.data)
            return
        if press.key in _NO_KEY or self._unknown:
            return
        name = press.key.value if isinstance(press.key, Keys) else press.key
        if name in "[O" and self._events and self._events[-1] == Key("escape"):
            # An escape sequence that the parser does not know arrives as Escape and characters, which are not keys.
            self._events.pop()
            self._unknown = True
            return
        self._events.append(Key(_NAMES.get(name, name)))


def _mouse(data: str) -> list[UserEvent]:
    """Returns the event of a report such as `ESC [ < 0 ; 12 ; 5 M`; none for other buttons and other protocols."""
    try:
        code, x, y = map(int, data[3:-1].split(";"))
        button, kind, _ = xterm_sgr_mouse_events[code, data[-1]]
    except (ValueError, KeyError):
        return []
    if kind == MouseEventType.SCROLL_UP:
        return [Wheel(-1)]
    if kind == MouseEventType.SCROLL_DOWN:
        return [Wheel(1)]
    if kind == MouseEventType.MOUSE_DOWN and button == MouseButton.LEFT:
        return [Click(x - 1, y - 1)]
    return []
