"""What a user does at the board: keys, clicks and turns of the mouse wheel."""

from __future__ import annotations

import msgspec


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
