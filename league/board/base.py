"""The interface of all boards."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

import msgspec

from league.board.player_details import DetailsSource
from league.board.state import ENDED, BoardState


class Board:
    """The base class of all boards. It shows nothing, which is the mode `off`.

    `update` is cheap, but only one thread may call it at a time. Any thread may call `log`.
    """

    _state: BoardState | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and self._state is not None and self._state.status not in ENDED:
            crashed = issubclass(kind, Exception)
            self._state = msgspec.structs.replace(self._state, status="failed" if crashed else "interrupted")
        self.close()

    def update(self, state: BoardState) -> None:
        """Set the state to show."""
        self._state = state

    def log(self, line: str) -> None:
        """Show a line of text beside the table."""

    @property
    def interactive(self) -> bool:
        """Whether a viewer can leave the board with a key."""
        return False

    def wait(self, timeout: float) -> bool:
        """Wait `timeout` seconds; returns early, with True, if the viewer leaves the board."""
        threading.Event().wait(timeout)
        return False

    def attach(self, source: DetailsSource) -> None:
        """Show the details of players from `source`, if the board has a page for them."""

    def discard(self) -> None:
        """Forget the state, of which `close` then prints nothing: the caller prints the result in its own form."""
        self._state = None

    def close(self) -> None:
        """Show the final state and restore the terminal."""
